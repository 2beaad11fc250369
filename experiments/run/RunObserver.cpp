// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RunObserver.h"

namespace headroom::experiments {

void RunObserver::workerSaid(const PlannedTrial& trial, const protocol::WorkerEvent& event)
{
    if (event.kind == protocol::EventKind::Phase)
        phaseStarted(trial, event.phase, event.step);
    if (event.kind == protocol::EventKind::Progress)
        stepFinished(trial, event.step, event.total);
    if (event.kind == protocol::EventKind::Sample)
        sampleTaken(trial, event.step, event.seconds);
}

} // namespace headroom::experiments
