// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/ChosenTrial.h"

#include "app/cli/run/RunPlan.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using experiments::PlannedTrial;

namespace {

constexpr std::size_t kMostListed = 12;

bool isNamed(const PlannedTrial& planned, const std::string& name)
{
    return planned.trialId.starts_with(name) || planned.label == name || planned.label.ends_with(" " + name);
}

// "a8cae614490e7c94 (checkpointing all), ...": the list of a message.
std::string idsOf(const std::vector<PlannedTrial>& trials)
{
    std::vector<std::string> names;
    for (const PlannedTrial& planned : trials)
        if (names.size() < kMostListed)
            names.push_back(planned.trialId + " (" + planned.label + ")");
    const std::size_t others = trials.size() - names.size();
    return joined(names) + (others == 0 ? "" : fmt::format(" and {} more, which run --dry-run lists", others));
}

} // namespace

PlannedTrial chooseTrialOf(const RunArguments& arguments, const std::string& name)
{
    std::vector<PlannedTrial> trials = planOf(arguments).trials;
    if (name.empty())
        std::erase_if(trials, [&](const PlannedTrial& each) { return trials.size() > 1 && !each.isRunnable(); });
    const std::vector<PlannedTrial> all = trials;
    if (!name.empty())
        std::erase_if(trials, [&](const PlannedTrial& each) { return !isNamed(each, name); });
    if (trials.size() > 1 && name.empty())
        throw UsageError(
            "found " + counted(std::ssize(trials), "trial"), "the spec", "--trial with one of " + idsOf(trials));
    if (trials.size() > 1)
        throw UsageError(
            "found \"" + name + "\", which is " + counted(std::ssize(trials), "trial"), "--trial", idsOf(trials));
    if (trials.empty())
        throw UsageError("found \"" + name + "\", which is no trial of the spec", "--trial", idsOf(all));
    if (!trials.front().isRunnable())
        throw UsageError(
            "the trial cannot work: " + trials.front().skipReason(), "the spec", "settings that work together");
    return trials.front();
}

} // namespace headroom::cli
