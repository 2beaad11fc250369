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
            ++estimate.untimed;
    }
    return estimate;
}

std::string inWords(const RunEstimate& estimate)
{
    if (estimate.seconds <= 0)
        return estimate.untimed > 0 ? "time not known yet" : "";
    const std::string known = roughDurationText(estimate.seconds);
    const std::string untimed = counted(static_cast<std::int64_t>(estimate.untimed), "trial");
    return estimate.untimed == 0 ? known : known + ", not counting " + untimed + " that never ran";
}

} // namespace headroom::ui
