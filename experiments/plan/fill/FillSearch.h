// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/TrialPredictor.h"
#include "experiments/plan/fill/EdgeSearch.h"
#include "experiments/plan/fill/WorkloadAxis.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A combination of settings whose device is to be filled along an axis.
struct FillTask {
    config::Trial trial; ///< its value of the axis is where the search begins
    WorkloadAxis axis;
};

/// The largest value of the axis with which a combination fits.
struct FilledTrial {
    enum class End {
        Found,
        NothingFits,
        LargestFits,
        Unaffected,
        CannotWork, ///< with no value of the axis
        Failed, ///< a prediction failed
        Cancelled,
    };

    End end = End::Cancelled;
    /// With the largest value that fits; if none does, with the least value; else as it was asked for.
    config::Trial trial{};
    std::optional<std::int64_t> value{};
    std::optional<std::int64_t> next{}; ///< the following value, which was simulated and does not fit
    std::size_t simulations = 0;
    std::string reason{}; ///< why it cannot work or failed; else empty
};

/// "batch 12 fits": one answer, as progress is shown.
struct FillProgress {
    std::size_t task = 0; ///< index
    std::int64_t value = 0;
    bool fits = false;
    std::size_t simulations = 0; ///< of all tasks until now
};

/// Finds, for each of several combinations, the largest value of a workload's axis that is predicted to fit.
class FillSearch {
public:
    using Predict = std::function<protocol::RepeatResult(const config::Trial&)>;
    /// Whether a completed trial fits its device.
    using Fits = std::function<bool(const config::Trial&, const protocol::RepeatResult&)>;
    /// What a trial may hold, for guesses.
    using Budget = std::function<Bytes(const config::Trial&)>;
    using Progress = std::function<void(const FillProgress&)>;

    FillSearch(Predict predict, Fits fits, Budget budget);

    void setProgress(Progress progress) { m_progress = std::move(progress); }

    /// One for each task, in order. Throws what `predict` throws. If stopped, the rest is Cancelled.
    std::vector<FilledTrial> run(std::span<const FillTask> tasks, const std::stop_token& stop = {});

private:
    FilledTrial fill(const FillTask& task, std::size_t index, const std::stop_token& stop);

    Predict m_predict;
    Fits m_fits;
    Budget m_budget;
    Progress m_progress;
    std::size_t m_simulations = 0;
};

/// The trial on a device that has only this much memory for everything, the driver's context included; unchanged where
/// the device has less anyway. Throws UsageError at `where` for less than the context takes.
config::Trial withMemory(
    config::Trial trial, Bytes memoryBytes, const simulator::MemoryProfile& card, const std::string& where);

} // namespace headroom::experiments
