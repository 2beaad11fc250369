// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"
#include "experiments/validation/ValidationRow.h"

#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace headroom::experiments {

/// How a validation is carried out.
struct ValidationOptions {
    std::filesystem::path worker; ///< headroom-worker
    int jobs = 1; ///< trials measured side by side
    StepTimes times = StepTimes::Measured; ///< only with one job
    std::optional<std::chrono::duration<double>> timeout{}; ///< of each side of a trial; none: as long as it takes
    std::stop_token stop{}; ///< ends the trials that are running; rows that are there are kept
};

/// The rows that are there when a validation ends, in the order of the pairs.
struct ValidationRows {
    std::vector<ValidationRow> rows;
    std::vector<std::size_t> pairs; ///< of which each row is
    std::optional<protocol::WorkerDescription> worker;
    bool wasStopped = false;
    /// What ended it early, as a worker that can be started no more; null: nothing.
    std::exception_ptr failure{};
};

/// Is given each row as it comes, one after the other, from any thread.
using RowSink = std::function<void(const ValidationRow&)>;

/// Measures each pair in a fresh worker and simulates it in a resident one. A trial that fails, hangs or runs out of
/// memory on a side is a row. Throws FileError when the worker cannot be started at all; once there are rows, these are
/// returned with the failure.
ValidationRows validate(
    const std::vector<ValidationPair>& pairs, const ValidationOptions& options, const RowSink& sink = {});

} // namespace headroom::experiments
