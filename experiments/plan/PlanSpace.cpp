// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanSpace.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/SettingSuggestion.h"
#include "core/config/techniques/CheckpointNotation.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headroom::experiments {
namespace {

using config::TechniqueDescriptor;
using config::TechniqueSetting;

// Axes whose settings are so many that no pair of theirs is tried: what excludes one excludes it with any.
constexpr std::size_t kManySettings = 64;

constexpr Bytes kSomeBudget = 1LL << 30;

// With offload where the policy that it takes the place of has it.
std::string budgetNotation(Bytes size, const std::string& policy)
{
    config::CheckpointPolicy budget{.kind = config::CheckpointPolicy::Kind::Budget};
    budget.budget = size;
    budget.offload = config::parseCheckpointing(policy, "checkpointing").offload;
    return toText(budget);
}

config::ValueMap withoutUnset(config::ValueMap options)
{
    std::erase_if(options, [](const auto& option) { return option.second.isNull(); });
    return options;
}

// The options of before, those of the range's setting over them, as a run with these flags would have it.
TechniqueSetting settingFor(
    const TechniqueDescriptor& technique, const TechniqueSetting& before, const config::RangeSetting& setting)
{
    config::ValueMap options = setting.effort > 0 || technique.offOptions == config::OffOptions::Kept
        ? withoutUnset(before.options)
        : config::ValueMap{};
    for (const auto& [name, value] : setting.options)
        options[name] = value;
    return config::makeSetting(technique, setting.notation, options, technique.key);
}

std::vector<SettingChange> changesBetween(
    const TechniqueDescriptor& technique, const TechniqueSetting& before, const TechniqueSetting& after)
{
    const std::string path = "techniques." + technique.key;
    std::vector<SettingChange> changes;
    if (before.notation != after.notation)
        changes.push_back({path, before.notation, after.notation});
    if (after.notation == technique.off && technique.offOptions == config::OffOptions::Dropped)
        return changes;
    for (const config::Field& option : technique.options.all()) {
        const config::Value old = optionOf(technique, before, option.name);
        if (const config::Value value = optionOf(technique, after, option.name); !(old == value))
            changes.push_back({path + "." + option.name, old.isNull() ? "" : config::toLabel(old),
                value.isNull() ? "" : config::toLabel(value)});
    }
    return changes;
}

std::vector<std::int64_t> divisorsOf(std::int64_t number)
{
    std::vector<std::int64_t> divisors;
    for (std::int64_t divisor = 1; divisor <= number; ++divisor)
        if (number % divisor == 0)
            divisors.push_back(divisor);
    return divisors;
}

} // namespace

PlanSpace::PlanSpace(const config::Trial& trial, const PlanRules& rules)
    : m_trial(trial)
    , m_plain(trial)
    , m_offers(rules.offers)
{
    requireSound(rules, trial);
    for (const TechniqueDescriptor& technique : config::techniqueCatalogue())
        if (technique.range && !rules.kept.contains(technique.key) && technique.role == config::TechniqueRole::Lever)
            m_plain.configuration.techniques.at(technique.key) =
                config::makeSetting(technique, technique.off, {}, technique.key);
    for (const TechniqueDescriptor& technique : config::techniqueCatalogue())
        addTechnique(technique, rules);
    addBatch(rules);
    findBudgetAxis(rules);
    addGuards();
    addExclusions();
}

config::Trial PlanSpace::alone(const TechniqueDescriptor& technique, const TechniqueSetting& setting) const
{
    config::Trial trial = m_plain;
    trial.configuration.techniques.at(technique.key) = setting;
    return trial;
}

bool PlanSpace::canWork(const TechniqueDescriptor& technique, const TechniqueSetting& setting) const
{
    return config::problemsOf(alone(technique, setting)).empty();
}

// What the trial has stays.
bool PlanSpace::isOffered(const TechniqueDescriptor& technique, const TechniqueSetting& setting) const
{
    return !m_offers || setting == m_trial.configuration.techniques.at(technique.key)
        || m_offers(alone(technique, setting), technique.key);
}

void PlanSpace::addSetting(
    PlanAxis& axis, Apply& settings, const TechniqueDescriptor& technique, const config::RangeSetting& setting) const
{
    const TechniqueSetting& before = m_trial.configuration.techniques.at(technique.key);
    settings.push_back(settingFor(technique, before, setting));
    axis.settings.push_back(
        {changesBetween(technique, before, settings.back()), setting.effort, setting.kind, setting.extent});
}

