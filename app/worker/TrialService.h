// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/EventWriter.h"
#include "app/worker/RequestQueue.h"
#include "core/confinement/Confinement.h"
#include "profiling/measurement/TrialMeasurement.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headroom::worker {

/// Answers requests one after the other until the input ends.
class TrialService {
public:
    /// Queue and writer are borrowed.
    TrialService(RequestQueue& requests, EventWriter& events, confinement::Confinement confinement);

    /// Writes `hello`, serves requests, and returns at the end of input.
    void run();

private:
    void serve(const std::string& line);
    void answer(const protocol::WorkerRequest& request);
    protocol::RepeatResult carriedOut(const protocol::WorkerRequest& request);
    protocol::RepeatResult carriedOutWithinBudget(const protocol::WorkerRequest& request);
    std::optional<protocol::RepeatResult> withoutLimit(
        const protocol::WorkerRequest& request, std::vector<std::string>& diagnostics);
    protocol::RepeatResult measured(const protocol::WorkerRequest& request);
    protocol::RepeatResult measured(const protocol::WorkerRequest& request, collectors::Shortcuts shortcuts);
    protocol::ParityAnswer compared(const protocol::WorkerRequest& request) const;
    std::unique_ptr<collectors::Instruments> instrumentsFor(const protocol::WorkerRequest& request);
    void openGpu(const config::Trial& trial, const std::function<void(int index)>& open) const;
    const simulator::ProfileCatalogue& profiles();

    RequestQueue& m_requests;
    EventWriter& m_events;
    confinement::Confinement m_confinement;
    std::optional<simulator::ProfileCatalogue> m_profiles;
    std::set<std::string> m_withoutShortcut; ///< models with their techniques
};

} // namespace headroom::worker
