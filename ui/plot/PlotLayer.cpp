// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/PlotLayer.h"

namespace headroom::ui {

PlotLayer::PlotLayer(QCustomPlot& plot, const QString& layer, std::function<void(QPainter&)> paint)
    : QCPLayerable(&plot, layer)
    , m_paint(std::move(paint))
{
}

void PlotLayer::applyDefaultAntialiasingHint(QCPPainter* painter) const
{
    painter->setAntialiasing(true);
}

// QCPPainter moves lines that are not antialiased by half a px, which its QPainter functions do not.
void PlotLayer::draw(QCPPainter* painter)
{
    painter->save();
    m_paint(*painter);
    painter->restore();
}

} // namespace headroom::ui
