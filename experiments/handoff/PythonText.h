// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/config/Workload.h"
#include "experiments/handoff/SettingsDraft.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::experiments {

/// "True", "4", "0.5", "\"text\"", "[1, 2]", "None": a value as Python writes it.
std::string pythonText(const config::Value& value);
/// A list of texts: ["to_q", "to_k"].
std::string pythonList(const std::vector<std::string>& texts);
/// The same as a tuple: ("norm",).
std::string pythonTuple(const std::vector<std::string>& texts);
/// "torch.bfloat16"
std::string torchDtype(config::Dtype dtype);

void append(TextLines& lines, const TextLines& more);
/// With four blanks in front of each line that is not empty.
TextLines indented(const TextLines& lines);

} // namespace headroom::experiments
