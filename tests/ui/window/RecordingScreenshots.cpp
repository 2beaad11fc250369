// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window/RecordingScreenshots.h"

#include "ui/compare/CompareView.h"
#include "ui/recordings/RecordingDesk.h"
#include "ui/recordings/WhatIfView.h"
#include "ui/segments/SegmentMap.h"
#include "ui/segments/SegmentsView.h"
#include "ui/timeline/TimelineView.h"
#include "ui/window/MainWindow.h"

#include <QComboBox>
#include <QTemporaryDir>

#include <algorithm>

namespace headroom::ui {
namespace {

std::size_t mostStuck(const SegmentMoment& moment)
{
    const auto most = std::ranges::max_element(moment.uses, {}, &trace::SegmentUse::stuckBytes);
    return static_cast<std::size_t>(most - moment.uses.begin());
}

} // namespace

void takeRecording(const Look& look, const QString& file, const Photographer& photographer)
{
    const QTemporaryDir folder;
    Shown shown(look, folder.filePath(QStringLiteral("recordings.db")), folder.path());
    MainWindow& window = *shown.program.window();
    Services& services = shown.program.services();
    waitFor([&] { return !services.workspaces.path().isEmpty(); }, "the workspace");
    window.recordings().open(file);
    TimelineView& timeline = *shown.views().timeline;
    waitFor([&] { return timeline.stack().current() && timeline.stack().current()->summary; }, "the recording");
    photographer.take(window, QStringLiteral("recording-timeline"));
    if (auto* grouping = timeline.findChild<QComboBox*>(QStringLiteral("peakGrouping")))
        grouping->setCurrentIndex(grouping->findData(QStringLiteral("frame")));
    photographer.take(window, QStringLiteral("recording-frames"));
    SegmentsView& segments = *shown.views().segments;
    shown.views().bringForward(&segments);
    waitFor([&] { return segments.moment() != nullptr; }, "the segments");
    segments.map().choose(mostStuck(*segments.moment()));
    photographer.take(window, QStringLiteral("recording-segments"));
    WhatIfView& whatIf = *shown.views().whatIf;
    shown.views().bringForward(&whatIf);
    waitFor(
        [&] { return whatIf.isIdle() && !whatIf.suggestion().startsWith(QStringLiteral("Trying")); }, "the answers");
    photographer.take(window, QStringLiteral("recording-what-if"));
}

} // namespace headroom::ui
