// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/explanation/PlanExplanation.h"

#include "core/base/Quantities.h"
#include "experiments/plan/PlanSentences.h"
#include "experiments/plan/TracedPredictions.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::experiments {
namespace {

using protocol::RepeatResult;

const SettingChange* changeOf(const std::vector<SettingChange>& changes, const std::string& path)
{
    const auto found = std::ranges::find(changes, path, &SettingChange::path);
    return found == changes.end() ? nullptr : &*found;
}

RepeatResult inDetail(const config::Trial& trial, std::chrono::duration<double> patience, const std::stop_token& stop)
{
    return tracedPredictions({trial}, 1, patience, stop).front();
}

std::string aboutTheAnswer(const PlanResult& plan, const RepeatResult& result)
{
    return fmt::format("The answer: the fastest {}, with {}.",
               isProven(plan.findings) ? "of all that fit" : "found that fits", changesText(plan.answer->changes))
        + peakOwnerSentence(result, plan.answer->trial.configuration);
}

} // namespace

std::vector<SettingChange> changesBetween(const PlannedChoice& from, const PlannedChoice& to)
{
    std::vector<SettingChange> changes;
    for (const SettingChange& change : to.changes) {
        const SettingChange* before = changeOf(from.changes, change.path);
        const std::string& was = before != nullptr ? before->after : change.before;
        if (was != change.after)
            changes.push_back({change.path, was, change.after});
    }
    for (const SettingChange& change : from.changes)
        if (changeOf(to.changes, change.path) == nullptr)
            changes.push_back({change.path, change.after, change.before});
    return changes;
}

std::string explanationOf(const PlannedChoice& choice, const PlanResult& plan, std::chrono::duration<double> patience,
    const std::stop_token& stop)
{
    if (!plan.answer) {
        const RepeatResult result = inDetail(choice.trial, patience, stop);
        return stop.stop_requested() ? std::string() : whyItDoesNotFit(choice, result, choice.changes);
    }
    for (const PlanReason& reason : plan.reasons)
        if (reason.neighbour.trial == choice.trial)
            return reason.text;
    const RepeatResult answer =
        plan.answerInDetail ? *plan.answerInDetail : inDetail(plan.answer->trial, patience, stop);
    if (choice.trial == plan.answer->trial)
        return stop.stop_requested() ? std::string() : aboutTheAnswer(plan, answer);
    const RepeatResult result = inDetail(choice.trial, patience, stop);
    if (stop.stop_requested())
        return {};
    return whyNot(choice, result, *plan.answer, answer, changesBetween(*plan.answer, choice));
}

} // namespace headroom::experiments
