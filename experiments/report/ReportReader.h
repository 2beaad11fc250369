// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/DeviceFit.h"
#include "experiments/report/ReportContent.h"

namespace headroom::report {

/// Whether a report says on which machine and by whom.
enum class Identity { Shown, Removed };

/// Reads everything that a report of the experiment says. Throws FileError for what cannot be read.
ReportContent readReport(store::Workspace& workspace, const store::ExperimentRow& experiment,
    experiments::DeviceFit& deviceFit, Identity identity);

} // namespace headroom::report
