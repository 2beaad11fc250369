// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/Planner.h"
#include "ui/plan/PlanInquiry.h"

#include <QString>

namespace headroom::ui {

/// "ltx-video-13b on sim:rtx4090: train, bfloat16, batch 1, 121 frames of 512 x 768, ..."
QString questionText(const config::Trial& trial);

/// "42 simulated, 1,204 of 53,120 combinations decided. Best so far: casting e4m3, needs ...; nothing else ...".
QString progressSentence(const experiments::PlanStatus& status);

/// The answer, and how certain it is.
QString answerSentence(const experiments::PlanResult& plan);

/// "Batch 5 is the largest that fits; 6 does not. It needs 22.2 GiB, 1.10 samples/s ..."
QString largestSentence(const LargestFit& fit);

/// "sequence length" for "sequence_length"
QString axisTitle(const std::string& axis);

/// The line that runs the trial.
QString commandOf(const config::Trial& trial);

} // namespace headroom::ui
