// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run/FinishedRun.h"

#include <string>

namespace headroom::cli {

/// The run as JUnit XML: a suite for the experiment, a test case for each trial. A trial that exceeds a budget is a
/// failure; one that failed or timed out, or whose result cannot be used, is an error; a skipped one is skipped.
/// Running out of memory is none of these unless a budget makes it so.
std::string junitXml(const FinishedRun& run);

} // namespace headroom::cli
