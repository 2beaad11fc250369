// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"

#include <functional>
#include <ostream>
#include <string>

namespace headroom::cli {

/// Visits records in their order, each time the same.
using EachRecord = std::function<void(const std::function<void(const experiments::OrderedJson&)>& visit)>;

/// Visits the elements of an array, which must outlive it.
EachRecord eachOf(const experiments::OrderedJson& records);

/// Writes records as CSV (RFC 4180, lines end with a newline). The columns are the keys of all records in order of
/// first appearance; nested objects are flattened to dotted keys (`memory.peak.reserved_bytes`), lists are JSON text,
/// and what is null or absent is `null`, so that no cell is blank. Cells are those of csvCell. The records are visited
/// twice, as the columns have to be known before the first row, and one of them is in memory at a time.
void writeCsv(const EachRecord& records, std::ostream& out);

} // namespace headroom::cli
