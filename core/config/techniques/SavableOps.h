// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::config {

/// Ops whose results op-level checkpointing may keep, by LibTorch's name without "aten::" and overload. None of them
/// writes to its arguments or returns a view of them.
const std::vector<std::string>& savableOps();

/// The ops that are kept by default: those that are expensive to recompute.
const std::vector<std::string>& defaultSavedOps();

} // namespace headroom::config
