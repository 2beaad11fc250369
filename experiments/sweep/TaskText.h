// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "experiments/sweep/ImpliedStep.h"
#include "experiments/sweep/Sweep.h"
#include "experiments/sweep/SweepLabels.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What the task of a trial is told from; it must outlive this.
struct TaskFacts {
    const std::string* model = nullptr;
    const config::Workload* workload = nullptr;
    /// Of the techniques that determine what is computed, in the order of the catalogue.
    std::vector<const config::TechniqueSetting*> settings = {};
};
TaskFacts taskFacts(const std::string& model, const config::Workload& workload, const SettingOf& settingOf);

/// What all of the trials do, in one line for people: "train, bfloat16, batch 1, 121 frames of 512 x 768, 6,144 tokens,
/// trainable lora:32, optimizer adamw". What differs among them is left out: their labels tell. Empty for no trials.
std::string taskText(const std::vector<const config::Trial*>& trials);

/// The same with why they train where nobody said so, for the line above a table: "... (train, because --trainable was
/// given; --step inference asks for the other)". `implied` does not count for trials that do something else.
std::string taskLine(const std::vector<const config::Trial*>& trials, const std::optional<ImpliedStep>& implied);
std::string taskLine(const std::vector<PlannedTrial>& trials, const std::optional<ImpliedStep>& implied);
std::string taskLine(const std::vector<TaskFacts>& trials, const std::optional<ImpliedStep>& implied);

} // namespace headroom::experiments
