// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/CompareReport.h"

#include "app/cli/trace/CompareOverTime.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/comparison/OverTimeWords.h"

#include <fmt/format.h>

namespace headroom::cli {

using experiments::NamedDifference;
using experiments::nameOfPeakPart;
using experiments::OrderedJson;
using experiments::PeakExplanation;
using experiments::ResultComparison;
using experiments::SettingDifference;
using experiments::tellsApart;
using experiments::TrialPair;
using experiments::TrialResult;

namespace {

constexpr std::size_t kMostExplained = 3; ///< pairs
constexpr std::size_t kMostNames = 5; ///< of categories, of modules and of frames each

OrderedJson numberOrNull(const std::optional<Bytes>& bytes)
{
    return bytes ? OrderedJson(*bytes) : OrderedJson(nullptr);
}

OrderedJson sideJson(const TrialResult& result)
{
    return {{"trial_id", result.trialId}, {"label", result.label}, {"outcome", toText(result.outcome)},
        {"predicted", result.isPredicted}};
}

OrderedJson settingsJson(const std::vector<SettingDifference>& settings)
{
    OrderedJson json = OrderedJson::array();
    for (const SettingDifference& setting : settings)
        json.push_back({{"key", setting.key}, {"a", setting.a}, {"b", setting.b}});
    return json;
}

OrderedJson differencesJson(const std::vector<NamedDifference>& differences)
{
    OrderedJson json = OrderedJson::array();
    for (const NamedDifference& one : differences)
        json.push_back({{"name", one.name}, {"a_bytes", one.aBytes}, {"b_bytes", one.bBytes},
            {"difference_bytes", one.difference()}});
    return json;
}

OrderedJson peaksJson(const std::optional<PeakExplanation>& atPeaks)
{
    if (!atPeaks)
        return nullptr;
    return {{"categories", differencesJson(atPeaks->categories)}, {"modules", differencesJson(atPeaks->modules)},
        {"frames", differencesJson(atPeaks->frames)}};
}

OrderedJson pairJson(const TrialPair& pair)
{
    OrderedJson json{{"a", sideJson(pair.a)}, {"b", sideJson(pair.b)}, {"verdict", toText(pair.verdict)}};
    json["peak"] = {{"kind", pair.isReserved ? "reserved" : "allocated"}, {"a_bytes", numberOrNull(pair.peakA)},
        {"b_bytes", numberOrNull(pair.peakB)}, {"difference_bytes", numberOrNull(pair.difference())}};
    json["speed"] = {{"ratio", pair.speedRatio ? OrderedJson(*pair.speedRatio) : OrderedJson(nullptr)},
        {"ci95",
            pair.speedRatio95 ? OrderedJson{pair.speedRatio95->low, pair.speedRatio95->high} : OrderedJson(nullptr)}};
    json["at_peaks"] = peaksJson(pair.atPeaks);
    json["over_time"] = overTimeJson(pair);
    json["settings"] = settingsJson(pair.settings);
    json["text"] = pair.text;
    return json;
}

OrderedJson sidesJson(const std::vector<TrialResult>& results)
{
    OrderedJson json = OrderedJson::array();
    for (const TrialResult& result : results)
        json.push_back(sideJson(result));
    return json;
}

std::string nameOf(const TrialPair& pair)
{
    return pair.a.label == pair.b.label ? pair.a.label : pair.a.label + " / " + pair.b.label;
}

std::string onlyText(const std::vector<TrialResult>& results, const std::string& side)
{
    std::string text;
    for (const TrialResult& result : results)
        text += "only in " + side + ": " + result.shortId() + " " + result.label + "\n";
    return text;
}

void addRows(Table& table, const char* by, const std::vector<NamedDifference>& differences)
{
    for (std::size_t i = 0; i < std::min(differences.size(), kMostNames); ++i) {
        const NamedDifference& one = differences[i];
        table.addRow({by, nameOfPeakPart(by, one.name), sizeText(one.aBytes), sizeText(one.bBytes),
            moreOrLessText(one.difference())});
    }
}

Section explanationSection(const TrialPair& pair)
{
    Table table({{"by"}, {"name"}, {"a", Alignment::Right}, {"b", Alignment::Right}, {"difference", Alignment::Right}});
    addRows(table, "category", pair.atPeaks->categories);
    if (tellsApart(pair.atPeaks->modules))
        addRows(table, "module", pair.atPeaks->modules);
    if (tellsApart(pair.atPeaks->frames))
        addRows(table, "frame", pair.atPeaks->frames);
    return {"At the peaks of " + nameOf(pair), "", std::move(table), ""};
}

Section settingsSection(const std::string& title, const std::vector<SettingDifference>& settings)
{
    Table table({{"what"}, {"a"}, {"b"}});
    for (const SettingDifference& setting : settings)
        table.addRow({setting.key, setting.a, setting.b});
    return {title, "", std::move(table), ""};
}

Table pairTable(const ResultComparison& comparison)
{
    Table table({{"verdict"}, {"trial"}, {"a", Alignment::Right}, {"b", Alignment::Right}, {"what changed"}});
    for (const TrialPair& pair : comparison.pairs)
        table.addRow({inWords(toText(pair.verdict)), nameOf(pair), pair.peakA ? sizeText(*pair.peakA) : "",
            pair.peakB ? sizeText(*pair.peakB) : "", pair.text});
    return table;
}

std::string closingLines(const ResultComparison& comparison, const std::string& a, const std::string& b)
{
    std::string lines = onlyText(comparison.onlyInA, a) + onlyText(comparison.onlyInB, b);
    if (comparison.pairs.empty())
        lines += "Nothing can be told: no trial of one is in the other. Trials are the same where model, workload, "
                 "techniques and device are.\n";
    if (!lines.empty())
        lines.pop_back();
    return lines;
}

// Of the first pairs alone: a table of each would hide what is asked for.
void addExplanations(Report& report, const ResultComparison& comparison)
{
    std::size_t explained = 0;
    for (const TrialPair& pair : comparison.pairs) {
        const bool hasPeaks = pair.atPeaks && !pair.atPeaks->categories.empty();
        if ((!hasPeaks && !pair.overTime) || explained++ >= kMostExplained)
            continue;
        if (pair.overTime)
            report.sections.push_back(overTimeSection(pair, nameOf(pair)));
        if (hasPeaks)
            report.sections.push_back(explanationSection(pair));
    }
}

} // namespace

Report compareReport(const ResultComparison& comparison, const std::vector<SettingDifference>& environment,
    const std::string& a, const std::string& b)
{
    Report report;
    report.document = {{"schema", "headroom.compare/1"}, {"pairs", OrderedJson::array()},
        {"only_in_a", sidesJson(comparison.onlyInA)}, {"only_in_b", sidesJson(comparison.onlyInB)},
        {"environment", settingsJson(environment)}};
    report.sections.push_back({a + " and " + b, "", pairTable(comparison), closingLines(comparison, a, b)});
    for (const TrialPair& pair : comparison.pairs) {
        report.document["pairs"].push_back(pairJson(pair));
        report.records.push_back(report.document["pairs"].back());
    }
    addExplanations(report, comparison);
    if (!environment.empty())
        report.sections.push_back(settingsSection("Where they ran", environment));
    return report;
}

} // namespace headroom::cli
