// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run/FinishedRun.h"

#include <string>

namespace headroom::cli {

/// The run as JUnit XML: a suite for the experiment, a test case for each trial. A trial that exceeds a budget is a
/// failure; one that failed or timed out, or whose result cannot be used, an error; a skipped one is skipped. Out of
/// memory is none of these unless a budget says so.
std::string junitXml(const FinishedRun& run);

} // namespace headroom::cli
