// SPDX-License-Identifier: Apache-2.0
//
// How long the timeline view takes with a trace of ten million events (or as many as the command line says): to open
// it, to read windows of several lengths, and for each frame while it is panned. Prints the tables of
// docs/measurements/desktop-timeline.md.
#include "tests/benchmarks/ui/FrameTimes.h"
#include "tests/benchmarks/ui/LongTrace.h"
#include "ui/timeline/TimelineView.h"
#include "ui/timeline/TraceArchive.h"

#include <QApplication>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace headroom::ui {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

struct Spread {
    double median = 0;
    double p95 = 0;
    double worst = 0;
};

Spread spreadOf(std::vector<double> values)
{
    std::ranges::sort(values);
    return {values[values.size() / 2], values[values.size() * 95 / 100], values.back()};
}

TimelineRequest requestOf(const Results& results)
{
    TimelineRequest request;
    request.subject = {results->workspace(), results->content().number, results->content().trials[0].id(), "Trial", 1};
    request.bins = 4'000;
    return request;
}

void measureReading(const LongTrace& trace)
{
    TraceArchive archive;
    TimelineRequest request = requestOf(trace.results());
    auto begin = Clock::now();
    const figures::TimeWindow whole = archive.window(request)->whole;
    std::printf("| open and read the whole trace for the first time | %.1f |\n", millisecondsSince(begin));
    begin = Clock::now();
    (void)archive.summary(request, {});
    std::printf("| what the peak consists of, and the peak of each phase | %.0f |\n", millisecondsSince(begin));
    std::printf("\n| window | median ms | 95 %% | worst |\n|---|---:|---:|---:|\n");
    std::mt19937_64 random(1);
    for (const std::int64_t part : {1, 10, 100, 1'000, 10'000, 1'000'000}) {
        std::vector<double> times;
        for (int i = 0; i < 40; ++i) {
            const std::int64_t length = whole.lengthNs() / part;
            const auto at =
                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(whole.lengthNs() - length + 1));
            request.window = figures::TimeWindow{at, at + length};
            begin = Clock::now();
            (void)archive.window(request);
            times.push_back(millisecondsSince(begin));
        }
        const Spread spread = spreadOf(times);
        std::printf("| 1/%lld of it | %.1f | %.1f | %.1f |\n", static_cast<long long>(part), spread.median, spread.p95,
            spread.worst);
    }
}

void waitUntilIdle(TimelineView& view)
{
    while (!view.stack().source().isIdle() || view.stack().current() == nullptr || !view.stack().current()->summary)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    QCoreApplication::processEvents();
}

// One frame: the window moves, whatever arrived is taken in, the picture is painted. At the end of the trace the way
// leads back: every frame shows another window.
void measurePanning(TimelineView& view, double share)
{
    TimelineNavigator& navigator = view.stack().navigator();
    const figures::TimeWindow whole = navigator.whole();
    const auto length = static_cast<std::int64_t>(static_cast<double>(whole.lengthNs()) * share);
    navigator.show({whole.lengthNs() / 4, whole.lengthNs() / 4 + length});
    waitUntilIdle(view);
    FigureCanvas& canvas = view.stack().lanes().front()->canvas();
    FrameTimes frames;
    std::int64_t step = length / 100;
    for (int frame = 0; frame < 200; ++frame) {
        if (navigator.window().endNs + step > whole.endNs || navigator.window().beginNs + step < whole.beginNs)
            step = -step;
        frames.measure([&] {
            navigator.pan(step);
            view.stack().setCursor(navigator.window().beginNs + length / 2);
            QCoreApplication::processEvents();
            canvas.repaint();
        });
    }
    frames.printRow("1/" + std::to_string(static_cast<long>(1 / share)) + " of the trace");
}

void measureView(const LongTrace& trace)
{
    Theme theme;
    Selection selection;
    TimelineView view(theme, selection);
    view.resize(1600, 900);
    view.show();
    QCoreApplication::processEvents();
    const auto begin = Clock::now();
    view.setResults(trace.results());
    selection.select({QString::fromStdString(trace.results()->content().trials[0].id())});
    while (!view.stack().current()->hasTrace())
        QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
    QCoreApplication::processEvents();
    std::printf("\n| from the click on a trial to its timeline | %.0f ms |\n", millisecondsSince(begin));
    waitUntilIdle(view);
    std::printf("\n| panning | median ms a frame | 95 %% | worst | processor, median | 95 %% | worst |\n"
                "|---|---:|---:|---:|---:|---:|---:|\n");
    for (const double share : {0.5, 0.05, 0.005, 0.00005})
        measurePanning(view, share);
}

void measure(std::int64_t events, Owners owners)
{
    const auto begin = Clock::now();
    const LongTrace trace(events, owners);
    std::printf("\n%s: %lld events, %.0f MiB in the workspace, written in %.1f s\n\n",
        owners == Owners::Named ? "Stacked categories" : "One curve", static_cast<long long>(trace.events()),
        static_cast<double>(trace.fileBytes()) / 1048576.0, millisecondsSince(begin) / 1'000);
    std::printf("| what | ms |\n|---|---:|\n");
    measureReading(trace);
    measureView(trace);
}

} // namespace
} // namespace headroom::ui

// benchmark-timeline [EVENTS]
int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const std::int64_t events = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
    headroom::ui::measure(events, headroom::ui::Owners::Nobody);
    headroom::ui::measure(events, headroom::ui::Owners::Named);
    return 0;
}
