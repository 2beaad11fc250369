// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineActions.h"

#include "ui/plot/ActionMaker.h"

namespace headroom::ui {

TimelineActions::TimelineActions(QWidget& view)
{
    ActionMaker maker(view, all);
    const auto tr = [](const char* text) { return QObject::tr(text); };
    zoomIn = maker.make("timelineZoomIn", tr("Zoom &in"), {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal},
        tr("Zoom in at the cursor, or in the middle"));
    zoomOut = maker.make("timelineZoomOut", tr("Zoom &out"), {Qt::Key_S, Qt::Key_Minus}, tr("Zoom out"));
    panLeft = maker.make("timelinePanLeft", tr("Move &left"), {Qt::Key_A}, tr("Look at what was earlier"));
    panRight = maker.make("timelinePanRight", tr("Move &right"), {Qt::Key_D}, tr("Look at what comes later"));
    fit = maker.make("timelineFit", tr("&Show everything"), {Qt::Key_0}, tr("Show the whole timeline"));
    back = maker.make("timelineBack", tr("&Back"), {Qt::Key_Z, Qt::Key_Backspace}, tr("Back to what was seen before"));
    forward = maker.make(
        "timelineForward", tr("Fo&rward"), {Qt::SHIFT | Qt::Key_Z}, tr("Forward to what was seen after this"));
    maker.separate();
    peak = maker.make("timelinePeak", tr("Jump to &peak"), {Qt::Key_P}, tr("Look at the peak"));
    centre = maker.make("timelineCentre", tr("&Centre the selection"), {Qt::Key_F},
        tr("Put the range, or the phase at the cursor, in the middle; once more: as large as it can be"));
    previousPhase =
        maker.make("timelinePreviousPhase", tr("Pre&vious phase"), {Qt::Key_Comma}, tr("To the phase before"));
    nextPhase = maker.make("timelineNextPhase", tr("&Next phase"), {Qt::Key_Period}, tr("To the phase after"));
    maker.separate();
    contents = maker.make("timelineContents", tr("&At the peak"), {}, tr("Show what the peak consists of"));
    contents->setCheckable(true);
    contents->setChecked(true);
    table = maker.make("timelineTable", tr("As &tables"), {}, tr("Show peaks and phases as tables"));
    table->setCheckable(true);
    maker.separate();
    copy = maker.make("timelineCopy", tr("Cop&y timeline"), {}, tr("Copy the timeline as an image or as text"));
    save = maker.make("timelineSave", tr("Sa&ve timeline as…"), {}, tr("Save the timeline as PNG, PDF, SVG or CSV"));
}

} // namespace headroom::ui
