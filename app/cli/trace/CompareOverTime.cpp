// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/CompareOverTime.h"

#include "experiments/comparison/OverTimeWords.h"
#include "experiments/comparison/PairsOverTime.h"

#include <algorithm>

namespace headroom::cli {

using experiments::DifferenceMoment;
using experiments::DifferenceOverTime;
using experiments::DifferencePart;
using experiments::DifferenceStretch;
using experiments::OrderedJson;

namespace {

constexpr std::size_t kMostParts = 8;
constexpr double kSecond = 1e9; // in nanoseconds

double seconds(std::int64_t ns)
{
    return static_cast<double>(ns) / kSecond;
}

OrderedJson shareOrNull(std::int64_t ns, const DifferenceOverTime& overTime)
{
    const std::int64_t wholeNs = overTime.whole.lengthNs;
    return wholeNs == 0 ? OrderedJson(nullptr) : OrderedJson(seconds(ns) / seconds(wholeNs));
}

OrderedJson momentJson(const DifferenceOverTime& overTime, const std::optional<DifferenceMoment>& moment)
{
    if (!moment)
        return nullptr;
    const trace::PhaseSpan* const phase = trace::phaseAt(overTime.phases, moment->aNs);
    return {{"difference_bytes", moment->difference()}, {"a_bytes", moment->aBytes}, {"b_bytes", moment->bBytes},
        {"a_seconds", seconds(moment->aNs)}, {"b_seconds", seconds(moment->bNs)},
        {"phase", phase == nullptr ? OrderedJson(nullptr) : OrderedJson(phase->name)},
        {"step", phase == nullptr || phase->step < 0 ? OrderedJson(nullptr) : OrderedJson(phase->step)}};
}

OrderedJson partJson(const DifferencePart& part)
{
    return {{"name", part.name}, {"seconds", seconds(part.lengthNs)}, {"average_bytes", part.average()},
        {"most_bytes", part.most ? part.most->difference() : 0},
        {"least_bytes", part.least ? part.least->difference() : 0}};
}

OrderedJson mostOf(const std::optional<figures::MemoryBin>& bin)
{
    return bin ? OrderedJson(bin->max) : OrderedJson(nullptr);
}

OrderedJson leastOf(const std::optional<figures::MemoryBin>& bin)
{
    return bin ? OrderedJson(bin->min) : OrderedJson(nullptr);
}

std::string overTimeWords(const DifferenceOverTime& overTime)
{
    return experiments::overTimeSentence(overTime, "A", "B") + " " + experiments::alignmentSentence(overTime.alignment);
}

OrderedJson pointJson(const DifferenceStretch& stretch)
{
    return {{"seconds", seconds(stretch.window.beginNs)}, {"a_bytes", mostOf(stretch.a)},
        {"b_bytes", mostOf(stretch.b)}, {"most_bytes", mostOf(stretch.difference)},
        {"least_bytes", leastOf(stretch.difference)}};
}

} // namespace

OrderedJson overTimeJson(const experiments::TrialPair& pair)
{
    if (!pair.overTime)
        return nullptr;
    const DifferenceOverTime& overTime = *pair.overTime;
    OrderedJson json{{"aligned_by", experiments::toText(overTime.alignment)},
        {"seconds", seconds(overTime.whole.lengthNs)}, {"above_share", shareOrNull(overTime.aboveNs, overTime)},
        {"below_share", shareOrNull(overTime.belowNs, overTime)}, {"average_bytes", overTime.whole.average()},
        {"most", momentJson(overTime, overTime.whole.most)}, {"least", momentJson(overTime, overTime.whole.least)},
        {"parts", OrderedJson::array()}, {"points", OrderedJson::array()}};
    for (const DifferencePart& part : overTime.parts)
        json["parts"].push_back(partJson(part));
    for (const DifferenceStretch& stretch : overTime.stretches)
        json["points"].push_back(pointJson(stretch));
    return json;
}

Section overTimeSection(const experiments::TrialPair& pair, const std::string& name)
{
    const DifferenceOverTime& overTime = *pair.overTime;
    if (overTime.aboveNs + overTime.belowNs == 0)
        return {"Over time, " + name, overTimeWords(overTime), Table(), ""};
    Table table(
        {{"part"}, {"lasts", Alignment::Right}, {"on average", Alignment::Right}, {"most above A"}, {"most below A"}});
    const auto addRow = [&](const DifferencePart& part) {
        std::vector<std::string> row;
        for (const report::ReportCell& cell : experiments::cellsOfPart(overTime, part))
            row.push_back(cell.text);
        table.addRow(std::move(row));
    };
    addRow(overTime.whole);
    for (const DifferencePart* part : experiments::notableParts(overTime, kMostParts))
        addRow(*part);
    return {"Over time, " + name, overTimeWords(overTime), std::move(table), ""};
}

} // namespace headroom::cli
