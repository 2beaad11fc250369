// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/workspace/Workspace.h"

#include <cstdint>

namespace headroom::report {

/// Whether two trials of an experiment differ in techniques alone. Told from how they were planned: no result is read,
/// of which there may be tens of thousands.
bool anyTechniqueVaries(store::Workspace& workspace, std::int64_t experiment);

} // namespace headroom::report
