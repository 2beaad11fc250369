// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/ComparisonFigure.h"

#include "core/base/Quantities.h"
#include "experiments/figures/memory/PhaseSpans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headroom::figures {
namespace {

constexpr double kRoomForHighest = 1.1;
constexpr double kRoomForDifference = 1.15;

Look comparedLook(const ComparisonInput& input, std::size_t trial)
{
    return {input.trials[trial].series.value_or(trial), Shape::TriangleDown, input.trials[trial].provenance};
}

void addTimeAxisOf(Figure& figure, const ComparisonInput& input, const TimeAxis& time)
{
    const double begin = time.of(input.window.beginNs);
    const double end = input.window.lengthNs() > 0 ? time.of(input.window.endNs) : begin + 1;
    std::string label = time.label();
    if (label.starts_with("Time"))
        label.replace(0, 4, input.timeName);
    figure.x = {label, Scale::Linear, begin, end, niceTicks(Scale::Linear, begin, end, kUsualTicks)};
}

// What is told of a trial, or of its difference from the first, ends with its trace.
std::int64_t endOf(const ComparisonInput& input, std::size_t trial)
{
    return std::min(input.trials[trial].endNs.value_or(input.window.endNs), input.window.endNs);
}

// Steps: each value holds until the next one.
Polyline stepsOf(const std::vector<MemoryBin>& bins, std::int64_t endNs, const ComparisonInput& input,
    const TimeAxis& time, const SizeUnit& unit, const Look& look)
{
    Polyline line{LineRole::Counter, look, {}};
    for (const MemoryBin& bin : bins) {
        const double x = time.of(std::max(bin.beginNs, input.window.beginNs));
        if (!line.points.empty())
            line.points.push_back({x, line.points.back().y});
        line.points.push_back({x, unit.of(bin.max)});
    }
    if (!line.points.empty())
        line.points.push_back({time.of(endNs), line.points.back().y});
    return line;
}

// From zero to the value, on whichever side it is.
Band areaUnder(const Polyline& line)
{
    Band band{line.look, {}};
    for (std::size_t i = 1; i < line.points.size(); i += 2) // every other point only ends a step
        band.points.push_back(
            {line.points[i - 1].x, std::min(0.0, line.points[i - 1].y), std::max(0.0, line.points[i - 1].y)});
    if (!line.points.empty())
        band.points.push_back(
            {line.points.back().x, std::min(0.0, line.points.back().y), std::max(0.0, line.points.back().y)});
    band.spread = hasHeight(band.points) ? Band::Spread::Shade : Band::Spread::None;
    return band;
}

std::string nameInComparison(const ComparedMemory& trial)
{
    return trial.letter.empty() ? trial.name : trial.letter + "  " + trial.name;
}

std::string comparedName(const ComparedMemory& trial)
{
    const std::string name = nameInComparison(trial);
    return trial.provenance == Provenance::Measured ? name : name + ", " + figures::name(trial.provenance);
}

// What is true of all is said once, so that the names stand in fewer lines.
void addComparedLegend(Figure& figure, const ComparisonInput& input)
{
    const bool areAllAlike = std::ranges::all_of(input.trials, [&](const ComparedMemory& trial) {
        return trial.provenance != Provenance::Measured && trial.provenance == input.trials.front().provenance;
    });
    for (std::size_t i = 0; i < input.trials.size(); ++i) {
        const ComparedMemory& trial = input.trials[i];
        std::string name = areAllAlike ? nameInComparison(trial) : comparedName(trial);
        if (areAllAlike && i + 1 == input.trials.size())
            name += (i == 0 ? ", " : "; all ") + figures::name(trial.provenance);
        figure.legend.push_back({Symbol::Counter, comparedLook(input, i), {}, std::move(name)});
    }
}

Bytes highestPeakOf(const ComparisonInput& input)
{
    Bytes highest = 0;
    for (const ComparedMemory& trial : input.trials)
        highest = std::max(highest, trial.peak.bytes);
    return highest;
}

void addComparedPeak(
    Figure& figure, const ComparisonInput& input, std::size_t trial, const TimeAxis& time, const SizeUnit& unit)
{
    const MemoryPeak& peak = input.trials[trial].peak;
    if (peak.timeNs < input.window.beginNs || peak.timeNs > input.window.endNs)
        return;
    const std::string& letter = input.trials[trial].letter;
    const std::string& phase = input.trials[trial].peakPhase;
    const std::string label =
        (letter.empty() ? "" : letter + ": ") + sizeText(peak.bytes) + (phase.empty() ? "" : ", " + phase);
    figure.marks.push_back(
        {input.trials[trial].id, time.of(peak.timeNs), unit.of(peak.bytes), comparedLook(input, trial), {}, label,
            LabelWish::First, std::nullopt, {"peak of " + comparedName(input.trials[trial]), {label}}});
}

} // namespace

