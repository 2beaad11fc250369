// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportContent.h"
#include "experiments/verdict/DeviceFit.h"

namespace headroom::report {

/// Whether a report says on which machine and by whom.
enum class Identity { Shown, Removed };

/// Reports draw whole timelines; who draws only a part of one reads that by himself.
enum class Timelines { Read, LeftOut };

/// Reads everything that a report of the experiment says. Throws FileError for what cannot be read.
ReportContent readReport(store::Workspace& workspace, const store::ExperimentRow& experiment,
    experiments::DeviceFit& deviceFit, Identity identity, Timelines timelines = Timelines::Read);

} // namespace headroom::report
