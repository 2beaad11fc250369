// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Catalogue.h"
#include "experiments/plan/FitSearch.h"

#include <algorithm>
#include <string>
#include <vector>

/// What tests of the search share: a trial of twelve blocks, and predictions that are made up.
namespace headroom::experiments::fit_search_test {

using protocol::RepeatResult;

inline constexpr std::int64_t kBlocks = 12;

inline config::Trial trialOf(std::int64_t batch = 1)
{
    config::Trial trial;
    trial.configuration = config::defaultConfiguration("ltx-video-tiny", "test");
    trial.configuration.modelFields["num_layers"] = kBlocks;
    trial.configuration.workload.step = config::StepKind::Train;
    trial.configuration.workload.shapes["batch"] = batch;
    return trial;
}

inline std::string checkpointingOf(const config::Trial& trial)
{
    return trial.configuration.techniques.at("checkpointing").notation;
}

inline std::string splitOf(const config::Trial& trial)
{
    return trial.configuration.techniques.at("split_ffn").notation;
}

inline std::int64_t batchOf(const config::Trial& trial)
{
    return trial.configuration.workload.shapes.at("batch").integer();
}

inline RepeatResult completed(Bytes peak, double seconds)
{
    RepeatResult result;
    result.outcome = Outcome::Completed;
    result.memory.peak.reserved = peak;
    result.stepSeconds = {seconds};
    return result;
}

inline bool isSmall(const config::Trial&, const RepeatResult& result)
{
    return *result.memory.peak.reserved < 100'000;
}

inline std::vector<config::Candidate> candidatesOf(const config::Trial& trial, const std::string& key)
{
    const auto model = config::findModel(trial.configuration.model, "test");
    return config::findTechnique(key, "test")
        .candidates({*model.family, trial.configuration.modelFields, trial.configuration.workload,
            trial.configuration.techniques});
}

inline std::vector<std::string> milderPolicies(const config::Trial& trial)
{
    return candidatesOf(trial, "checkpointing").front().milder;
}

inline RepeatResult withHost(RepeatResult result, Bytes pinned, Bytes pageable)
{
    result.memory.peak.hostPinned = pinned;
    result.memory.peak.hostPageable = pageable;
    return result;
}

inline std::vector<std::string> aftersOf(const FittingChange& change)
{
    std::vector<std::string> afters;
    for (const SettingChange& setting : change.changes)
        afters.push_back(setting.after);
    return afters;
}

} // namespace headroom::experiments::fit_search_test
