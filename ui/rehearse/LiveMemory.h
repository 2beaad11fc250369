// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/rehearse/RehearsalProcess.h"

#include <QWidget>

#include <vector>

namespace headroom::ui {

/// What a command takes of its card while it runs, over time: taken memory as an area, allocated and reserved memory as
/// lines where the script's phases change, and the card's usable memory as the limit.
class LiveMemory : public QWidget {
    Q_OBJECT

public:
    explicit LiveMemory(Theme& theme, QWidget* parent = nullptr);

    /// Empties it for a run on a card with this much.
    void begin(Bytes usable);
    void add(const ScriptMoment& moment);
    bool isEmpty() const { return m_points.empty(); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Point {
        double seconds = 0;
        ScriptMoment moment;
    };
    struct Axes {
        QRectF area;
        double seconds = 1;
        double bytes = 1;

        QPointF at(double second, Bytes size) const;
    };

    Axes axes() const;
    void paintTaken(QPainter& painter, const Axes& axes) const;
    void paintHeld(
        QPainter& painter, const Axes& axes, std::optional<Bytes> ScriptMoment::* held, const QColor& colour) const;
    void paintLimit(QPainter& painter, const Axes& axes) const;
    void paintSecondRun(QPainter& painter, const Axes& axes) const;
    void paintScale(QPainter& painter, const Axes& axes) const;
    void paintLegend(QPainter& painter, const Axes& axes) const;
    QString description() const;

    Theme& m_theme;
    Bytes m_usable = 0;
    std::vector<Point> m_points;
    double m_secondRun = -1; ///< when it began
    Bytes m_most = 0;
};

} // namespace headroom::ui
