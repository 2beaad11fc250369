// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/TracedPredictions.h"

#include "experiments/archive/SpoolFiles.h"
#include "experiments/plan/PredictionPool.h"
#include "experiments/run/TraceFolder.h"

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace headroom::experiments {

namespace {

using protocol::RepeatResult;
using Simulate = std::function<RepeatResult(TrialPredictor&, const config::Trial&, const std::filesystem::path& spool)>;

// Each thread has a worker of its own, which writes in one folder.
std::vector<RepeatResult> simulatedAll(const std::vector<config::Trial>& trials, std::size_t workers,
    std::chrono::duration<double> patience, const std::stop_token& stop, const Simulate& simulate)
{
    std::vector<RepeatResult> results(trials.size());
    for (RepeatResult& result : results)
        result.outcome = Outcome::Cancelled;
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            const TraceFolder folder;
            TrialPredictor predictor(patience);
            for (std::size_t i = next++; i < trials.size() && !stop.stop_requested(); i = next++) {
                const SpoolGuard guard(folder.spool());
                results[i] = simulate(predictor, trials[i], folder.spool());
            }
        } catch (...) {
            const std::scoped_lock lock(mutex);
            failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < std::min(std::max<std::size_t>(workers, 1), trials.size()); ++i)
            threads.emplace_back(work);
    }
    if (failure)
        std::rethrow_exception(failure);
    return results;
}

} // namespace

std::vector<RepeatResult> tracedPredictions(const std::vector<config::Trial>& trials, std::size_t workers,
    std::chrono::duration<double> patience, const std::stop_token& stop)
{
    return simulatedAll(trials, workers, patience, stop,
        [&](TrialPredictor& predictor, const config::Trial& trial, const std::filesystem::path& spool) {
            return predictor.simulate(trial, protocol::SimulationAim::Need, stop, spool);
        });
}

std::vector<RepeatResult> recordPredictions(
    const std::vector<config::Trial>& trials, std::chrono::duration<double> patience)
{
    return simulatedAll(trials, coresOfThisProcess(), patience, {},
        [](TrialPredictor& predictor, const config::Trial& trial, const std::filesystem::path&) {
            return predictor.simulate(trial, protocol::SimulationAim::Record, {});
        });
}

} // namespace headroom::experiments
