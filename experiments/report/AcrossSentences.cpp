// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/AcrossSentences.h"

#include "core/base/Quantities.h"
#include "experiments/report/GroupSentences.h"

#include <algorithm>

namespace headroom::report {
namespace {

// A setting in several groups, against references of the same name.
struct Effect {
    std::string setting;
    std::string reference;
    bool isPredicted = false;
    std::vector<double> savedShares; ///< of the reference's peak
    std::vector<double> speedRatios;
    std::size_t cases = 0;
};

Effect& effectOf(std::vector<Effect>& effects, const ReportTrial& trial, const ReportTrial& reference)
{
    const std::string setting = quotedName(trial);
    const std::string against = quotedName(reference);
    for (Effect& effect : effects)
        if (effect.setting == setting && effect.reference == against && effect.isPredicted == trial.isPredicted())
            return effect;
    effects.push_back({setting, against, trial.isPredicted(), {}, {}, 0});
    return effects.back();
}

void add(std::vector<Effect>& effects, const ReportTrial& trial, const ComparisonGroup& group, const Versus& versus)
{
    if (!versus.savedBytes && !versus.speedRatio)
        return;
    Effect& effect = effectOf(effects, trial, *group.reference);
    ++effect.cases;
    const auto before = peakOf(*group.reference, group.figure);
    if (versus.savedBytes && before && *before > 0)
        effect.savedShares.push_back(double(*versus.savedBytes) / double(*before));
    if (versus.speedRatio)
        effect.speedRatios.push_back(*versus.speedRatio);
}

// "30 to 37 %"
std::string range(const std::vector<double>& values)
{
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const std::string low = percentText(*least);
    const std::string high = percentText(*most);
    return low == high ? low : low.substr(0, low.size() - 2) + " to " + high;
}

std::vector<double> negated(std::vector<double> values)
{
    for (double& value : values)
        value = -value;
    return values;
}

// Of those that save here and cost there no range says anything.
std::string effectMemoryClause(const Effect& effect)
{
    const auto isSaving = [](double share) { return share >= 0; };
    const auto saving = std::count_if(effect.savedShares.begin(), effect.savedShares.end(), isSaving);
    if (saving == std::ssize(effect.savedShares))
        return "saves " + range(effect.savedShares) + " of the peak memory";
    if (saving == 0)
        return "needs " + range(negated(effect.savedShares)) + " more peak memory";
    return "saves peak memory in " + std::to_string(saving) + " and needs more in "
        + std::to_string(std::ssize(effect.savedShares) - saving);
}

std::string effectSentence(const Effect& effect)
{
    std::string text =
        effect.setting + " against " + effect.reference + " over " + std::to_string(effect.cases) + " cases: ";
    if (!effect.savedShares.empty())
        text += effectMemoryClause(effect);
    if (!effect.speedRatios.empty())
        text += (effect.savedShares.empty() ? "keeps " : " and keeps ") + range(effect.speedRatios) + " of the speed";
    return text + (effect.isPredicted ? " (predicted)." : ".");
}

} // namespace

std::vector<std::string> acrossSentences(const Comparison& comparison)
{
    std::vector<Effect> effects;
    for (const ComparisonGroup& group : comparison.groups())
        if (group.reference != nullptr)
            for (const ReportTrial* trial : group.trials)
                add(effects, *trial, group, comparison.versus(*trial));
    std::vector<std::string> sentences;
    for (const Effect& effect : effects)
        if (effect.cases > 1)
            sentences.push_back(effectSentence(effect));
    return sentences;
}

} // namespace headroom::report
