// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/PlotActions.h"

#include "ui/plot/ActionMaker.h"

namespace headroom::ui {

PlotActions::PlotActions(QWidget& plot)
{
    ActionMaker maker(plot, all);
    zoomIn = maker.make("zoomIn", QObject::tr("Zoom &in"), {Qt::Key_Plus, Qt::Key_Equal, Qt::Key_W},
        QObject::tr("Zoom in at the middle"));
    zoomOut = maker.make(
        "zoomOut", QObject::tr("Zoom &out"), {Qt::Key_Minus, Qt::Key_S}, QObject::tr("Zoom out at the middle"));
    fit = maker.make("fit", QObject::tr("&Show everything"), {Qt::Key_0}, QObject::tr("Show the whole plot"));
    back = maker.make(
        "zoomBack", QObject::tr("&Back"), {Qt::Key_Z, Qt::Key_Backspace}, QObject::tr("Back to what was seen before"));
    forward = maker.make("zoomForward", QObject::tr("&Forward"), {Qt::SHIFT | Qt::Key_Z},
        QObject::tr("Forward to what was seen after this"));
    panLeft = maker.make("panLeft", QObject::tr("Move &left"), {Qt::Key_A}, QObject::tr("Look further left"));
    panRight = maker.make("panRight", QObject::tr("Move &right"), {Qt::Key_D}, QObject::tr("Look further right"));
    maker.separate();
    lasso = maker.makeSwitch("lasso", QObject::tr("Lasso"), Qt::Key_L,
        QObject::tr("Select by drawing around marks; Alt and drag does the same"));
    logX = maker.makeSwitch(
        "logX", QObject::tr("Logarithmic &x axis"), Qt::Key_X, QObject::tr("Logarithmic or linear x axis"));
    logY = maker.makeSwitch(
        "logY", QObject::tr("Logarithmic &y axis"), Qt::Key_Y, QObject::tr("Logarithmic or linear y axis"));
    table = maker.makeSwitch("showTable", QObject::tr("As a &table"), Qt::Key_T,
        QObject::tr("Show the plot's numbers as a table in its place"));
    maker.separate();
    copy = maker.make("copyPlot", QObject::tr("&Copy image"), {QKeySequence(QKeySequence::Copy)},
        QObject::tr("Copy the plot as an image, or the table as text"));
    save = maker.make("savePlot", QObject::tr("Save &plot as…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_E},
        QObject::tr("Save the plot as PNG, PDF or SVG, or its numbers as CSV"));
}

} // namespace headroom::ui
