// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/trace/TraceReport.h"

namespace headroom::cli {

/// Memory as the driver, the allocator and the device report it, side by side, with a name for every remainder.
Section witnessSection(const report::TraceWitnesses& witnesses);

/// Null if neither driver nor device was recorded.
experiments::OrderedJson witnessesJson(const std::optional<report::TraceWitnesses>& witnesses);

/// What the allocator's cache holds unused; a sentence if nothing is reserved.
Section unusedSection(const report::TraceAnswer& answer);

/// Null if nothing is reserved.
experiments::OrderedJson unusedJson(const report::TraceAnswer& answer);

} // namespace headroom::cli
