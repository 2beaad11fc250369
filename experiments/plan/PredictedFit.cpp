// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PredictedFit.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headroom::experiments {
namespace {

using SearchEnd = FitSearchResult::End;

// A model without a batch has one sample per step.
double samplesPerStep(const config::Trial& trial)
{
    const auto& shapes = trial.configuration.workload.shapes;
    const auto batch = shapes.find("batch");
    return batch == shapes.end() || !batch->second.isInteger() ? 1.0 : static_cast<double>(batch->second.integer());
}

std::string waysFound(const FitSearchResult& result)
{
    return result.found.empty() ? "nothing found"
                                : counted(static_cast<std::int64_t>(result.found.size()), "way") + " found";
}

std::string combinationsOf(const FitSearchResult& result)
{
    return counted(static_cast<std::int64_t>(result.simulations), "combination");
}

std::string nothingFound(const FitSearchResult& result)
{
    if (!result.failures.empty())
        return fmt::format("Nothing found. Predictions failed: {}.", fmt::join(result.failures, "; "));
    if (result.tried.empty())
        return "Nothing found: no technique has a setting that could help here, and the batch cannot be halved.";
    return fmt::format("Nothing found that fits in {}, each of these alone and together: {}.", combinationsOf(result),
        fmt::join(result.tried, ", "));
}

// Changes whose prediction failed may be simpler than those listed.
std::string waysThatFit(const FitSearchResult& result)
{
    std::string text = fmt::format("{} predicted to fit, the simplest first, of {}.",
        counted(static_cast<std::int64_t>(result.found.size()), "way"), combinationsOf(result));
    if (!result.failures.empty())
        text += fmt::format(" There may be more: predictions failed ({}).", fmt::join(result.failures, "; "));
    return text;
}

} // namespace

FitSearchResult searchForFit(TrialPredictor& predictor, const config::Trial& trial, const FitSearch::Progress& progress,
    const std::stop_token& stop, const Offers& offers)
{
    FitVerdict last; // of the last prediction, about which `fits` is asked next
    FitSearch search(
        [&](const config::Trial& tried) {
            TrialPrediction prediction = predictor.predictOnCard(tried, stop);
            last = prediction.verdict;
            return std::move(prediction.result);
        },
        [&](const config::Trial&, const protocol::RepeatResult&) { return last.kind == FitVerdict::Kind::Fits; });
    search.setProgress(progress);
    search.setOffers(offers);
    return search.run(trial, stop);
}

std::optional<double> speedLost(
    const FittingChange& change, const config::Trial& trial, const std::optional<double>& stepSeconds)
{
    if (!change.stepsPerSecond || !stepSeconds)
        return std::nullopt;
    return 1 - *change.stepsPerSecond * *stepSeconds * samplesPerStep(change.trial) / samplesPerStep(trial);
}

std::string speedLostText(const std::optional<double>& lost)
{
    if (!lost)
        return {};
    if (*lost >= kLeastShownChange)
        return percentText(*lost);
    return *lost > -kLeastShownChange ? "none" : "none, " + percentText(-*lost) + " faster";
}

std::string hostMemoryText(const FittingChange& change)
{
    std::string text;
    if (change.hostPinnedBytes > 0)
        text = sizeText(change.hostPinnedBytes) + " pinned";
    if (change.hostPageableBytes > 0)
        text += (text.empty() ? "" : ", ") + sizeText(change.hostPageableBytes) + " pageable";
    return text.empty() ? "none" : text;
}

std::string sentenceFor(const FitSearchResult& result)
{
    switch (result.end) {
    case SearchEnd::Cancelled:
        return fmt::format("Cancelled, search incomplete: {} so far in {} of about {} combinations.", waysFound(result),
            result.simulations, result.expectedSimulations);
    case SearchEnd::OutOfSimulations:
        return fmt::format("Search incomplete: {} in {}, after which it ends; there may be more.", waysFound(result),
            combinationsOf(result));
    case SearchEnd::Found:
        return waysThatFit(result);
    case SearchEnd::NothingFits:
        break;
    }
    return nothingFound(result);
}

} // namespace headroom::experiments
