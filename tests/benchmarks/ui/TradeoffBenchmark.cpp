// SPDX-License-Identifier: Apache-2.0
//
// How long a trade-off of very many trials takes from its input to the screen, and a frame of it while it is panned and
// zoomed: drawn by the processor, without a window system. Prints the rows of docs/measurements/desktop-plots.md.
//
//   QT_QPA_PLATFORM=offscreen benchmark-tradeoff
#include "tests/experiments/figures/ExampleFigures.h"
#include "ui/plot/FigurePlot.h"

#include <QApplication>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

namespace {

using namespace headroom;
using namespace headroom::ui;
using Clock = std::chrono::steady_clock;

constexpr int kFrames = 120;

double msSince(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// A cloud below a curve of diminishing returns, as sweeps of many techniques give.
figures::TradeoffInput cloud(std::size_t trials)
{
    figures::Random random(7);
    figures::TradeoffInput input;
    input.title = "Peak memory against speed";
    input.budget = figures::Budget{figures::gib(24), "budget"};
    for (std::size_t i = 0; i < trials; ++i) {
        const double peak = 4 + 76 * random.fraction();
        const double best = 4 * (1 - std::exp(-peak / 20));
        auto trial = figures::completed("every:" + std::to_string(i), peak, best * (0.4 + 0.6 * random.fraction()));
        trial.group = i % 2 == 0 ? "sim:a100-80gb" : "sim:h100-80gb";
        trial.provenance = i % 20 == 0 ? figures::Provenance::Measured : figures::Provenance::Predicted;
        if (i % 20 == 0)
            trial.interval = figures::Interval95{*trial.perSecond * 0.97, *trial.perSecond * 1.03};
        if (i % 100 == 0)
            trial.flags = {figures::Flag::NotSteady};
        input.trials.push_back(std::move(trial));
    }
    return input;
}

struct Frames {
    double median = 0;
    double worst = 0;
    double processor = 0; ///< time of all threads, on average
};

template <typename Move> Frames frames(FigureCanvas& canvas, const Move& move)
{
    std::vector<double> times;
    const std::clock_t before = std::clock();
    for (int i = 0; i < kFrames; ++i) {
        const auto begin = Clock::now();
        move(i);
        canvas.replot(QCustomPlot::rpImmediateRefresh);
        times.push_back(msSince(begin));
    }
    const double processor = 1000.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / kFrames;
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times.back(), processor};
}

void measure(Theme& theme, std::size_t trials)
{
    const figures::TradeoffInput input = cloud(trials);
    auto begin = Clock::now();
    const auto figure = std::make_shared<const figures::Figure>(figures::tradeoffFigure(input));
    const double building = msSince(begin);

    FigurePlot plot(theme);
    plot.resize(1200, 800);
    plot.show();
    QApplication::processEvents();
    begin = Clock::now();
    plot.setFigure(figure);
    const double layingOut = msSince(begin);
    plot.canvas().replot();
    const double first = msSince(begin);

    PlotNavigator& navigator = plot.navigator();
    const figures::Pixel middle = plot.canvas().scene().layout.plot.centre();
    const Frames zoomed =
        frames(plot.canvas(), [&](int i) { navigator.zoom({middle.x, middle.y}, i % 40 < 20 ? 1.04 : 1 / 1.04); });
    navigator.zoom({middle.x, middle.y}, 1.25);
    const Frames panned =
        frames(plot.canvas(), [&](int i) { navigator.pan({i % 40 < 20 ? 6.0 : -6.0, i % 60 < 30 ? 2.0 : -2.0}); });
    begin = Clock::now();
    plot.canvas().settle();
    const double settling = msSince(begin);
    begin = Clock::now();
    for (int i = 0; i < 1000; ++i)
        plot.canvas().targetAt({middle.x + i % 200, middle.y + i / 10.0});
    const double finding = msSince(begin);
    std::printf("| %zu | %.1f | %.1f | %.1f | %.1f / %.1f / %.1f | %.1f / %.1f / %.1f | %.1f | %.2f |\n", trials,
        building, layingOut, first, zoomed.median, zoomed.worst, zoomed.processor, panned.median, panned.worst,
        panned.processor, settling, finding);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    Theme theme;
    theme.setScheme(ColourScheme::Light);
    std::printf("| trials | figure | layout | first picture | zoom | pan | labels anew | find a mark (µs) |\n"
                "|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (const std::size_t trials : {100U, 1'000U, 10'000U})
        measure(theme, trials);
}