// What changes the task is considered only where it is allowed: with it nothing is known of any order.
void PlanSpace::addAllowed(
    PlanAxis& axis, Apply& settings, const TechniqueDescriptor& technique, const PlanRules& rules)
{
    for (const auto& [path, values] : rules.allowed) {
        const auto [key, option] = splitRulePath(path);
        if (key != technique.key)
            continue;
        const Apply present = settings.empty() ? Apply{m_trial.configuration.techniques.at(technique.key)} : settings;
        for (const std::string& value : values)
            for (const TechniqueSetting& setting : present) {
                if (option.empty() && &setting != &present.front())
                    continue;
                config::RangeSetting added{option.empty()
                        ? config::notationMeant(technique, value, {}, m_trial.device.kind, "--allow")
                        : setting.notation,
                    setting.options, 1};
                added.options = withoutUnset(added.options);
                if (!option.empty())
                    added.options[option] = config::Value(value);
                added.kind = added.notation + "|" + value;
                const TechniqueSetting made =
                    settingFor(technique, m_trial.configuration.techniques.at(technique.key), added);
                if (std::ranges::find(settings, made) != settings.end() || !canWork(technique, made))
                    continue;
                if (isOffered(technique, made))
                    addSetting(axis, settings, technique, added);
                else
                    m_notOffered.push_back(config::settingLabel(technique, made));
            }
    }
}

void PlanSpace::addTechnique(const TechniqueDescriptor& technique, const PlanRules& rules)
{
    const config::Configuration& configuration = m_trial.configuration;
    const TechniqueSetting& present = configuration.techniques.at(technique.key);
    PlanAxis axis{.key = technique.key};
    Apply settings;
    config::TechniqueRange range;
    if (technique.range && !rules.kept.contains(technique.key)) {
        const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
        range = technique.range(
            {*model.family, configuration.modelFields, configuration.workload, configuration.techniques});
    }
    std::map<std::size_t, std::size_t> places; // of the range's settings
    for (std::size_t i = 0; i < range.settings.size(); ++i) {
        const TechniqueSetting made = settingFor(technique, present, range.settings[i]);
        if (isForbidden(rules, technique, made) || !canWork(technique, made)
            || std::ranges::find(settings, made) != settings.end())
            continue;
        if (!isOffered(technique, made)) {
            m_notOffered.push_back(config::settingLabel(technique, made));
            continue;
        }
        places[i] = settings.size();
        addSetting(axis, settings, technique, range.settings[i]);
    }
    if (!rules.kept.contains(technique.key))
        addAllowed(axis, settings, technique, rules);
    const bool mayStay = rules.kept.contains(technique.key) || !isForbidden(rules, technique, present);
    if (const auto found = std::ranges::find(settings, present); found != settings.end())
        axis.start = static_cast<std::size_t>(found - settings.begin());
    else if (mayStay) {
        axis.start = settings.size();
        const bool isOff = !config::isChosen(technique, present);
        settings.push_back(present);
        axis.settings.push_back({{}, isOff ? 0 : 1, "given", 0});
    }
    if (settings.empty())
        throw UsageError("no setting of " + technique.key + " is left that works", "--forbid", "fewer of its settings");
    axis.memory = SettingOrder(settings.size());
    axis.time = SettingOrder(settings.size());
    const auto addPairs = [&](const std::vector<config::TechniqueRange::Pair>& pairs, SettingOrder& order) {
        for (const auto& [lower, higher] : pairs)
            if (places.contains(lower) && places.contains(higher))
                order.add(places.at(lower), places.at(higher));
    };
    addPairs(range.lessMemory, axis.memory);
    addPairs(range.lessTime, axis.time);
    axis.isIndependent = range.isIndependent;
    if (!range.timeOrderWithout.empty())
        m_timeGuards.emplace_back(m_axes.axes.size(), range.timeOrderWithout);
    m_axes.axes.push_back(std::move(axis));
    m_settings.push_back(std::move(settings));
}

// Smaller parts of a batch take no less time. They need no more memory as long as both are parts: gradients of the
// parts before are held while the next one runs.
void PlanSpace::addBatch(const PlanRules& rules)
{
    const config::Workload& workload = m_trial.configuration.workload;
    const auto shape = workload.shapes.find("batch");
    const bool isFixed = rules.kept.contains("batch") || rules.forbidden.contains("batch")
        || workload.step != config::StepKind::Train || shape == workload.shapes.end() || !shape->second.isInteger();
    const std::int64_t batch =
        shape != workload.shapes.end() && shape->second.isInteger() ? shape->second.integer() : 1;
    const std::int64_t samples = batch * workload.accumulate;
    PlanAxis axis{.key = "batch"};
    for (const std::int64_t micro : isFixed ? std::vector{batch} : divisorsOf(samples)) {
        const auto parts = static_cast<int>(samples / micro);
        PlanSetting setting{{}, parts > 1 ? 1 : 0, "batch", std::log2(static_cast<double>(micro)) / 4};
        if (micro == batch)
            axis.start = axis.settings.size();
        else
            setting.changes = {{"workload.batch", std::to_string(batch), std::to_string(micro)},
                {"workload.accumulate", std::to_string(workload.accumulate), std::to_string(parts)}};
        axis.settings.push_back(std::move(setting));
        m_batches.emplace_back(micro, parts);
    }
    axis.memory = SettingOrder(axis.settings.size());
    axis.time = SettingOrder(axis.settings.size());
    for (std::size_t small = 0; small < axis.settings.size(); ++small)
        for (std::size_t large = small + 1; large < axis.settings.size(); ++large) {
            axis.time.add(large, small);
            if (m_batches[large].second > 1)
                axis.memory.add(small, large);
        }
    m_axes.axes.push_back(std::move(axis));
    m_settings.emplace_back();
}

