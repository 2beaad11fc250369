// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run/FinishedRun.h"

#include <cstddef>
#include <string>

namespace headroom::cli {

/// Bytes of a step's summary that GitHub shows; a larger one is not shown at all.
inline constexpr std::size_t kSummaryCapacity = 1024 * 1024;

/// The run as Markdown: the verdict, the budgets, the trials that fail it, then all trials folded away. It has at most
/// `capacity` bytes: rows are left out at the end, and a line says how many and where they are. Empty where not even
/// the verdict has room.
std::string summaryPage(const FinishedRun& run, std::size_t capacity = kSummaryCapacity);

} // namespace headroom::cli