Figure comparisonFigure(const ComparisonInput& input)
{
    Figure figure;
    figure.kind = "comparison";
    figure.title = input.title;
    const TimeAxis time(input.window);
    const SizeUnit unit = axisUnitFor(highestPeakOf(input));
    addTimeAxisOf(figure, input, time);
    const std::vector<double> top{unit.of(highestPeakOf(input)) * kRoomForHighest};
    figure.y = axisFromZero(fmt::format("Allocated ({})", unit.name), top);
    figure.spans = phaseSpans(input.phases, input.window, time);
    addComparedLegend(figure, input);
    figure.table.header = {"Trial", "Peak at", "Phase", fmt::format("Allocated ({})", unit.name)};
    for (std::size_t i = 0; i < input.trials.size(); ++i) {
        const ComparedMemory& trial = input.trials[i];
        figure.table.rows.push_back(
            {comparedName(trial), timeText(trial.peak.timeNs), trial.peakPhase, inUnit(trial.peak.bytes, unit)});
        figure.description +=
            fmt::format("{}{} peaks at {}.", i == 0 ? "" : " ", comparedName(trial), sizeText(trial.peak.bytes));
        if (trial.bins.empty())
            continue;
        figure.lines.push_back(stepsOf(trial.bins, endOf(input, i), input, time, unit, comparedLook(input, i)));
        addComparedPeak(figure, input, i, time, unit);
    }
    if (figure.lines.empty())
        figure.emptyText = "None of these trials has a timeline.";
    return figure;
}

Figure differenceFigure(const ComparisonInput& input)
{
    Figure figure;
    figure.kind = "difference";
    figure.title = input.trials.empty() ? std::string() : "Difference from " + comparedName(input.trials.front());
    const TimeAxis time(input.window);
    addTimeAxisOf(figure, input, time);
    std::vector<std::vector<MemoryBin>> differences;
    Bytes most = 0;
    Bytes least = 0;
    for (std::size_t i = 1; i < input.trials.size(); ++i) {
        const ComparedMemory& trial = input.trials[i];
        differences.push_back(
            trial.difference.empty() ? differenceOf(trial.bins, input.trials.front().bins) : trial.difference);
        for (const MemoryBin& bin : differences.back()) {
            most = std::max(most, bin.max);
            least = std::min(least, bin.max);
        }
    }
    const SizeUnit unit = axisUnitFor(std::max(most, -least));
    const double low = unit.of(least) * kRoomForDifference;
    const double high = std::max(unit.of(most) * kRoomForDifference, low == 0 ? 1.0 : 0.0);
    const std::string letter = input.trials.empty() ? std::string() : input.trials.front().letter;
    figure.y = {fmt::format("More or less {}({})", letter.empty() ? "" : "than " + letter + " ", unit.name),
        Scale::Linear, low, high, niceTicks(Scale::Linear, low, high, 5)};
    figure.references.push_back({Direction::Horizontal, 0, {}});
    figure.table.header = {
        "Trial", fmt::format("Most above ({})", unit.name), fmt::format("Most below ({})", unit.name)};
    for (std::size_t i = 1; i < input.trials.size(); ++i) {
        const auto& bins = differences[i - 1];
        if (bins.empty())
            continue;
        Polyline line =
            stepsOf(bins, std::min(endOf(input, 0), endOf(input, i)), input, time, unit, comparedLook(input, i));
        if (input.trials.size() == 2) // several areas would hide each other
            figure.bands.push_back(areaUnder(line));
        figure.lines.push_back(std::move(line));
        const auto [below, above] = std::ranges::minmax(bins, {}, &MemoryBin::max);
        figure.table.rows.push_back({comparedName(input.trials[i]), signedInUnit(std::max<Bytes>(above.max, 0), unit),
            signedInUnit(std::min<Bytes>(below.max, 0), unit)});
        figure.description += fmt::format("{} holds up to {} more and {} less than {}. ", comparedName(input.trials[i]),
            sizeText(std::max<Bytes>(above.max, 0)), sizeText(-std::min<Bytes>(below.max, 0)),
            input.trials.front().name);
    }
    if (figure.lines.empty())
        figure.emptyText = "The difference is shown where two trials have a timeline.";
    return figure;
}

std::vector<MemoryBin> differenceOf(const std::vector<MemoryBin>& bins, const std::vector<MemoryBin>& first)
{
    std::vector<MemoryBin> result;
    if (bins.empty() || first.empty())
        return result;
    std::size_t own = 0;
    std::size_t other = 0;
    const std::int64_t begin = std::max(bins.front().beginNs, first.front().beginNs);
    while (own < bins.size() || other < first.size()) {
        const bool isOwnNext =
            other == first.size() || (own < bins.size() && bins[own].beginNs <= first[other].beginNs);
        const std::int64_t at = isOwnNext ? bins[own].beginNs : first[other].beginNs;
        while (own < bins.size() && bins[own].beginNs <= at)
            ++own;
        while (other < first.size() && first[other].beginNs <= at)
            ++other;
        if (at < begin || own == 0 || other == 0)
            continue;
        const Bytes difference = bins[own - 1].max - first[other - 1].max;
        if (result.empty() || result.back().max != difference)
            result.push_back({at, difference, difference});
    }
    return result;
}

} // namespace headroom::figures
