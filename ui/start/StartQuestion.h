// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace headroom::ui {

/// What one asks a plan for.
struct StartQuestion {
    enum class Task { LoRA, Full, Inference };

    std::string model;
    std::string card; ///< the profile's name: "rtx4090"
    Task task = Task::LoRA;
    int rank = 16; ///< of LoRA
    std::map<std::string, std::int64_t> sizes; ///< shapes of the workload, by name
};

/// The spec of the question: training in the dtype of the model's published weights with AdamW, or inference in it.
std::string specOf(const StartQuestion& question);

/// Why the model cannot have these sizes, in one sentence; empty where it can.
std::string problemOf(const StartQuestion& question);

} // namespace headroom::ui
