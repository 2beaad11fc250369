// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::config {

/// Linears of somebody else's model that get adapters if none are named, as ends of dotted paths: for models of
/// transformers those of PEFT (TRANSFORMERS_MODELS_TO_LORA_TARGET_MODULES_MAPPING, 0.21), for models of diffusers those
/// of its training scripts (examples/dreambooth, 0.42), known by the model's class or by the names of its Linears. For
/// other models the ends of all Linears but a head's (lm_head). `modelClass` may be empty.
std::vector<std::string> usualTargets(const std::string& modelClass, const std::vector<std::string>& linears);

} // namespace headroom::config
