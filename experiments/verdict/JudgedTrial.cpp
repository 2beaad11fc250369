// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/JudgedTrial.h"

#include "core/protocol/Json.h"

#include <unordered_map>
#include <utility>

namespace headroom::experiments {
namespace {

using protocol::Json;

using Settings = std::map<std::string, std::string>;

/// Texts that differ for any two different lists of values. Lists that trials share are put into words once.
class ValueTexts {
public:
    Shared<Settings> of(const Shared<std::vector<TechniqueResult>>& techniques)
    {
        const auto [found, isNew] = m_settings.try_emplace(&*techniques);
        if (isNew) {
            Settings settings;
            for (const TechniqueResult& technique : techniques)
                settings[technique.key] = technique.notation + of(technique.options);
            found->second = std::move(settings);
        }
        return found->second;
    }

    const std::string& of(const Shared<NamedValues>& values)
    {
        const auto [found, isNew] = m_texts.try_emplace(&*values);
        if (isNew) {
            Json list = Json::array();
            for (const auto& [name, value] : values)
                list.push_back({name, protocol::toJson(value)});
            found->second = list.dump();
        }
        return found->second;
    }

private:
    // Of lists that live as long as the results.
    std::unordered_map<const NamedValues*, std::string> m_texts;
    std::unordered_map<const std::vector<TechniqueResult>*, Shared<Settings>> m_settings;
};

std::string surroundingsOf(const TrialResult& result, ValueTexts& texts)
{
    return Json{result.device, result.runtime, protocol::orNull(result.memory.limit), result.model.name,
        texts.of(result.model.overrides), texts.of(result.workload)}
        .dump();
}

std::optional<Interval> intervalOf(const TrialResult& result)
{
    const auto& seconds = result.speed.stepSeconds;
    return result.isPredicted && seconds ? Interval{*seconds, *seconds} : result.speed.stepSeconds95;
}

JudgedTrial judged(const TrialResult& result, std::size_t index, ValueTexts& texts)
{
    JudgedTrial trial;
    trial.result = &result;
    trial.index = index;
    trial.name = "\"" + result.label + "\" (" + result.shortId() + ")";
    trial.surroundings = surroundingsOf(result, texts);
    trial.settings = texts.of(result.techniques);
    trial.peakBytes = result.memory.ownPeak();
    trial.interval = intervalOf(result);
    return trial;
}

} // namespace

std::string JudgedTrial::task() const
{
    std::string text = surroundings;
    for (const auto& [key, setting] : settings)
        if (isTask(key))
            text += "\n" + key + setting;
    return text;
}

std::string JudgedTrial::apartFrom(const std::string& technique) const
{
    std::string text = surroundings;
    for (const auto& [key, setting] : settings)
        if (key != technique)
            text += "\n" + key + setting;
    return text;
}

std::vector<JudgedTrial> completedTrials(const SweepResults& results, Judged which)
{
    ValueTexts texts;
    std::vector<JudgedTrial> trials;
    for (std::size_t index = 0; index < results.size(); ++index)
        if (results[index] && results[index]->hasCompleted() && (which == Judged::All || !results[index]->isPredicted))
            trials.push_back(judged(*results[index], index, texts));
    return trials;
}

} // namespace headroom::experiments
