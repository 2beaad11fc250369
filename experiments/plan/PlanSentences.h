// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/Planner.h"

namespace headroom::experiments {

/// "checkpointing every:4, casting e4m3"; "as it is" without changes. Options in parentheses.
std::string changesText(const std::vector<SettingChange>& changes);

/// Why a neighbour of the answer is not the answer: what its peak consists of where it does not fit, what its time
/// goes to where it is slower, and that it is as fast but less simple. Both were simulated with breakdown and
/// counters; `own` are the settings in which the neighbour differs from the answer.
std::string whyNot(const PlannedChoice& neighbour, const protocol::RepeatResult& result, const PlannedChoice& answer,
    const protocol::RepeatResult& answerResult, const std::vector<SettingChange>& own);

/// Why a combination does not fit, or is too tight: by how much, and what its peak consists of. `changes`: what it is
/// called by; none: "as it is".
std::string whyItDoesNotFit(
    const PlannedChoice& choice, const protocol::RepeatResult& result, const std::vector<SettingChange>& changes);

/// " Of its peak of 20.1 GiB in backward, 9.30 GiB are saved activations." of a result with a breakdown; else empty.
std::string peakOwnerSentence(const protocol::RepeatResult& result, const config::Configuration& configuration);

/// The result in one to three sentences: what to use, what it needs and how fast it is, how certain that is.
std::string sentenceFor(const PlanResult& result);

/// Whether nothing else can be faster by more than predictions are accurate to.
bool isProven(const PlanFindings& findings);

/// "proven: nothing else can be faster", "one that takes up to 3.1 % less time is not excluded".
std::string certaintyText(const PlanFindings& findings);

} // namespace headroom::experiments
