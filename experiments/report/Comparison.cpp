// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/Comparison.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/report/Facets.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace headroom::report {
namespace {

std::string keyOf(const ReportTrial& trial)
{
    protocol::Json json = protocol::toJson(trial.planned.whole());
    json.erase("techniques");
    return json.dump() + (trial.source ? std::to_string(trial.source->experiment) : std::string());
}

// Differs for different values.
std::string textOf(const config::ValueMap& values)
{
    std::string text;
    for (const auto& [name, value] : values)
        text += name + "=" + config::toToml(value) + "\n";
    return text;
}

bool isOff(const config::TechniqueDescriptor& technique, const ReportTrial& trial)
{
    return trial.planned.configuration.technique(technique.key).notation == technique.off;
}

bool varies(const config::TechniqueDescriptor& technique, const std::vector<const ReportTrial*>& trials)
{
    const auto settingOf = [&](const ReportTrial* trial) -> const config::TechniqueSetting& {
        return trial->planned.configuration.technique(technique.key);
    };
    return std::any_of(trials.begin(), trials.end(),
        [&](const ReportTrial* trial) { return !(settingOf(trial) == settingOf(trials.front())); });
}

const ReportTrial* referenceOf(const std::vector<const ReportTrial*>& trials)
{
    if (trials.size() < 2)
        return nullptr;
    std::vector<const config::TechniqueDescriptor*> varying;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        if (varies(technique, trials))
            varying.push_back(&technique);
    const auto isReference = [&](const ReportTrial* trial) {
        return std::ranges::all_of(varying, [&](const auto* technique) { return isOff(*technique, *trial); });
    };
    const auto found = std::find_if(trials.begin(), trials.end(), isReference);
    return found == trials.end() ? nullptr : *found;
}

// Groups that have one of these texts in common may share a picture.
std::array<std::string, 3> pictureKeys(const experiments::SharedTrial& trial)
{
    const std::string model = trial.configuration.model + "\n";
    const std::string fields = textOf(trial.configuration.modelFields) + "\n";
    const std::string workload = textOf(config::toValues(trial.configuration.workload));
    const std::string device = trial.device.notation() + "\n";
    return {"any device\n" + model + fields + workload, "any workload\n" + device + model + fields,
        "any fields\n" + device + model + workload};
}

/// Joins groups to panels.
class PanelJoints {
public:
    explicit PanelJoints(std::size_t groups)
        : m_panel(groups)
    {
        std::iota(m_panel.begin(), m_panel.end(), std::size_t{0});
    }

    /// The lowest group of its panel.
    std::size_t rootOf(std::size_t group)
    {
        while (m_panel[group] != group)
            group = m_panel[group] = m_panel[m_panel[group]];
        return group;
    }

    void join(std::size_t a, std::size_t b)
    {
        const auto [low, high] = std::minmax({rootOf(a), rootOf(b)});
        m_panel[high] = low;
    }

private:
    std::vector<std::size_t> m_panel;
};

} // namespace

MemoryFigure commonFigure(const std::vector<const ReportTrial*>& trials)
{
    const bool allReserve = std::all_of(trials.begin(), trials.end(), [](const ReportTrial* trial) {
        return !trial->isCompleted() || trial->result.memory.peak.reserved.has_value();
    });
    return allReserve ? MemoryFigure::Reserved : MemoryFigure::Allocated;
}

std::optional<Bytes> peakOf(const ReportTrial& trial, MemoryFigure figure)
{
    const protocol::MemoryFigures& peak = trial.result.memory.peak;
    return figure == MemoryFigure::Reserved ? peak.reserved : peak.allocated;
}

std::string name(MemoryFigure figure)
{
    return figure == MemoryFigure::Reserved ? "reserved" : "allocated";
}

std::string provenanceMark(const ReportTrial& trial, const Comparison& comparison)
{
    return trial.isMeasured() || !comparison.isMixed() ? "" : " (" + std::string(trial.result.kind()) + ")";
}

Comparison::Comparison(const std::vector<ReportTrial>& trials, const std::set<std::string>& references)
    : m_isMixed(std::ranges::any_of(
          trials, [&](const ReportTrial& trial) { return trial.provenance() != trials.front().provenance(); }))
{
    group(trials, references);
    name();
}

void Comparison::group(const std::vector<ReportTrial>& trials, const std::set<std::string>& references)
{
    std::map<std::string, std::size_t> indices;
    for (const ReportTrial& trial : trials) {
        const auto [found, isNew] = indices.emplace(keyOf(trial), m_groups.size());
        if (isNew)
            m_groups.emplace_back();
        m_groups[found->second].trials.push_back(&trial);
        m_groupOf.emplace(&trial, found->second);
    }
    for (ComparisonGroup& group : m_groups) {
        const auto chosen = std::ranges::find_if(
            group.trials, [&](const ReportTrial* trial) { return references.contains(trial->id()); });
        group.reference = chosen != group.trials.end() && group.trials.size() > 1 ? *chosen : referenceOf(group.trials);
        group.figure = commonFigure(group.trials);
    }
}

// By the first trial of each: within a group only the techniques differ. Of several experiments each is named, and its
// groups are told apart among themselves.
void Comparison::name()
{
    std::map<std::int64_t, std::vector<ComparisonGroup*>> experiments;
    for (ComparisonGroup& group : m_groups)
        experiments[group.trials.front()->source.value_or(TrialSource{}).experiment].push_back(&group);
    for (const auto& [number, groups] : experiments) {
        std::vector<const ReportTrial*> first;
        for (const ComparisonGroup* group : groups)
            first.push_back(group->trials.front());
        const std::vector<std::string> titles = Facets(first, Facets::Of::Circumstances).labels(first);
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const std::string experiment = first[i]->source.value_or(TrialSource{}).title;
            groups[i]->title = experiment + (experiment.empty() || titles[i].empty() ? "" : ", ") + titles[i];
        }
    }
}

bool Comparison::hasSeveralExperiments() const
{
    return std::ranges::any_of(
        m_groups, [](const ComparisonGroup& group) { return group.trials.front()->source.has_value(); });
}

const ComparisonGroup& Comparison::groupOf(const ReportTrial& trial) const
{
    return m_groups[m_groupOf.at(&trial)];
}

Versus Comparison::versus(const ReportTrial& trial) const
{
    const ComparisonGroup& group = groupOf(trial);
    if (group.reference == nullptr || group.reference == &trial || !trial.isCompleted()
        || !group.reference->isCompleted())
        return {};
    Versus versus;
    const auto before = peakOf(*group.reference, group.figure);
    const auto after = peakOf(trial, group.figure);
    if (before && after)
        versus.savedBytes = *before - *after;
    const auto reference = group.reference->stepsPerSecond();
    const auto speed = trial.stepsPerSecond();
    if (reference && speed && *reference > 0)
        versus.speedRatio = *speed / *reference;
    return versus;
}

std::vector<std::vector<std::size_t>> Comparison::panels() const
{
    if (hasSeveralExperiments()) {
        std::vector<std::size_t> all(m_groups.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        return {all};
    }
    PanelJoints joints(m_groups.size());
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        for (const std::string& key : pictureKeys(m_groups[i].trials.front()->planned))
            joints.join(i, first.emplace(key, i).first->second);
    std::map<std::size_t, std::vector<std::size_t>> panels;
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        panels[joints.rootOf(i)].push_back(i);
    std::vector<std::vector<std::size_t>> result;
    for (auto& [root, members] : panels)
        result.push_back(std::move(members));
    return result;
}

} // namespace headroom::report
