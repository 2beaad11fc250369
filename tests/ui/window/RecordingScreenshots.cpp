// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window/RecordingScreenshots.h"

#include "tests/ui/recordings/DyingRun.h"
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
#include <fstream>

namespace headroom::ui {
namespace {

std::size_t mostStuck(const SegmentMoment& moment)
{
    const auto most = std::ranges::max_element(moment.uses, {}, &trace::SegmentUse::stuckBytes);
    return static_cast<std::size_t>(most - moment.uses.begin());
}

// Of the run with a shorter one.
void takeComparison(Shown& shown, const QTemporaryDir& folder, const Photographer& photographer)
{
    Services& services = shown.program.services();
    const QString other = folder.filePath(QStringLiteral("fewer-layers.json"));
    std::ofstream(other.toStdString()) << dyingRunSnapshot({.layers = 24});
    shown.program.window()->recordings().open(other);
    waitFor(
        [&] {
            return services.workspaces.experiments()->size() == 2 && !services.workspaces.results()->isOfSeveral()
                && services.workspaces.results()->content().number == 2;
        },
        "the other recording");
    services.workspaces.showExperiments({1, 2});
    waitFor([&] { return services.workspaces.results()->isOfSeveral(); }, "both recordings");
    QStringList trials;
    for (const report::ReportTrial& trial : services.workspaces.results()->content().trials)
        trials.append(QString::fromStdString(trial.id()));
    services.selection.select(trials.mid(0, 2));
    CompareView& compare = *shown.views().compare;
    shown.views().bringForward(&compare);
    compare.stack().align(Alignment::Share);
    waitFor([&] { return compare.stack().source().isIdle() && compare.stack().trialsWithTimeline() == 2; },
        "the compared recordings");
    photographer.take(*shown.program.window(), QStringLiteral("recording-compare"));
}

} // namespace

void takeRecording(const Look& look, const QString& recording, const Photographer& photographer)
{
    const QTemporaryDir folder;
    const QString file = recording.isEmpty() ? folder.filePath(QStringLiteral("oom.json")) : recording;
    if (recording.isEmpty())
        std::ofstream(file.toStdString()) << dyingRunSnapshot();
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
    takeComparison(shown, folder, photographer);
}

} // namespace headroom::ui
