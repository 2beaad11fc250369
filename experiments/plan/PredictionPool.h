// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/TrialPredictor.h"
#include "experiments/run/OrderedPool.h"

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
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
class PredictionPool : private OrderedPool<std::size_t, TrialPrediction>::Source {
public:
    /// Called for each trial, in order, on the thread that called predictAll.
    using OnEach = std::function<void(std::size_t index, const TrialPrediction& prediction)>;

    /// Starts no worker yet: each thread starts its own with its first trial.
    explicit PredictionPool(
        std::size_t workers = coresOfThisProcess(), std::chrono::duration<double> patience = TrialPredictor::kPatience);
    ~PredictionPool() override;
    PredictionPool(const PredictionPool&) = delete;
    PredictionPool& operator=(const PredictionPool&) = delete;

    std::size_t workers() const { return m_pool.threads(); }

    /// One prediction for each trial, in their order. Once `stop` is requested, this returns soon: predictions that are
    /// not there by then have the outcome `cancelled`. Throws what TrialPredictor throws, for the first trial that has
    /// it; and what `onEach` throws. Either way no trial is begun any more, and the pool can be used again.
    std::vector<TrialPrediction> predictAll(std::span<const config::Trial> trials, PredictionDepth depth,
        const std::stop_token& stop = {}, const OnEach& onEach = {});

private:
    class Call;

    bool hasNext() override { return m_next < m_trials.size(); }
    std::size_t next() override { return m_next++; }
    TrialPrediction predicted(TrialPredictor& predictor, std::size_t index) const;

    std::span<const config::Trial> m_trials; ///< of the call in progress; guarded by the pool, as is what follows
    PredictionDepth m_depth = PredictionDepth::Card;
    std::stop_token m_stop;
    std::size_t m_next = 0; ///< the next trial to begin
    OrderedPool<std::size_t, TrialPrediction> m_pool; ///< last: its threads use the rest
};

} // namespace headroom::experiments
