// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/effects/EffectsFigure.h"

#include "core/base/Quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace headroom::figures {
namespace {

constexpr double kRoomBesideBars = 1.08;
constexpr double kLeastRightShare = 0.05; ///< of the axis' left part: zero is not at the edge
constexpr std::size_t kMainSeries = 0;
constexpr std::size_t kInteractionSeries = 1;
constexpr double kBesideLevels = 0.35; ///< of the distance between two levels

Look effectLook(const EffectBarsInput& input, bool isInteraction)
{
    return {isInteraction ? kInteractionSeries : kMainSeries, Shape::Square, input.provenance};
}

Axis axisAroundZero(const std::string& label, double least, double most)
{
    const double low = std::min(least * kRoomBesideBars, 0.0);
    const double high = std::max(most * kRoomBesideBars, low == 0 ? 1.0 : kLeastRightShare * -low);
    return {label, Scale::Linear, low, high, niceTicks(Scale::Linear, low, high, kUsualTicks)};
}

void addEffectBar(Figure& figure, const EffectBarsInput& input, std::size_t row)
{
    const EffectBar& bar = input.bars[row];
    const std::string kind = bar.isInteraction ? "interaction" : "effect";
    Hover hover{bar.label, {bar.shown}};
    if (!bar.text.empty())
        hover.lines.push_back(bar.text);
    const double value = bar.value.value_or(0);
    if (value != 0)
        figure.bars.push_back({{}, row, std::min(value, 0.0), std::max(value, 0.0),
            effectLook(input, bar.isInteraction), kind, std::move(hover)});
    figure.rowTexts.push_back({{}, row, std::max(value, 0.0), bar.shown, {}});
    figure.table.rows.push_back({bar.label, kind, bar.shown});
}

std::string kindText(const EffectBarsInput& input)
{
    return ", " + figures::name(input.provenance);
}

} // namespace

Figure effectBarsFigure(const EffectBarsInput& input)
{
    Figure figure;
    figure.kind = "effects";
    figure.title = input.title;
    double least = 0, most = 0;
    std::vector<std::string> labels;
    for (const EffectBar& bar : input.bars) {
        least = std::min(least, bar.value.value_or(0));
        most = std::max(most, bar.value.value_or(0));
        labels.push_back(bar.label);
    }
    figure.x = axisAroundZero(input.axis, least, most);
    figure.y = categoryAxis("", labels);
    figure.table.header = {"Setting", "Kind", input.axis};
    for (std::size_t row = 0; row < input.bars.size(); ++row)
        addEffectBar(figure, input, row);
    figure.legend.push_back({Symbol::Bar, effectLook(input, false), {}, "one technique, on average" + kindText(input)});
    if (std::ranges::any_of(input.bars, &EffectBar::isInteraction))
        figure.legend.push_back(
            {Symbol::Bar, effectLook(input, true), {}, "two together, beyond the sum of both" + kindText(input)});
    figure.description =
        fmt::format("A bar to the left {}, one to the right {}. The bar of two techniques is what they "
                    "change together beyond the sum of what each changes: none, where they add up.",
            input.less, input.more);
    if (input.bars.empty())
        figure.emptyText = "No technique varies.";
    return figure;
}

Figure interactionFigure(const InteractionInput& input)
{
    Figure figure;
    figure.kind = "interaction";
    figure.title = fmt::format("{} and {}", input.aWith, input.bWith);
    const SizeUnit unit = axisUnitFor(std::max({input.neither, input.onlyA, input.onlyB, input.both}));
    figure.x = {input.a, Scale::Linear, -kBesideLevels, 1 + kBesideLevels, {{0, input.aWithout}, {1, input.aWith}}};
    const std::array values{unit.of(input.neither), unit.of(input.onlyA), unit.of(input.onlyB), unit.of(input.both)};
    figure.y = axisFromZero(fmt::format("Mean peak {} ({})", input.memory, unit.name), values);
    figure.table.header = {"", input.aWithout, input.aWith};
    const auto add = [&](const std::string& name, std::size_t series, Bytes without, Bytes with) {
        const Look look{series, series == 0 ? Shape::Circle : Shape::Square, input.provenance};
        figure.lines.push_back({LineRole::Front, look, {{0, unit.of(without)}, {1, unit.of(with)}}});
        for (const auto& [x, bytes, where] : {std::tuple{0.0, without, input.aWithout}, {1.0, with, input.aWith}})
            figure.marks.push_back({{}, x, unit.of(bytes), look, {}, sizeText(bytes), LabelWish::First, std::nullopt,
                {where + ", " + name, {sizeText(bytes)}}});
        figure.legend.push_back({Symbol::Mark, look, {}, name});
        figure.table.rows.push_back({name, inUnit(without, unit), inUnit(with, unit)});
    };
    add(input.bWithout, 0, input.neither, input.onlyA);
    add(input.bWith, 1, input.onlyB, input.both);
    figure.description = input.text;
    return figure;
}

} // namespace headroom::figures
