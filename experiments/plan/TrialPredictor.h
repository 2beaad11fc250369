// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"
#include "experiments/run/WorkerSession.h"
#include "experiments/verdict/FitVerdict.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace headroom::experiments {

/// What a simulation predicts for one trial on one card.
struct TrialPrediction {
    config::Trial trial; ///< as it was simulated
    protocol::RepeatResult result;
    std::optional<protocol::RepeatResult> need; ///< on the card without its limit, if the trial ran out of memory
    FitVerdict verdict;
    std::string remark; ///< what happened to the worker meanwhile; usually empty

    /// The step time; if the trial does not fit, that of the card without its limit. nullopt if unknown.
    std::optional<double> stepSeconds() const;
    /// Whether every simulation was completed by the worker that began it.
    bool isWhole() const;
};

/// Simulates trials in its own resident worker, which is replaced when it dies or hangs. Must be used and ended on one
/// thread: the worker dies with the thread that started it.
class TrialPredictor {
public:
    /// Many times what the largest trial takes: a worker that has not answered by then hangs.
    static constexpr std::chrono::duration<double> kPatience{30};

    explicit TrialPredictor(std::chrono::duration<double> patience = kPatience)
        : m_patience(patience)
    {
    }

    /// The profiles of this installation, read on the first call. Throws FileError if there are none.
    const simulator::ProfileCatalogue& profiles();

    /// The trial must have a simulated device. If it does not fit, it is simulated without the limit too. Once `stop`
    /// is requested, this returns soon with what it has. Throws FileError if the worker or the profiles are missing,
    /// UsageError for an unknown device.
    TrialPrediction predict(const config::Trial& trial, const std::stop_token& stop);

    /// Simulates only on the card itself, which takes half the time if the trial does not fit.
    TrialPrediction predictOnCard(const config::Trial& trial, const std::stop_token& stop);

    /// Simulates only on the card without its limit: what the trial takes in all, whether or not it fits. Without a
    /// verdict.
    TrialPrediction predictUnlimited(const config::Trial& trial, const std::stop_token& stop);

    /// Everything that a record contains; with another aim, only the peaks and the step time, and, where a trace is
    /// written to `spool`, what the peak consists of.
    protocol::RepeatResult simulate(const config::Trial& trial, protocol::SimulationAim aim,
        const std::stop_token& stop, const std::filesystem::path& spool = {});

    /// Ends the worker.
    void end() { m_session.reset(); }

private:
    void requireWorker();
    protocol::RepeatResult simulateOrReplace(
        TrialPrediction& prediction, protocol::SimulationAim aim, const std::stop_token& stop);
    void judge(TrialPrediction& prediction);

    std::chrono::duration<double> m_patience;
    std::optional<simulator::ProfileCatalogue> m_profiles;
    std::unique_ptr<WorkerSession> m_session;
    std::int64_t m_lastId = 0;
};

} // namespace headroom::experiments
