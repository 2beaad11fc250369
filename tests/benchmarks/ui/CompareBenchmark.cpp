// SPDX-License-Identifier: Apache-2.0
//
// How long the comparison of four trials of ten million events each (or as many as the command line says) takes: until
// it is shown, and for each frame while it is panned, as tables in Markdown.
#include "tests/benchmarks/ui/FrameTimes.h"
#include "tests/benchmarks/ui/LongTrace.h"
#include "ui/compare/CompareView.h"

#include <QApplication>

#include <cstdlib>

namespace headroom::ui {
namespace {

constexpr int kTrials = 4;
constexpr int kFrames = 200;

QStringList trialsOf(const Results& results)
{
    QStringList trials;
    for (const report::ReportTrial& trial : results->content().trials)
        trials.append(QString::fromStdString(trial.id()));
    return trials;
}

void waitForCurves(CompareView& view)
{
    while (view.stack().trialsWithTimeline() < kTrials)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    QCoreApplication::processEvents();
}

// With what the peaks consist of, for which all events are read, in the background.
void waitUntilShown(CompareView& view)
{
    waitForCurves(view);
    while (!view.stack().source().isIdle())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    QCoreApplication::processEvents();
}

// One frame: the window and the cursor move, whatever arrived is taken in, both plots are painted. At the end of the
// trace the way leads back: every frame shows another window.
void panThrough(CompareView& view, double share)
{
    CompareStack& stack = view.stack();
    TimelineNavigator& navigator = stack.navigator();
    const figures::TimeWindow whole = navigator.whole();
    const auto length = static_cast<std::int64_t>(static_cast<double>(whole.lengthNs()) * share);
    navigator.show({whole.lengthNs() / 4, whole.lengthNs() / 4 + length});
    waitUntilShown(view);
    LaneColumn& column = *stack.findChild<LaneColumn*>();
    FrameTimes frames;
    std::int64_t step = length / 100;
    for (int frame = 0; frame < kFrames; ++frame) {
        if (navigator.window().endNs + step > whole.endNs || navigator.window().beginNs + step < whole.beginNs)
            step = -step;
        frames.measure([&] {
            navigator.pan(step);
            Q_EMIT column.cursorMoved(navigator.window().beginNs + length / 2);
            QCoreApplication::processEvents();
            stack.curves().canvas().repaint();
            stack.difference().canvas().repaint();
        });
    }
    frames.printRow("1/" + std::to_string(static_cast<long>(1 / share)));
}

void measureComparison(std::int64_t events)
{
    const LongTrace trace(events, Owners::Nobody, kTrials);
    std::printf("%d trials of %lld events each, %.0f MiB in the workspace\n\n", kTrials,
        static_cast<long long>(trace.events()), static_cast<double>(trace.fileBytes()) / 1048576.0);
    Theme theme;
    Selection selection;
    CompareView view(theme, selection);
    view.resize(1600, 900);
    view.show();
    view.setResults(trace.results());
    QCoreApplication::processEvents();
    FrameTimes opening;
    opening.measure([&] {
        selection.select(trialsOf(trace.results()));
        waitForCurves(view);
    });
    FrameTimes reading;
    reading.measure([&] { waitUntilShown(view); });
    std::printf("| from the choice of the trials | ms | | | processor | | |\n|---|---:|---:|---:|---:|---:|---:|\n");
    opening.printRow("to their curves");
    reading.printRow("from there to what their peaks consist of");
    std::printf("\n| panning, window | median ms a frame | 95 %% | worst | processor, median | 95 %% | worst |\n"
                "|---|---:|---:|---:|---:|---:|---:|\n");
    for (const double share : {0.5, 0.05, 0.005, 0.00005})
        panThrough(view, share);
}

} // namespace
} // namespace headroom::ui

// benchmark-compare [EVENTS]
int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    headroom::ui::measureComparison(argc > 1 ? std::atoll(argv[1]) : 10'000'000);
    return 0;
}
