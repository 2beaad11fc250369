// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/verdict/FitVerdict.h"
#include "ui/look/Theme.h"

#include <QWidget>

#include <optional>

namespace headroom::ui {

/// A trial's need as a bar against a card's usable memory: the driver's part, allocated memory, the rest of the
/// reserved memory, the limit with the zone below it that counts as tight, and what exceeds the limit. A legend below
/// gives the amounts.
class MemoryBar : public QWidget {
    Q_OBJECT

public:
    explicit MemoryBar(Theme& theme, QWidget* parent = nullptr);

    void setVerdict(const experiments::FitVerdict& verdict);

    /// An outdated bar is dimmed until the next verdict.
    enum class Age { Current, Outdated };
    void setAge(Age age);

    /// Thin is a few px high and has no legend.
    enum class Shape { Thin, WithLegend };
    void setShape(Shape shape);
    /// Shows no memory at all.
    void clear();
    bool isEmpty() const { return !m_verdict; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    /// The x coordinate at which this number of bytes ends in the bar, in the widget's coordinates.
    double positionOf(Bytes bytes) const;
    QRectF barRect() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        QString name;
        Bytes bytes = 0;
        QBrush brush;
    };

    std::vector<Part> parts() const;
    double shownBytes() const;
    void paintParts(QPainter& painter) const;
    void paintExcess(QPainter& painter) const;
    void paintLimit(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    QFont legendFont() const;
    QString description() const;

    Theme& m_theme;
    std::optional<experiments::FitVerdict> m_verdict;
    Age m_age = Age::Current;
    Shape m_shape = Shape::WithLegend;
};

} // namespace headroom::ui
