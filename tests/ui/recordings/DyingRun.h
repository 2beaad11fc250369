// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <string>

namespace headroom::ui {

/// How large the run and its card are.
struct DyingRunSize {
    Bytes forSegments = static_cast<Bytes>(23.4 * static_cast<double>(kGiB));
    int layers = 28;
};

/// One that tests can read in no time.
inline constexpr DyingRunSize kSmallDyingRun{.forSegments = 1'400 * kMiB, .layers = 2};

/// A memory snapshot as PyTorch writes one, as JSON: a made-up fine-tuning run on a simulated card with so much for
/// segments. Its sequences have changing lengths, each step keeps its hidden states in a list by mistake,
/// each in a part of a large segment, and so it dies of memory although much of what is reserved is free.
std::string dyingRunSnapshot(const DyingRunSize& size = {});

} // namespace headroom::ui
