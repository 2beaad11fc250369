// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/trace/TraceReport.h"

namespace headroom::cli {

/// What the allocator's cache holds unused; a sentence where nothing is reserved.
Section unusedSection(const report::TraceAnswer& answer);

/// Null where nothing is reserved.
experiments::OrderedJson unusedJson(const report::TraceAnswer& answer);

} // namespace headroom::cli
