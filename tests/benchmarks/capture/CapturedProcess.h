// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/catalogue/Configuration.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::capture_cost {

/// What a worker captures of a trial.
enum class Capture {
    None, ///< no spool
    Allocator, ///< LibTorch's allocator alone: CUPTI is told that another tool has the process
    Memory, ///< also memory of the driver and transfers: what --trace records
    Kernels ///< also kernels: --trace-kernels
};

/// "none", "allocator", "memory", "kernels".
std::string_view toText(Capture capture);

/// Those that differ on a device: without CUPTI there are two.
std::vector<Capture> capturesOn(const config::DeviceSpec& device);

/// The figures of one fresh process.
struct ProcessCost {
    double stepSeconds = 0; ///< median of the timed steps, which are never traced
    std::optional<double> tracedStepSeconds = {}; ///< the quicker of the traced steps, by their phases
    std::int64_t events = 0; ///< of the allocator, in the spool
    Bytes spoolBytes = 0;
    std::optional<Bytes> peakAllocated = {};
    std::optional<Bytes> peakDevice = {}; ///< of the timed steps: LibTorch's and everything else's
    std::vector<std::string> remarks = {}; ///< of the worker, CUPTI's own memory among them
};

/// Has a fresh worker run the trial. Throws TrialError if it does not complete, FileError without a worker.
ProcessCost costOfProcess(const config::Trial& trial, Capture capture, double timeoutSeconds);

} // namespace headroom::capture_cost
