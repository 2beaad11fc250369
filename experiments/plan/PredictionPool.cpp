// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PredictionPool.h"

#include <algorithm>

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
        const std::scoped_lock lock(m_pool.m_mutex);
        m_pool.m_trials = trials;
        m_pool.m_depth = depth;
        m_pool.m_stop = m_stop.get_token();
        m_pool.m_next = 0;
        m_pool.m_changed.notify_all();
    }

    ~Call()
    {
        std::unique_lock lock(m_pool.m_mutex);
        m_pool.m_next = m_pool.m_trials.size();
        m_stop.request_stop(); // where it ends early
        m_pool.m_changed.wait(lock, [&] { return m_pool.m_running == 0; });
        m_pool.m_answers.clear();
        m_pool.m_trials = {};
        m_pool.m_next = 0;
    }

    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

private:
    PredictionPool& m_pool;
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_passOn;
};

std::size_t PredictionPool::coresOfThisProcess()
{
    return std::max(1U, std::thread::hardware_concurrency()); // glibc counts those that the process may run on
}

PredictionPool::PredictionPool(std::size_t workers, std::chrono::duration<double> patience)
    : m_patience(patience)
{
    for (std::size_t i = 0; i < std::max<std::size_t>(1, workers); ++i)
        m_threads.emplace_back([this](const std::stop_token& end) { work(end); });
}

PredictionPool::~PredictionPool() = default;

std::vector<TrialPrediction> PredictionPool::predictAll(
    std::span<const config::Trial> trials, PredictionDepth depth, const std::stop_token& stop, const OnEach& onEach)
{
    const Call call(*this, trials, depth, stop);
    std::vector<TrialPrediction> predictions;
    for (std::size_t index = 0; index < trials.size(); ++index) {
        Answer answer = waitFor(index);
        if (answer.error)
            std::rethrow_exception(answer.error);
        predictions.push_back(std::move(answer.prediction));
        if (onEach)
            onEach(index, predictions.back());
    }
    return predictions;
}

PredictionPool::Answer PredictionPool::waitFor(std::size_t index)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_answers.contains(index); });
    return std::move(m_answers.extract(index).mapped());
}

// The predictor is made, used and ended on this thread, as its worker dies with the thread that started it.
void PredictionPool::work(const std::stop_token& end)
{
    TrialPredictor predictor(m_patience);
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, end, [&] { return m_next < m_trials.size(); })) {
        const std::size_t index = m_next++;
        ++m_running;
        lock.unlock();
        Answer answer = answerOf(predictor, index);
        lock.lock();
        --m_running;
        m_answers.emplace(index, std::move(answer));
        m_changed.notify_all();
    }
}

PredictionPool::Answer PredictionPool::answerOf(TrialPredictor& predictor, std::size_t index)
{
    const config::Trial& trial = m_trials[index];
    if (m_stop.stop_requested())
        return {cancelledPrediction(trial), nullptr};
    try {
        return {predicted(predictor, trial), nullptr};
    } catch (...) {
        return {{}, std::current_exception()};
    }
}

TrialPrediction PredictionPool::predicted(TrialPredictor& predictor, const config::Trial& trial) const
{
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
