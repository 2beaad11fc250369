// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/FitSpace.h"

#include "core/config/catalogue/Catalogue.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

constexpr const char* kBatchShape = "batch";
constexpr std::string_view kTechniquePaths = "techniques.";

std::optional<std::int64_t> batchOf(const config::Configuration& configuration)
{
    const auto batch = configuration.workload.shapes.find(kBatchShape);
    return batch != configuration.workload.shapes.end() && batch->second.isInteger()
        ? std::optional(batch->second.integer())
        : std::nullopt;
}

config::ValueMap withoutNulls(config::ValueMap options)
{
    std::erase_if(options, [](const auto& option) { return option.second.isNull(); });
    return options;
}

// Keeps the technique's options, or uses the defaults if it was off, as a run with this notation would.
void setNotation(config::Configuration& configuration, const std::string& key, const std::string& notation)
{
    config::TechniqueSetting& setting = configuration.techniques.at(key);
    setting =
        config::makeSetting(config::findTechnique(key, "techniques"), notation, withoutNulls(setting.options), key);
}

void applyChange(config::Trial& trial, const SettingChange& change)
{
    if (change.path.starts_with(kTechniquePaths))
        setNotation(trial.configuration, change.path.substr(kTechniquePaths.size()), change.after);
    else
        trial.configuration.workload.shapes[kBatchShape] = config::Value(std::int64_t{std::stoll(change.after)});
}

bool canWork(const FitCombination& combination)
{
    return config::problemsOf(combination.trial).empty();
}

} // namespace

std::string shortText(const SettingChange& change)
{
    return change.path.substr(change.path.find('.') + 1) + " " + change.after;
}

FitSpace::FitSpace(const config::Trial& trial, const Offers& offers)
    : m_trial(trial)
{
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue())
        if (Options options = optionsOf(technique, offers); !options.empty())
            m_techniques.push_back(std::move(options));
}

// The technique's candidates, other than its present setting.
FitSpace::Options FitSpace::optionsOf(const config::TechniqueDescriptor& technique, const Offers& offers) const
{
    Options options;
    if (!technique.candidates)
        return options;
    const config::Configuration& configuration = m_trial.configuration;
    const auto isLacking = [&](const std::string& notation) {
        config::Trial trial = m_trial;
        setNotation(trial.configuration, technique.key, notation);
        return offers && !offers(trial, technique.key);
    };
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    const std::string& before = configuration.techniques.at(technique.key).notation;
    for (config::Candidate& candidate : technique.candidates(
             {*model.family, configuration.modelFields, configuration.workload, configuration.techniques})) {
        std::erase(candidate.milder, before);
        std::erase_if(candidate.milder, isLacking);
        if (candidate.notation != before && !isLacking(candidate.notation))
            options.push_back(
                {{std::string(kTechniquePaths) + technique.key, before, candidate.notation}, std::move(candidate)});
    }
    return options;
}

FitCombination FitSpace::with(const FitCombination& combination, const Option& option) const
{
    FitCombination extended = combination;
    extended.changes.push_back(option.change);
    extended.effort += option.candidate.effort;
    applyChange(extended.trial, option.change);
    return extended;
}

// Adds every extension of `begun` by this number of techniques, from `first` on, in catalogue order.
void FitSpace::extend(
    const FitCombination& begun, std::size_t techniques, std::size_t first, std::vector<FitCombination>& complete) const
{
    if (techniques == 0)
        return complete.push_back(begun);
    for (std::size_t technique = first; technique < m_techniques.size(); ++technique)
        for (const Option& option : m_techniques[technique])
            extend(with(begun, option), techniques - 1, technique + 1, complete);
}

std::vector<FitCombination> FitSpace::combinations(std::size_t techniques, Batch batch) const
{
    std::vector<FitCombination> found;
    extend({{}, m_trial, 0}, techniques, 0, found);
    for (FitCombination& combination : found)
        if (batch) {
            const std::string before = std::to_string(batchOf(m_trial.configuration).value_or(1));
            combination.changes.push_back({std::string("workload.") + kBatchShape, before, std::to_string(*batch)});
            applyChange(combination.trial, combination.changes.back());
        }
    std::erase_if(found, [](const FitCombination& combination) { return !canWork(combination); });
    std::ranges::stable_sort(found, {}, &FitCombination::effort);
    return found;
}

std::optional<FitCombination> FitSpace::replaced(
    const FitCombination& combination, const Option& option, const std::string& notation) const
{
    FitCombination other{combination.changes, m_trial, combination.effort + 1};
    for (SettingChange& change : other.changes) {
        if (change == option.change)
            change.after = notation;
        applyChange(other.trial, change);
    }
    return canWork(other) ? std::optional(other) : std::nullopt;
}

std::vector<std::vector<FitCombination>> FitSpace::milder(const FitCombination& combination) const
{
    std::vector<std::vector<FitCombination>> scales;
    for (const Options& options : m_techniques)
        for (const Option& option : options) {
            if (std::ranges::find(combination.changes, option.change) == combination.changes.end())
                continue;
            std::vector<FitCombination> scale;
            for (const std::string& notation : option.candidate.milder)
                if (auto other = replaced(combination, option, notation))
                    scale.push_back(std::move(*other));
            if (!scale.empty())
                scales.push_back(std::move(scale));
        }
    return scales;
}

std::vector<std::int64_t> FitSpace::smallerBatches() const
{
    std::vector<std::int64_t> batches;
    for (std::int64_t batch = batchOf(m_trial.configuration).value_or(1) / 2; batch >= 1; batch /= 2)
        batches.push_back(batch);
    return batches;
}

} // namespace headroom::experiments
