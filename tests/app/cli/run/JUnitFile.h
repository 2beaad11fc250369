// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"

#include <string>

namespace headroom::cli {

/// What Python's XML parser reads from a JUnit file (read_junit.py). Throws if it is not XML.
experiments::OrderedJson readJUnit(const std::string& file);

} // namespace headroom::cli
