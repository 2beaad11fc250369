// SPDX-License-Identifier: Apache-2.0
#include "ui/spec/RunEstimate.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/sweep/TrialQueue.h"

namespace headroom::ui {

RunEstimate estimateOf(const Plan& plan, const Durations& durations)
{
    RunEstimate estimate;
    for (const experiments::PlannedTrial& planned : plan.trials) {
        if (!planned.isRunnable())
            continue;
        const bool isSimulated = planned.trial.device.isSimulated();
        const auto known = durations.secondsPerRepeat.find(planned.trialId);
        const int repeats = experiments::repeatsNeeded(planned);
        if (known != durations.secondsPerRepeat.end())
            estimate.seconds += known->second * repeats;
        else if (isSimulated && durations.secondsPerSimulatedTrial)
            estimate.seconds += *durations.secondsPerSimulatedTrial * repeats;
        else
            ++(isSimulated ? estimate.unknownSimulated : estimate.unknownMeasured);
    }
    return estimate;
}

std::string inWords(const RunEstimate& estimate)
{
    std::string text;
    if (estimate.seconds > 0)
        text = roughDurationText(estimate.seconds);
    const auto add = [&](std::size_t trials, const std::string& kind) {
        if (trials > 0)
            text += (text.empty() ? "" : "; ") + counted(static_cast<std::int64_t>(trials), kind + " trial")
                + " of unknown length";
    };
    add(estimate.unknownMeasured, "measured");
    add(estimate.unknownSimulated, "predicted");
    return text;
}

} // namespace headroom::ui
