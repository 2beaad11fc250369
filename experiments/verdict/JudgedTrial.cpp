// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/JudgedTrial.h"

#include "core/protocol/Json.h"

namespace headroom::experiments {
namespace {

using protocol::Json;

// A text that differs for any two different lists of values.
std::string textOf(const NamedValues& values)
{
    Json list = Json::array();
    for (const auto& [name, value] : values)
        list.push_back({name, protocol::toJson(value)});
    return list.dump();
}

std::string surroundingsOf(const TrialResult& result)
{
    return Json{result.device, result.runtime, protocol::orNull(result.memory.limit), result.model.name,
        textOf(result.model.overrides), textOf(result.workload)}
        .dump();
}

std::optional<Interval> intervalOf(const TrialResult& result)
{
    const auto& seconds = result.speed.stepSeconds;
    return result.isPredicted && seconds ? Interval{*seconds, *seconds} : result.speed.stepSeconds95;
}

JudgedTrial judged(const TrialResult& result, std::size_t index)
{
    JudgedTrial trial;
    trial.result = &result;
    trial.index = index;
    trial.name = "\"" + result.label + "\" (" + result.shortId() + ")";
    trial.surroundings = surroundingsOf(result);
    for (const TechniqueResult& technique : result.techniques)
        trial.settings[technique.key] = technique.notation + textOf(technique.options);
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

std::vector<JudgedTrial> completedTrials(const SweepResults& results)
{
    std::vector<JudgedTrial> trials;
    for (std::size_t index = 0; index < results.size(); ++index)
        if (results[index] && results[index]->hasCompleted())
            trials.push_back(judged(*results[index], index));
    return trials;
}

} // namespace headroom::experiments
