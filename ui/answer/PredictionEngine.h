// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"
#include "experiments/WorkerSession.h"
#include "profiling/simulator/ProfileCatalogue.h"
#include "ui/answer/Card.h"
#include "ui/answer/Prediction.h"

#include <list>
#include <memory>
#include <stop_token>

namespace headroom::ui {

/// Simulates trials in a resident worker of its own, which is replaced when it dies or hangs. Everything is used and
/// ended on one background thread: the worker dies with the thread that started it.
class PredictionEngine {
public:
    static constexpr std::size_t kRememberedAnswers = 256;

    /// Reads the profiles. Throws FileError where there are none.
    CardList cards();

    /// Starts the worker and has it simulate something small of each model family, as the first time takes longest.
    void warmUp(std::stop_token stop);

    /// The trial has a simulated device. Once `stop` is requested, it returns soon, with whatever it has. Throws
    /// FileError where the worker or the profiles are missing, UsageError for an unknown device.
    Answer predict(const config::Trial& trial, std::stop_token stop);

    /// Ends the worker.
    void end() { m_session.reset(); }

private:
    struct Remembered {
        std::string trialId;
        Answer answer;
    };

    const simulator::ProfileCatalogue& profiles();
    Answer remembered(const std::string& trialId);
    void remember(const std::string& trialId, const Answer& answer);
    void requireWorker();
    protocol::RepeatResult simulate(
        const config::Trial& trial, protocol::SimulationAim aim, const std::stop_token& stop);
    protocol::RepeatResult simulateOrReplace(Prediction& prediction, const std::stop_token& stop);

    std::optional<simulator::ProfileCatalogue> m_profiles;
    std::unique_ptr<experiments::WorkerSession> m_session;
    std::int64_t m_lastId = 0;
    std::list<Remembered> m_answers; ///< the last one used comes first
};

} // namespace headroom::ui
