// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"
#include "experiments/run/WorkerSession.h"
#include "experiments/verdict/FitVerdict.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace headroom::experiments {

/// What a simulation says of one trial on one card.
struct TrialPrediction {
    config::Trial trial; ///< as it was simulated
    protocol::RepeatResult result;
    std::optional<protocol::RepeatResult> need; ///< on the card without its limit, where it ran out of memory
    FitVerdict verdict;
    std::string remark; ///< what happened to the worker on the way; mostly empty

    /// Of one step; of the card without its limit where the trial does not fit. Nothing where it is not known.
    std::optional<double> stepSeconds() const;
    /// Every simulation came to its end, with the worker that began it.
    bool isWhole() const;
};

/// Simulates trials in a resident worker of its own, which is replaced when it dies or hangs. Used and ended on one
/// thread: the worker dies with the thread that started it.
class TrialPredictor {
public:
    /// Many times what the largest trial takes: whoever has not answered by then hangs.
    static constexpr std::chrono::duration<double> kPatience{30};

    explicit TrialPredictor(std::chrono::duration<double> patience = kPatience)
        : m_patience(patience)
    {
    }

    /// Of this installation; read when they are first asked for. Throws FileError where there are none.
    const simulator::ProfileCatalogue& profiles();

    /// The trial has a simulated device. What does not fit is simulated without the limit too. Once `stop` is
    /// requested, it returns soon, with whatever it has. Throws FileError where the worker or the profiles are missing,
    /// UsageError for an unknown device.
    TrialPrediction predict(const config::Trial& trial, const std::stop_token& stop);

    /// What the card says of it alone: half the time where it does not fit.
    TrialPrediction predictOnCard(const config::Trial& trial, const std::stop_token& stop);

    /// Everything that a record says of the trial; with the aim Answer its peaks and step time alone.
    protocol::RepeatResult simulate(
        const config::Trial& trial, protocol::SimulationAim aim, const std::stop_token& stop);

    /// Ends the worker.
    void end() { m_session.reset(); }

private:
    void requireWorker();
    protocol::RepeatResult simulateOrReplace(TrialPrediction& prediction, const std::stop_token& stop);
    void judge(TrialPrediction& prediction);

    std::chrono::duration<double> m_patience;
    std::optional<simulator::ProfileCatalogue> m_profiles;
    std::unique_ptr<WorkerSession> m_session;
    std::int64_t m_lastId = 0;
};

} // namespace headroom::experiments
