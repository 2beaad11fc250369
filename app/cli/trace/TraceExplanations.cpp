// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/TraceExplanations.h"

#include "app/cli/trace/TraceTable.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headroom::cli {

using experiments::OrderedJson;

namespace {

constexpr std::size_t kMostRows = 12;

// "baseline" and "checkpointing all" for two trials on the same device; the whole labels for others.
std::pair<std::string, std::string> distinctNames(const std::string& one, const std::string& other)
{
    std::size_t common = 0;
    for (std::size_t at = one.find(" | "); at != std::string::npos; at = one.find(" | ", at + 1))
        if (other.compare(0, at + 3, one, 0, at + 3) == 0)
            common = at + 3;
    return {one.substr(common), other.substr(common)};
}

/// Both peaks, this trial's first.
std::pair<experiments::NamedPeak, experiments::NamedPeak> peaksOf(const TraceFindings& findings)
{
    const auto [own, other] = distinctNames(findings.subject.trial.label, findings.against->trial.label);
    return {{own, report::profileOf(findings.answer)}, {other, findings.against->profile}};
}

// This trial's peak minus the other one's, even if the other is higher.
trace::PeakDifference differenceFrom(const TraceFindings& findings)
{
    return trace::differenceOf(report::profileOf(findings.answer), findings.against->profile);
}

Table sharesTable(const trace::PeakDifference& difference, const std::string& own, const std::string& other)
{
    std::vector<std::optional<Bytes>> amounts;
    for (const trace::ShareDifference& share : difference.shares)
        amounts.insert(amounts.end(), {share.higherBytes, share.lowerBytes});
    SizeUnit unit = columnUnitFor({amounts.empty() ? 0 : *std::ranges::max_element(amounts)});
    Table table({{"category"}, {"part of the model"}, {fmt::format("{} ({})", own, unit.name), Alignment::Right},
        {fmt::format("{} ({})", other, unit.name), Alignment::Right},
        {fmt::format("difference ({})", unit.name), Alignment::Right}});
    Bytes left = 0;
    for (std::size_t i = 0; i < difference.shares.size(); ++i) {
        const trace::ShareDifference& share = difference.shares[i];
        if (i >= kMostRows)
            left += share.difference();
        else
            table.addRow({std::string(config::titleOf(share.category)), share.part.empty() ? "(no module)" : share.part,
                inUnit(share.higherBytes, unit), inUnit(share.lowerBytes, unit),
                signedInUnit(share.difference(), unit)});
    }
    if (difference.shares.size() > kMostRows)
        table.addRow(
            {fmt::format("{} more", difference.shares.size() - kMostRows), "", "", "", signedInUnit(left, unit)});
    table.addRow({"all", "", "", "", signedInUnit(difference.total(), unit)});
    return table;
}

std::string heldText(const std::optional<trace::CategoryBytes>& categories, const SizeUnit& unit)
{
    return categories ? inUnit(categories->total(), unit) : "";
}

// The category that differs most, and by how much.
std::string mostOf(const trace::PhaseDifference& phase)
{
    if (!phase.higher || !phase.lower)
        return "";
    config::MemoryCategory largest = config::MemoryCategory::Unknown;
    const auto difference = [&](config::MemoryCategory category) {
        return phase.higher->of(category) - phase.lower->of(category);
    };
    for (const config::MemoryCategory category : config::kMemoryCategories)
        if (std::abs(difference(category)) > std::abs(difference(largest)))
            largest = category;
    const Bytes bytes = difference(largest);
    return bytes == 0 ? "the same" : moreOrLessText(bytes) + " " + midSentence(std::string(config::titleOf(largest)));
}

Table phasesTable(const trace::PeakDifference& difference, const std::string& own, const std::string& other)
{
    std::vector<std::optional<Bytes>> amounts;
    for (const trace::PhaseDifference& phase : difference.phases)
        for (const auto& categories : {phase.higher, phase.lower})
            if (categories)
                amounts.emplace_back(categories->total());
    const SizeUnit unit = columnUnitFor(amounts);
    Table table({{"phase"}, {fmt::format("{} ({})", own, unit.name), Alignment::Right},
        {fmt::format("{} ({})", other, unit.name), Alignment::Right}, {"mostly"}});
    for (const trace::PhaseDifference& phase : difference.phases)
        table.addRow({phase.phase, heldText(phase.higher, unit), heldText(phase.lower, unit), mostOf(phase)});
    return table;
}

OrderedJson peakOrNull(const std::optional<trace::Peak>& peak)
{
    return peak ? OrderedJson(peak->bytes) : OrderedJson();
}

OrderedJson categoriesOrNull(const std::optional<trace::CategoryBytes>& categories)
{
    if (!categories)
        return nullptr;
    OrderedJson json = OrderedJson::object();
    for (const config::MemoryCategory category : config::kMemoryCategories)
        json[std::string(config::toText(category))] = categories->of(category);
    return json;
}

std::vector<std::string> noEffectSentences(const TraceFindings& findings)
{
    const trace::PeakProfile peak = report::profileOf(findings.answer);
    const auto owner = experiments::ownerOf(peak, findings.trial.configuration);
    std::vector<std::string> sentences;
    for (const experiments::TechniqueAtPeak& technique : findings.techniques)
        sentences.push_back(experiments::whyWithoutEffect(peak, owner, technique));
    return sentences;
}

} // namespace

