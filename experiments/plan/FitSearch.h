// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/plan/FitRanking.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::experiments {

struct FitSearchResult {
    enum class End { Found, NothingFits, OutOfSimulations, Cancelled };

    /// Found and NothingFits: the search came to its end. Else it did not, whatever was found until then.
    End end = End::NothingFits;
    std::vector<FittingChange> found; ///< `ranked`
    std::size_t simulations = 0;
    std::size_t expectedSimulations = 0; ///< about so many it would have been to the end
    std::vector<std::string> tried; ///< each setting on its own: "checkpointing every:4", "batch 2"
    std::vector<std::string> failures; ///< reasons of predictions that failed, each once

    bool isComplete() const { return end == End::Found || end == End::NothingFits; }
};

/// How far a search is.
struct FitProgress {
    std::size_t simulations = 0; ///< done
    std::size_t expectedSimulations = 0; ///< about, at most as far as can be foreseen: a search ends early that finds
    std::vector<FittingChange> found; ///< so far, `ranked`: what comes later may beat it
};

/// Finds the smallest changes with which a trial is predicted to fit its device.
///
/// Looks at one technique's candidates at a time, then at two techniques together; where none does, at half the batch
/// by itself, with one and with two techniques, then at a quarter and so on; last at three techniques at the batch as
/// it is. The first of these that has a fitting change ends the search, with all that fit in it. Of those worth
/// listing, candidates that have milder settings are tried with these, too: the mildest that still fits uses the room
/// that is free, and is faster. Combinations that cannot work are not simulated.
class FitSearch {
public:
    using Predict = std::function<protocol::RepeatResult(const config::Trial&)>;
    using Fits = std::function<bool(const config::Trial&, const protocol::RepeatResult&)>;
    /// Told before the first simulation and after each.
    using Progress = std::function<void(const FitProgress&)>;

    static constexpr std::size_t kMostSimulations = 400;

    FitSearch(Predict predict, Fits fits, std::size_t mostSimulations = kMostSimulations);

    void setProgress(Progress progress) { m_progress = std::move(progress); }

    /// What was found until then, where it is stopped. Throws what `predict` throws.
    FitSearchResult run(const config::Trial& trial, std::stop_token stop = {});

private:
    Predict m_predict;
    Fits m_fits;
    std::size_t m_mostSimulations;
    Progress m_progress;
};

} // namespace headroom::experiments
