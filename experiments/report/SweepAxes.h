// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTrial.h"

#include <string>
#include <vector>

namespace headroom::report {

/// A setting in which trials differ, as a column of their table.
struct SweepAxis {
    std::string key; ///< the spec's dotted path: "device.name", "checkpointing", "workload.batch"
    std::string title; ///< its last word that says enough: "device", "checkpointing", "batch"
    std::vector<std::string> values; ///< of the trials; kUnknownCell for a trial without such a setting
};

/// The axes of a sweep, found in its trials, in the order of the spec: device, model, workload, techniques, protocol. A
/// setting that follows from another is no axis: what another model has as its default, what a device's runtime is, an
/// option that the technique's notation names.
std::vector<SweepAxis> sweepAxes(const std::vector<ReportTrial>& trials);

} // namespace headroom::report
