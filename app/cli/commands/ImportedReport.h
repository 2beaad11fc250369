// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/ImportedInspection.h"
#include "app/cli/output/Report.h"

namespace headroom::cli {

/// Adds to the report on a model what an archive has besides: blocks, free dimensions, ops without a kernel or a cost
/// rule, refusals and remarks; `imported` of the document.
void addImported(Report& report, const config::ModelDescriptor& model, const ImportedInspection& inspection);

} // namespace headroom::cli
