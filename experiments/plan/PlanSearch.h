// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PlanBounds.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace headroom::experiments {

/// What is asked of a space of combinations.
struct PlanQuestion {
    Bytes capacityBytes = 0; ///< most that a combination may need
    double maxSlowdown = 0.05; ///< for the least memory: how much slower than the fastest that fits, as a share
    std::size_t mostPredictions = 400;
};

/// How far a search has come.
struct PlanProgress {
    std::size_t predictions = 0;
    std::size_t considered = 0; ///< combinations that are decided: predicted, or cut off by a bound
    std::size_t combinations = 0;
    std::optional<PlanFigures> best; ///< the fastest that fits so far
    /// How much less time the fastest combination that fits can take than the best so far, as a share of the best's;
    /// nullopt as long as none fits.
    std::optional<double> provenGap = {};
};

/// The answer to a PlanQuestion. Points are of the space that was searched.
struct PlanFindings {
    /// Exhausted: every combination was decided. OutOfEffort: predictions or time were used up before.
    enum class End { Exhausted, OutOfEffort, Cancelled };

    End end = End::Exhausted;
    std::optional<PlanPoint> answer; ///< the fastest that fits; the simplest among equally fast ones
    std::optional<PlanPoint> leastMemory; ///< the one that needs least, within the slowdown
    std::optional<PlanPoint> smallest; ///< of all that were predicted, whether it fits or not, the one that needs least
    std::vector<PlanPoint> front; ///< none is beaten in memory and time by another, the fastest first; all fit
    std::map<PlanPoint, PlanFigures> predicted;
    std::size_t combinations = 0;
    std::size_t considered = 0;
    std::size_t predictions = 0;
    /// How much less time the fastest combination of all that fit can take than the answer, as a share of the answer's;
    /// nullopt without an answer.
    std::optional<double> provenGap;
    /// The largest contradiction of an order of the axes in what was predicted, as a share.
    double memoryDisorder = 0;
    double timeDisorder = 0;
};

/// Finds the fastest combination that fits, the one that needs least memory at nearly its speed, and the front of
/// memory against time, with few predictions.
///
/// Branch and bound: each prediction bounds from below, by the orders of the axes, the memory of all milder and the
/// time of all slower combinations, which are cut off where they cannot win. An estimate learned from the predictions
/// chooses what is predicted next: what seems best, and what would cut off most. Deterministic, as long as the time
/// suffices, and independent of how many predictions run at a time.
class PlanSearch {
public:
    /// Predicts a few combinations, which may be done side by side; nullopt for one that cannot be predicted or cannot
    /// work.
    using Predict = std::function<std::vector<std::optional<PlanFigures>>(const std::vector<PlanPoint>&)>;
    using Progress = std::function<void(const PlanProgress&)>;
    /// The share of the time that may be used up that has passed; asked before each batch of predictions.
    using TimeUsed = std::function<double()>;

    /// Combinations that are predicted at a time.
    static constexpr std::size_t kBatch = 4;

    /// The axes have to outlive the search.
    PlanSearch(const PlanAxes& axes, Predict predict);

    void setProgress(Progress progress) { m_progress = std::move(progress); }
    /// Without it a search takes as long as its predictions.
    void setTimeUsed(TimeUsed timeUsed) { m_timeUsed = std::move(timeUsed); }

    /// If stopped, returns what was found until then. Throws what `predict` throws.
    PlanFindings run(const PlanQuestion& question, std::stop_token stop = {});

private:
    const PlanAxes& m_axes;
    Predict m_predict;
    Progress m_progress;
    TimeUsed m_timeUsed;
};

} // namespace headroom::experiments
