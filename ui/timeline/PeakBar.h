// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/timeline/PeakParts.h"

#include <QWidget>

#include <optional>

namespace headroom::ui {

/// The parts of a peak as one stacked bar, numbered as in the table beside it.
class PeakBar : public QWidget {
    Q_OBJECT

public:
    explicit PeakBar(Theme& theme, QWidget* parent = nullptr);

    void setContents(std::optional<PeakContents> contents);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintPart(QPainter& painter, const QRectF& box, std::size_t part);

    Theme& m_theme;
    std::optional<PeakContents> m_contents;
};

} // namespace headroom::ui
