// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PredictionPool.h"

#include <algorithm>
#include <memory>

namespace headroom::experiments {
namespace {

TrialPrediction cancelledPrediction(const config::Trial& trial)
{
    TrialPrediction prediction;
    prediction.trial = trial;
    prediction.result.outcome = Outcome::Cancelled;
    prediction.result.reason = "cancelled before it began";
    return prediction;
}

} // namespace

/// The trials of one call, given to the threads; on its end no more are begun, and those that run are waited for.
class PredictionPool::Call {
public:
    Call(
        PredictionPool& pool, std::span<const config::Trial> trials, PredictionDepth depth, const std::stop_token& stop)
        : m_pool(pool)
        , m_passOn(stop, [this] { m_stop.request_stop(); })
    {
        m_pool.m_pool.change([&] {
            m_pool.m_trials = trials;
            m_pool.m_depth = depth;
            m_pool.m_stop = m_stop.get_token();
            m_pool.m_next = 0;
        });
    }

    ~Call()
    {
        m_pool.m_pool.change([this] { m_pool.m_next = m_pool.m_trials.size(); });
        m_stop.request_stop(); // where it ends early
        m_pool.m_pool.drain();
        m_pool.m_pool.change([this] {
            m_pool.m_trials = {};
            m_pool.m_next = 0;
        });
    }

    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

private:
    PredictionPool& m_pool;
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_passOn;
};

PredictionPool::PredictionPool(std::size_t workers, std::chrono::duration<double> patience)
    : m_pool(std::max<std::size_t>(1, workers), *this, [this, patience] {
        const auto predictor = std::make_shared<TrialPredictor>(patience);
        return [this, predictor](std::size_t index) { return predicted(*predictor, index); };
    })
{
}

PredictionPool::~PredictionPool() = default;

std::vector<TrialPrediction> PredictionPool::predictAll(
    std::span<const config::Trial> trials, PredictionDepth depth, const std::stop_token& stop, const OnEach& onEach)
{
    const Call call(*this, trials, depth, stop);
    std::vector<TrialPrediction> predictions;
    while (m_pool.next() != nullptr) {
        predictions.push_back(m_pool.take());
        if (onEach)
            onEach(predictions.size() - 1, predictions.back());
    }
    return predictions;
}

TrialPrediction PredictionPool::predicted(TrialPredictor& predictor, std::size_t index) const
{
    const config::Trial& trial = m_trials[index];
    if (m_stop.stop_requested())
        return cancelledPrediction(trial);
    switch (m_depth) {
    case PredictionDepth::Card:
        return predictor.predictOnCard(trial, m_stop);
    case PredictionDepth::CardAndNeed:
        return predictor.predict(trial, m_stop);
    case PredictionDepth::Unlimited:
        break;
    }
    return predictor.predictUnlimited(trial, m_stop);
}

} // namespace headroom::experiments
