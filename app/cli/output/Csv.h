// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"

#include <string>

namespace headroom::cli {

/// Records as CSV (RFC 4180, lines end with a newline). The columns are the keys of all records in order of first
/// appearance; nested objects are flattened to dotted keys (`memory.peak.reserved_bytes`), lists are JSON text, and
/// what is null or absent is `null`, so that no cell is blank. Cells are those of csvCell.
std::string csv(const experiments::OrderedJson& records);

} // namespace headroom::cli
