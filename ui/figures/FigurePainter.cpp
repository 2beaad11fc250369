// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/FigurePainter.h"

#include "ui/figures/DataPainter.h"
#include "ui/figures/FramePainter.h"
#include "ui/figures/SeriesPainter.h"

namespace headroom::ui {

void paintFigure(const PlotScene& scene, const FigureInk& ink, QPainter& painter)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(0, 0, scene.layout.width, scene.layout.height), ink.surface());
    FramePainter frame(scene, ink, painter);
    frame.paintWords();
    if (!scene.isEmpty()) {
        frame.paintAxes();
        DataPainter data(scene, ink, painter);
        SeriesPainter series(scene, ink, painter);
        data.paintGround(StackForm::Outlines);
        series.paintLines();
        data.paintRows();
        series.paintMarks();
        data.paintLabels();
    }
    frame.paintStrip();
}

} // namespace headroom::ui
