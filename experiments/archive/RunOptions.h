// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/protocol/WorkerMessages.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

namespace headroom::experiments {

class RunControl;

/// What happens after a trial that failed or timed out.
enum class FailurePolicy { KeepGoing, FailFast };

/// New: an experiment of its own. Resume: the newest experiment of the same name with the same trials is continued;
/// repeats that completed or ran out of memory are not run again. Without such an experiment Resume is New.
enum class RunMode { New, Resume };

/// Whether the worker records a trace beside the timed steps: of no trial, of every one, of those that are named.
enum class Tracing { Off, On, Chosen };

/// Whether a run makes its workspace where there is none. One that somebody has open must not be made anew: where it is
/// gone, it was deleted or moved.
enum class WorkspaceUse { MakeWhereMissing, MustExist };

/// How an experiment is carried out; none of it changes what is measured (that is SpecOverrides' part).
struct RunOptions {
    std::filesystem::path worker; ///< config::workerProgram()
    std::filesystem::path resources; ///< config::resourceDirectory(): profiles of simulated devices
    std::optional<std::chrono::duration<double>> timeout; ///< per repeat; wins over the spec's
    std::size_t jobs = 0; ///< simulated trials side by side; 0: as many as this process may use cores
    FailurePolicy onFailure = FailurePolicy::KeepGoing;
    RunMode mode = RunMode::New;
    Tracing tracing = Tracing::Off;
    std::set<std::string> tracedTrials{}; ///< for Tracing::Chosen: trial ids
    protocol::TraceDepth traceDepth = protocol::TraceDepth::Memory; ///< of traces on cuda:N
    std::optional<Bytes> traceLimit{}; ///< of all traces of the workspace (store::WorkspaceOptions)
    WorkspaceUse workspaceUse = WorkspaceUse::MakeWhereMissing;
    std::string commandLine; ///< kept with the experiment, for those who look at it later
    /// Requesting a stop kills the running workers, keeps what is finished and ends the run as interrupted. A signal
    /// handler must not request it itself (that is not async-signal-safe): let a thread wait with sigwait and do so.
    std::stop_token stop;
    /// Pauses, reorders and stops trials while the run goes on; none: it goes from its first repeat to its last.
    std::shared_ptr<RunControl> control;
};

} // namespace headroom::experiments
