// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/TickLayout.h"

#include "experiments/figures/layout/TextMetrics.h"

namespace headroom::figures {
namespace {

constexpr double kApart = 14;

bool areCrowded(const Axis& axis, const FigureLayout& layout, const std::vector<Tick>& ticks)
{
    for (std::size_t i = 1; i < ticks.size(); ++i) {
        const double apart = layout.xOf(axis, ticks[i].value) - layout.xOf(axis, ticks[i - 1].value);
        const double words = textWidth(ticks[i].text, kFontPx) + textWidth(ticks[i - 1].text, kFontPx);
        if (apart < words / 2 + kApart)
            return true;
    }
    return false;
}

} // namespace

std::vector<PlacedTick> layOutXTicks(const Axis& axis, const FigureLayout& layout)
{
    std::vector<Tick> ticks = axis.ticks;
    for (std::size_t most = ticks.size(); most > 2 && areCrowded(axis, layout, ticks); --most)
        ticks = niceTicks(axis.scale, axis.low, axis.high, most - 1);
    std::vector<PlacedTick> placed;
    for (const Tick& tick : ticks) {
        const double x = layout.xOf(axis, tick.value);
        placed.push_back({x, {tick.text, x, layout.plot.bottom() + kLinePx, TextAnchor::Middle}});
    }
    return placed;
}

} // namespace headroom::figures
