// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/TrialPredictor.h"
#include "ui/answer/Card.h"
#include "ui/answer/Prediction.h"

#include <chrono>
#include <list>
#include <stop_token>

namespace headroom::ui {

/// Predicts trials (experiments::TrialPredictor) and caches the answers. It is used and ended on one background thread.
class PredictionEngine {
public:
    static constexpr std::size_t kRememberedAnswers = 256;

    /// `patience`: for one simulation.
    explicit PredictionEngine(std::chrono::duration<double> patience = experiments::TrialPredictor::kPatience)
        : m_predictor(patience)
    {
    }

    /// Reads the profiles. Throws FileError if there are none.
    CardList cards();

    /// Starts the worker and simulates something small of each model family, as the first simulation takes longest.
    void warmUp(std::stop_token stop);

    /// The trial must have a simulated device. Once `stop` is requested, this returns soon, with whatever it has.
    /// Throws FileError if the worker or the profiles are missing, UsageError for an unknown device.
    Answer predict(const config::Trial& trial, std::stop_token stop);

    /// Ends the worker.
    void end() { m_predictor.end(); }

    /// The uncached predictor, for many trials whose answers need not be kept.
    experiments::TrialPredictor& predictor() { return m_predictor; }

private:
    struct Remembered {
        std::string trialId;
        Answer answer;
    };

    Answer remembered(const std::string& trialId);
    void remember(const std::string& trialId, const Answer& answer);

    experiments::TrialPredictor m_predictor;
    std::list<Remembered> m_answers; ///< the most recently used first
};

} // namespace headroom::ui
