// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineActions.h"

#include "ui/plot/PlotActions.h"

namespace headroom::ui {

TimelineActions::TimelineActions(QWidget& view)
{
    ActionMaker maker(view, all);
    zoomIn = maker.make("timelineZoomIn", QStringLiteral("Zoom &in"), {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal},
        QStringLiteral("Zoom in at the cursor, or in the middle"));
    zoomOut = maker.make(
        "timelineZoomOut", QStringLiteral("Zoom &out"), {Qt::Key_S, Qt::Key_Minus}, QStringLiteral("Zoom out"));
    panLeft =
        maker.make("timelinePanLeft", QStringLiteral("Move &left"), {Qt::Key_A}, QStringLiteral("Show earlier times"));
    panRight =
        maker.make("timelinePanRight", QStringLiteral("Move &right"), {Qt::Key_D}, QStringLiteral("Show later times"));
    fit = maker.make(
        "timelineFit", QStringLiteral("&Show everything"), {Qt::Key_0}, QStringLiteral("Show the whole timeline"));
    back = maker.make("timelineBack", QStringLiteral("&Back"), {Qt::Key_Z, Qt::Key_Backspace},
        QStringLiteral("Back to the previous view"));
    forward = maker.make("timelineForward", QStringLiteral("Fo&rward"), {Qt::SHIFT | Qt::Key_Z},
        QStringLiteral("Forward to the next view"));
    maker.separate();
    peak = maker.make("timelinePeak", QStringLiteral("Jump to &peak"), {Qt::Key_P}, QStringLiteral("Go to the peak"));
    centre = maker.make("timelineCentre", QStringLiteral("&Centre the selection"), {Qt::Key_F},
        QStringLiteral("Centre the range, or the phase at the cursor; again: zoom in on it"));
    previousPhase = maker.make("timelinePreviousPhase", QStringLiteral("Pre&vious phase"), {Qt::Key_Comma},
        QStringLiteral("Go to the previous phase"));
    nextPhase = maker.make(
        "timelineNextPhase", QStringLiteral("&Next phase"), {Qt::Key_Period}, QStringLiteral("Go to the next phase"));
    maker.separate();
    contents = maker.make(
        "timelineContents", QStringLiteral("&At the peak"), {}, QStringLiteral("Show what the peak consists of"));
    contents->setCheckable(true);
    contents->setChecked(true);
    table = maker.make(
        "timelineTable", QStringLiteral("As &tables"), {}, QStringLiteral("Show peaks and phases as tables"));
    table->setCheckable(true);
    maker.separate();
    copy = maker.make("timelineCopy", QStringLiteral("Cop&y timeline"), {},
        QStringLiteral("Copy the timeline as an image or as text"));
    save = maker.make("timelineSave", QStringLiteral("Sa&ve timeline as…"), {},
        QStringLiteral("Save the timeline as PNG, PDF, SVG or CSV"));
}

} // namespace headroom::ui