void PlanSpace::findBudgetAxis(const PlanRules& rules)
{
    const TechniqueDescriptor& technique = config::findTechnique("checkpointing", "techniques");
    const std::string budget = budgetNotation(kSomeBudget, technique.off);
    const TechniqueSetting some = config::makeSetting(technique, budget, {}, technique.key);
    if (rules.kept.contains(technique.key) || isForbidden(rules, technique, budget) || !canWork(technique, some)
        || !isOffered(technique, some))
        return;
    const auto axis = std::ranges::find(m_axes.axes, technique.key, &PlanAxis::key);
    if (std::ranges::any_of(axis->settings, [](const PlanSetting& setting) { return setting.effort > 0; }))
        m_budgetAxis = static_cast<std::size_t>(axis - m_axes.axes.begin());
}

PlanPoint PlanSpace::withBudget(PlanPoint point, Bytes size)
{
    constexpr int kEffort = 3; // more than that of a policy with a name
    const std::size_t place = m_budgetAxis.value();
    PlanAxis& axis = m_axes.axes[place];
    Apply& settings = m_settings[place];
    const TechniqueDescriptor& technique = config::findTechnique(axis.key, "techniques");
    const config::RangeSetting budget{
        budgetNotation(size, settings[point[place]].notation), {}, kEffort, "budget", static_cast<double>(size)};
    const TechniqueSetting made = settingFor(technique, m_trial.configuration.techniques.at(technique.key), budget);
    const auto known = std::ranges::find(settings, made);
    point[place] = static_cast<std::size_t>(known - settings.begin());
    if (known == settings.end()) {
        addSetting(axis, settings, technique, budget);
        axis.memory.addSetting();
        axis.time.addSetting();
    }
    return point;
}

void PlanSpace::addGuards()
{
    for (const auto& [axis, without] : m_timeGuards)
        for (std::size_t other = 0; other < m_axes.axes.size(); ++other) {
            if (m_axes.axes[other].key != without)
                continue;
            PlanGuard guard{PlanGuard::Of::Time, axis, other, {}};
            const std::string& off = config::findTechnique(without, "techniques").off;
            for (const TechniqueSetting& setting : m_settings[other])
                guard.settings.push_back(setting.notation == off ? 1 : 0);
            m_axes.guards.push_back(std::move(guard));
        }
}

config::Trial PlanSpace::with(std::size_t axis, std::size_t setting, config::Trial trial) const
{
    if (m_settings[axis].empty()) {
        if (const auto& [batch, parts] = m_batches[setting]; m_batches.size() > 1) {
            trial.configuration.workload.shapes["batch"] = config::Value(batch);
            trial.configuration.workload.accumulate = parts;
        }
    } else {
        trial.configuration.techniques.at(m_axes.axes[axis].key) = m_settings[axis][setting];
    }
    return trial;
}

config::Trial PlanSpace::trialOf(const PlanPoint& point) const
{
    config::Trial trial = m_trial;
    for (std::size_t axis = 0; axis < point.size(); ++axis)
        trial = with(axis, point[axis], std::move(trial));
    return trial;
}

std::vector<SettingChange> PlanSpace::differences(std::size_t axis, std::size_t from, std::size_t to) const
{
    if (m_settings[axis].empty())
        return {{"workload.batch", std::to_string(m_batches[from].first), std::to_string(m_batches[to].first)},
            {"workload.accumulate", std::to_string(m_batches[from].second), std::to_string(m_batches[to].second)}};
    return changesBetween(
        config::findTechnique(m_axes.axes[axis].key, "techniques"), m_settings[axis][from], m_settings[axis][to]);
}

void PlanSpace::addExclusions()
{
    const auto isShort = [&](std::size_t axis) {
        const std::size_t settings = m_axes.axes[axis].settings.size();
        return settings > 1 && settings <= kManySettings;
    };
    for (std::size_t a = 0; a < m_axes.axes.size(); ++a)
        for (std::size_t b = a + 1; b < m_axes.axes.size(); ++b)
            for (std::size_t i = 0; isShort(a) && isShort(b) && i < m_axes.axes[a].settings.size(); ++i)
                for (std::size_t j = 0; j < m_axes.axes[b].settings.size(); ++j)
                    if (!config::problemsOf(with(b, j, with(a, i, m_plain))).empty())
                        m_axes.exclusions.push_back({a, i, b, j});
}

} // namespace headroom::experiments
