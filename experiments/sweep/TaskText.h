// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "experiments/sweep/ImpliedStep.h"
#include "experiments/sweep/Sweep.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What all of the trials do, in one line for people: "train, bfloat16, batch 1, 121 frames of 512 x 768, 6,144 tokens,
/// trainable lora:32, optimizer adamw". What differs among them is left out: their labels tell. Empty for no trials.
std::string taskText(const std::vector<const config::Trial*>& trials);

/// The same with why they train where nobody said so, for the line above a table: "... (train, because --trainable was
/// given; --step inference asks for the other)". `implied` does not count for trials that do something else.
std::string taskLine(const std::vector<const config::Trial*>& trials, const std::optional<ImpliedStep>& implied);
std::string taskLine(const std::vector<PlannedTrial>& trials, const std::optional<ImpliedStep>& implied);

} // namespace headroom::experiments
