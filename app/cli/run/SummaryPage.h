// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run/FinishedRun.h"

#include <cstddef>
#include <string>

namespace headroom::cli {

/// The largest step summary, in bytes, that GitHub shows; a larger one is not shown at all.
inline constexpr std::size_t kSummaryCapacity = 1024 * 1024;

/// The run as Markdown: the verdict, the budgets, the trials that make it fail, then all trials in a collapsed section.
/// The page has at most `capacity` bytes: rows at the end are left out, and a line says how many and where to find
/// them. Empty if there is no room even for the verdict.
std::string summaryPage(const FinishedRun& run, std::size_t capacity = kSummaryCapacity);

} // namespace headroom::cli
