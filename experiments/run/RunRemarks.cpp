// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RunRemarks.h"

#include "core/base/Wording.h"
#include "core/protocol/AllocatorVariables.h"
#include "experiments/sweep/AllocatorSetting.h"
#include "profiling/store/FilePlace.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

std::string remarkOnResume(std::size_t keptRepeats)
{
    if (keptRepeats == 0)
        return "nothing to resume: a new run";
    return "resuming: " + counted(static_cast<std::int64_t>(keptRepeats), "finished repeat")
        + (keptRepeats == 1 ? " is kept" : " are kept");
}

std::string remarkOnPlace(const std::filesystem::path& workspace)
{
    const std::string caution = store::placeOf(workspace).caution();
    return caution.empty() ? caution : "the workspace " + workspace.string() + ": " + caution;
}

// On the processor the variable means nothing.
std::string remarkOnAllocator(std::span<const PlannedTrial> trials)
{
    const auto follows = [](const PlannedTrial& planned) { return hasAllocatorSettings(planned.trial.device); };
    const auto variable = allocatorVariable();
    if (!variable || std::ranges::none_of(trials, follows))
        return {};
    return variable->first
        + " is set and has no effect on trials, measured or simulated: device.allocator says what their allocator "
          "follows";
}

} // namespace

std::vector<std::string> remarksAtStart(RunMode mode, std::size_t keptRepeats, const std::vector<std::string>& damages,
    const std::filesystem::path& workspace, std::span<const PlannedTrial> trials)
{
    std::vector<std::string> remarks;
    if (mode == RunMode::Resume)
        remarks.push_back(remarkOnResume(keptRepeats));
    for (const std::string& damage : damages)
        remarks.push_back(damage + "; it is run again");
    for (const std::string& remark : {remarkOnPlace(workspace), remarkOnAllocator(trials)})
        if (!remark.empty())
            remarks.push_back(remark);
    return remarks;
}

} // namespace headroom::experiments
