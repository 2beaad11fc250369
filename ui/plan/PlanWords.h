// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/Planner.h"
#include "ui/plan/PlanInquiry.h"

#include <QString>

#include <optional>

namespace headroom::ui {

/// "ltx-video-13b on sim:rtx4090: train, bfloat16, batch 1, 121 frames of 512 x 768, ..."
QString questionText(const config::Trial& trial);

/// "Best so far: casting e4m3, 0.130 steps/s, needs 15.4 GiB."
QString bestSoFarSentence(const experiments::PlanStatus& status);
/// "42 simulated, 1,204 of 53,120 combinations decided; nothing else ...".
QString progressSentence(const experiments::PlanStatus& status);

/// The answer.
QString answerSentence(const experiments::PlanResult& plan);
/// Whether what the answer is about fits; none where nothing could be predicted.
std::optional<experiments::FitVerdict::Kind> verdictOf(const experiments::PlanResult& plan);
/// How certain the answer is, with how many of how many combinations are decided.
QString certaintySentence(const experiments::PlanResult& plan);

/// "Batch 5 is the largest that fits; 6 does not. It needs 22.2 GiB, 1.10 steps/s, 5.50 samples/s."
QString largestSentence(const LargestFit& fit);

/// "sequence length" for "sequence_length"
QString axisTitle(const std::string& axis);

/// The line that runs the trial.
QString commandOf(const config::Trial& trial);

} // namespace headroom::ui
