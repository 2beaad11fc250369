// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/FitSearch.h"
#include "experiments/plan/TrialPredictor.h"

#include <stop_token>

namespace headroom::experiments {

/// The smallest changes with which a trial is predicted to fit its card with the margin of FitVerdict::Kind::Fits: what
/// *Make it fit* and `headroom fit` list, with settings that `offers` has alone. Throws what the predictor throws.
FitSearchResult searchForFit(TrialPredictor& predictor, const config::Trial& trial, const FitSearch::Progress& progress,
    const std::stop_token& stop, const Offers& offers = {});

/// The share of a trial's speed, in samples per second, that a change costs; below 0 if it is faster. `stepSeconds` is
/// the trial's step time on a card of the same kind with enough memory. nullopt if one of the speeds is not known.
std::optional<double> speedLost(
    const FittingChange& change, const config::Trial& trial, const std::optional<double>& stepSeconds);

/// "4.0 %", "none", "none, 2.1 % faster"; empty if unknown.
std::string speedLostText(const std::optional<double>& lost);

/// "2.25 GiB pinned, 26.0 GiB pageable", "none"
std::string hostMemoryText(const FittingChange& change);

/// "3 ways fit", "Cancelled, search incomplete: 1 way found so far in 23 of about 60 combinations": how complete a list
/// of results is, in one or two sentences.
std::string sentenceFor(const FitSearchResult& result);

} // namespace headroom::experiments
