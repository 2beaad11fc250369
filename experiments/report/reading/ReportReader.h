// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/StoredExperiment.h"
#include "experiments/report/ReportContent.h"
#include "experiments/verdict/DeviceFit.h"

namespace headroom::report {

/// Whether a report says on which machine and by whom.
enum class Identity { Shown, Removed };

/// What is read: everything that a report of any format says, or the results alone, without timelines and without the
/// spec that runs them again, which has to be expanded to be sure of it.
enum class Extent { Whole, Results };

/// Reads what a report of the experiment says. Throws FileError for what cannot be read.
ReportContent readReport(store::Workspace& workspace, const store::ExperimentRow& experiment,
    experiments::DeviceFit& deviceFit, Identity identity, Extent extent = Extent::Whole);

} // namespace headroom::report