std::vector<Section> comparisonSections(const TraceFindings& findings)
{
    if (!findings.against)
        return {};
    const auto [own, other] = peaksOf(findings);
    const trace::PeakDifference difference = differenceFrom(findings);
    const bool isPredicted = findings.subject.trial.predicted || findings.against->trial.predicted;
    std::vector<Section> sections{{"Against " + findings.against->trial.label,
        experiments::whyAbove(own, other) + (isPredicted ? " (Predicted.)" : ""),
        sharesTable(difference, own.name, other.name), ""}};
    if (findings.against->isFromTrace)
        sections.push_back({"Peaks of the phases", "", phasesTable(difference, own.name, other.name), ""});
    return sections;
}

OrderedJson comparisonJson(const TraceFindings& findings)
{
    if (!findings.against)
        return nullptr;
    const auto [own, other] = peaksOf(findings);
    const trace::PeakDifference difference = differenceFrom(findings);
    OrderedJson json{{"trial_id", findings.against->trial.trialId}, {"label", findings.against->trial.label},
        {"predicted", findings.against->trial.predicted}, {"peak_bytes", other.profile.totalBytes},
        {"phase", other.profile.phase.empty() ? OrderedJson() : OrderedJson(other.profile.phase)},
        {"difference_bytes", difference.total()}, {"text", experiments::whyAbove(own, other)}};
    json["shares"] = OrderedJson::array();
    for (const trace::ShareDifference& share : difference.shares)
        json["shares"].push_back(
            {{"category", config::toText(share.category)}, {"part", share.part}, {"own_bytes", share.higherBytes},
                {"other_bytes", share.lowerBytes}, {"difference_bytes", share.difference()}});
    json["phases"] = OrderedJson::array();
    for (const trace::PhaseDifference& phase : difference.phases)
        json["phases"].push_back({{"phase", phase.phase}, {"own_categories", categoriesOrNull(phase.higher)},
            {"other_categories", categoriesOrNull(phase.lower)}});
    return json;
}

Section techniqueSection(const TraceFindings& findings)
{
    const SizeUnit unit = columnUnitFor({findings.answer.peak.bytes, findings.answer.peak.bytes / 100});
    Table table({{"technique"}, {"set to"}, {fmt::format("holds here ({})", unit.name), Alignment::Right},
        {fmt::format("highest while it allocates ({})", unit.name), Alignment::Right},
        {fmt::format("below the peak ({})", unit.name), Alignment::Right}});
    for (const experiments::TechniqueAtPeak& technique : findings.techniques) {
        const auto& highest = technique.region.ownHighest;
        table.addRow({technique.key, technique.notation, inUnit(technique.heldBytes, unit),
            highest ? inUnit(highest->bytes, unit) : "", inUnit(technique.belowPeakBytes, unit)});
    }
    std::string after;
    if (findings.noEffect)
        after = fmt::format("No effect: {}.\n{}", *findings.noEffect, fmt::join(noEffectSentences(findings), "\n"));
    return {"Techniques and the peak", "", table, after};
}

OrderedJson techniquesJson(const TraceFindings& findings)
{
    OrderedJson list = OrderedJson::array();
    for (const experiments::TechniqueAtPeak& technique : findings.techniques)
        list.push_back({{"technique", technique.key}, {"notation", technique.notation},
            {"held_bytes", technique.heldBytes}, {"highest_own_bytes", peakOrNull(technique.region.ownHighest)},
            {"highest_in_modules_bytes", peakOrNull(technique.region.moduleHighest)},
            {"below_peak_bytes", technique.belowPeakBytes ? OrderedJson(*technique.belowPeakBytes) : OrderedJson()}});
    return list;
}

OrderedJson ownerJson(const TraceFindings& findings)
{
    const auto owner = experiments::ownerOf(report::profileOf(findings.answer), findings.trial.configuration);
    if (!owner)
        return nullptr;
    OrderedJson json{{"category", config::toText(owner->share.category)}, {"part", owner->share.part},
        {"total_bytes", owner->share.higherBytes}};
    json["relieved_by"] = OrderedJson::array();
    for (const config::Relief& relief : owner->reliefs)
        json["relieved_by"].push_back({{"technique", relief.technique}, {"notations", relief.notations}});
    return json;
}

OrderedJson noEffectJson(const TraceFindings& findings)
{
    return findings.noEffect ? OrderedJson(noEffectSentences(findings)) : OrderedJson();
}

} // namespace headroom::cli
