// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/MemoryCategory.h"
#include "ui/plot/FigureCanvas.h"

#include <QObject>

#include <optional>
#include <set>

namespace headroom::ui {

using Categories = std::set<config::MemoryCategory>;

/// The link between the layers of a stack and what explains them: says at which layer the pointer is, and lets those
/// of some categories stand out.
class LayerHighlight : public QObject {
    Q_OBJECT

public:
    /// The canvas owns it.
    LayerHighlight(FigureCanvas& canvas, Theme& theme);

    /// The layers of these categories stand out; of none, all are as usual.
    void setKept(const Categories& categories);
    const Categories& kept() const { return m_kept; }
    /// The category of the layer at a place of the canvas.
    std::optional<config::MemoryCategory> at(const QPointF& place) const;

Q_SIGNALS:
    /// Empty: at no layer.
    void pointed(const headroom::ui::Categories& categories);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void point(const Categories& categories);
    void paint(QPainter& painter);

    FigureCanvas& m_canvas;
    Theme& m_theme;
    Categories m_kept;
    Categories m_pointed;
};

} // namespace headroom::ui
