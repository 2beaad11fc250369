// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/trace/TraceReport.h"

namespace headroom::cli {

/// Driver, allocator and device side by side, with every remainder named.
Section witnessSection(const report::TraceWitnesses& witnesses);

/// Null where neither driver nor device was recorded.
experiments::OrderedJson witnessesJson(const std::optional<report::TraceWitnesses>& witnesses);

/// What the allocator's cache holds unused; a sentence where nothing is reserved.
Section unusedSection(const report::TraceAnswer& answer);

/// Null where nothing is reserved.
experiments::OrderedJson unusedJson(const report::TraceAnswer& answer);

} // namespace headroom::cli
