// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/plan/FitRanking.h"
#include "experiments/plan/PlanRules.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::experiments {

struct FitSearchResult {
    enum class End { Found, NothingFits, OutOfSimulations, Cancelled };

    /// Found and NothingFits: the search was completed. Otherwise it was not, whatever it found until then.
    End end = End::NothingFits;
    std::vector<FittingChange> found; ///< `ranked`
    std::size_t simulations = 0;
    std::size_t expectedSimulations = 0; ///< estimate for the complete search
    std::vector<std::string> tried; ///< each setting on its own: "checkpointing every:4", "batch 2"
    std::vector<std::string> failures; ///< distinct reasons for which predictions failed

    bool isComplete() const { return end == End::Found || end == End::NothingFits; }
};

/// How far a search has come.
struct FitProgress {
    std::size_t simulations = 0; ///< done
    std::size_t expectedSimulations = 0; ///< estimate; fewer if something is found early
    std::vector<FittingChange> found; ///< so far, `ranked`; later finds may displace them
};

/// Finds the smallest changes with which a trial is predicted to fit its device.
///
/// Tries one technique's candidates at a time, then two techniques together. If none fits, it tries half the batch
/// alone, with one and with two techniques, then a quarter of the batch and so on; last, three techniques at the
/// original batch. The first of these stages in which something fits ends the search, with everything that fits in that
/// stage. Then, for the changes worth listing, candidates with milder settings are tried with those as well: the
/// mildest that still fits uses the free memory, and is faster. Combinations that cannot work are not simulated.
class FitSearch {
public:
    using Predict = std::function<protocol::RepeatResult(const config::Trial&)>;
    using Fits = std::function<bool(const config::Trial&, const protocol::RepeatResult&)>;
    /// Called before the first simulation and after each one.
    using Progress = std::function<void(const FitProgress&)>;

    static constexpr std::size_t kMostSimulations = 400;

    FitSearch(Predict predict, Fits fits, std::size_t mostSimulations = kMostSimulations);

    void setProgress(Progress progress) { m_progress = std::move(progress); }
    /// Settings that a trainer does not have are not tried.
    void setOffers(Offers offers) { m_offers = std::move(offers); }

    /// If stopped, returns what was found until then. Throws what `predict` throws.
    FitSearchResult run(const config::Trial& trial, std::stop_token stop = {});

private:
    Predict m_predict;
    Fits m_fits;
    std::size_t m_mostSimulations;
    Progress m_progress;
    Offers m_offers;
};

} // namespace headroom::experiments
