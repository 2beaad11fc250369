// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::ui {

/// A memory snapshot as PyTorch writes one, as JSON: a made-up fine-tuning run on a simulated card with 23.4 GiB for
/// segments. Its sequences have changing lengths, each step keeps its hidden states in a list by mistake,
/// each in a part of a large segment, and so it dies of memory although much of what is reserved is free.
std::string dyingRunSnapshot();

} // namespace headroom::ui
