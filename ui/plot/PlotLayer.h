// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <qcustomplot.h>

#include <functional>

namespace headroom::ui {

/// Something that a plot draws on one of its layers. The plot owns it.
class PlotLayer : public QCPLayerable {
    Q_OBJECT

public:
    PlotLayer(QCustomPlot& plot, const QString& layer, std::function<void(QPainter&)> paint);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

private:
    std::function<void(QPainter&)> m_paint;
};

} // namespace headroom::ui
