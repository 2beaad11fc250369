// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"
#include "experiments/spec/SpecSettings.h"

namespace headroom::experiments {

/// Gives settings of the workload that are sizes of an exported model's inputs the names of their fields:
/// `workload.input_ids.0` becomes `workload.batch` where that is what it is called. A fixed size that is what the
/// export fixed it to is left out. Throws UsageError for another value of a fixed one, with the line of the export that
/// would free it, and for two values of one size.
void nameSizes(SpecSettings& part, const archive::ExportedModel& model);

} // namespace headroom::experiments
