// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/TrialPredictor.h"

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

namespace headroom::experiments {

/// How much is predicted of a trial.
enum class PredictionDepth {
    Card, ///< on the card itself: TrialPredictor::predictOnCard
    CardAndNeed, ///< and, if it does not fit, what it needs in all: TrialPredictor::predict
    Unlimited, ///< only on the card without its limit; without a verdict
};

/// Predicts many trials at once: a thread with a resident worker for each core, which live until the pool ends, so that
/// the second call finds them started.
///
/// Answers come in the order of the trials, whichever worker was faster. A worker that dies or hangs is replaced, and
/// its trial is tried once more (TrialPredictor). One call at a time.
class PredictionPool {
public:
    /// Called for each trial, in order, on the thread that called predictAll.
    using OnEach = std::function<void(std::size_t index, const TrialPrediction& prediction)>;

    /// As many workers as this process may use cores.
    static std::size_t coresOfThisProcess();

    /// Starts no worker yet: each thread starts its own with its first trial.
    explicit PredictionPool(
        std::size_t workers = coresOfThisProcess(), std::chrono::duration<double> patience = TrialPredictor::kPatience);
    ~PredictionPool();
    PredictionPool(const PredictionPool&) = delete;
    PredictionPool& operator=(const PredictionPool&) = delete;

    std::size_t workers() const { return m_threads.size(); }

    /// One prediction for each trial, in their order. Once `stop` is requested, this returns soon: predictions that are
    /// not there by then have the outcome `cancelled`. Throws what TrialPredictor throws, for the first trial that has
    /// it; and what `onEach` throws. Either way no trial is begun any more, and the pool can be used again.
    std::vector<TrialPrediction> predictAll(std::span<const config::Trial> trials, PredictionDepth depth,
        const std::stop_token& stop = {}, const OnEach& onEach = {});

private:
    struct Answer {
        TrialPrediction prediction;
        std::exception_ptr error;
    };
    class Call;

    void work(const std::stop_token& end);
    Answer answerOf(TrialPredictor& predictor, std::size_t index);
    TrialPrediction predicted(TrialPredictor& predictor, const config::Trial& trial) const;
    Answer waitFor(std::size_t index);

    std::chrono::duration<double> m_patience;
    std::mutex m_mutex; ///< guards what follows, up to the threads
    std::condition_variable_any m_changed;
    std::span<const config::Trial> m_trials; ///< of the call in progress
    PredictionDepth m_depth = PredictionDepth::Card;
    std::stop_token m_stop;
    std::size_t m_next = 0; ///< the next trial to begin
    std::size_t m_running = 0;
    std::map<std::size_t, Answer> m_answers; ///< by index, until the caller has taken them
    std::vector<std::jthread> m_threads; ///< last: they end before the rest goes
};

} // namespace headroom::experiments
