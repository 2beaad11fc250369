// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/Problem.h"
#include "experiments/spec/SpecDocument.h"
#include "experiments/sweep/ImpliedStep.h"
#include "experiments/sweep/Sweep.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::ui {

/// What is wrong with a spec, where.
struct PlanProblem {
    std::string path; ///< "model.dim"; empty where it concerns no single setting
    std::string message; ///< one sentence, with what would be right
    int line = 0; ///< in the text, from 1; 0: unknown
    int column = 0; ///< in the line, from 1; 0: unknown

    bool operator==(const PlanProblem&) const = default;
};

/// A reason with the number of trials it holds for.
struct CountedReason {
    std::string reason;
    std::size_t trials = 0;
};

/// A problem of one setting with what else is chosen, with the number of trials that have it.
struct PlanConflict {
    config::Problem problem;
    std::size_t trials = 0;
};

/// What the closed forms say about one configuration.
struct ModelFacts {
    std::int64_t parameters = 0;
    Bytes weightBytes = 0; ///< in the workload's dtype
    std::string dtype;
    double flopsPerStep = 0;
    std::int64_t tokensPerStep = 0;
};

/// The first point of a part's sweep: what the part is without its axes' other values.
struct PlannedPart {
    std::optional<config::Trial> first; ///< none where a value is wrong
    std::optional<ModelFacts> facts;
    std::optional<experiments::ImpliedStep> impliedStep; ///< why it trains where it does not say what its step is
};

/// What a spec's text comes to. Made in the background, shared by views.
struct Plan {
    std::string text;
    /// The text is TOML; otherwise `document` and all below are empty, but for one problem. Keys that no spec has are
    /// problems, and all others are there.
    bool isReadable = false;
    experiments::SpecDocument document;
    experiments::ExperimentSpec spec;
    std::vector<PlannedPart> parts; ///< one per part of `spec`
    std::vector<experiments::PlannedTrial> trials; ///< empty where there is a problem
    std::vector<PlanProblem> problems;
    std::vector<CountedReason> skipped; ///< the most frequent first
    std::size_t skippedTrials = 0;
    /// By path of the setting ("techniques.casting", "workload.frames"): why it cannot work with what else is chosen,
    /// in some trials or all.
    std::map<std::string, std::vector<PlanConflict>> conflicts;
    std::size_t checkedTrials = 0; ///< that the numbers in `conflicts` refer to

    std::size_t runnableTrials() const { return trials.size() - skippedTrials; }
};

/// `source` names the text in messages. Errors of the spec are problems of the plan; only a stop is thrown.
std::shared_ptr<const Plan> makePlan(const std::string& text, const std::string& source, const std::stop_token& stop);

/// Whether the catalogue has a model of that name or alias.
bool isKnownModel(const std::string& name);

/// Null where the configuration is of no model that there is.
std::optional<ModelFacts> factsOf(const config::Configuration& configuration);

} // namespace headroom::ui
