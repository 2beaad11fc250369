// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/protocol/ParityResult.h"
#include "core/protocol/RepeatResult.h"

namespace headroom::protocol {

/// Version of the messages between a program and headroom-worker; both sides refuse another one.
inline constexpr int kWorkerProtocolVersion = 1;

enum class RequestKind { Describe, Run, Simulate, Cancel, Parity };

/// What a simulation is for. Record: all that a trial's record says. Answer: peaks and step time only, the same figures
/// in less time. Need: the same on a device without a limit, for a trial that does not fit.
enum class SimulationAim { Record, Answer, Need };

/// How much of a trial on an NVIDIA GPU a trace looks at. Kernels cost time and memory of their own.
enum class TraceDepth { Memory, Kernels };

/// One line on the worker's standard input.
struct WorkerRequest {
    RequestKind kind = RequestKind::Describe;
    std::int64_t id = 0; ///< echoed in every event that belongs to the request
    std::optional<config::Trial> trial = std::nullopt; ///< Run, Simulate and Parity
    int repeat = 0;
    std::string spoolPath = {}; ///< where the trace goes; empty: no trace is written
    SimulationAim aim = SimulationAim::Record; ///< Simulate
    TraceDepth traceDepth = TraceDepth::Memory; ///< Run, where there is a trace
    std::optional<ParityFiles> parity = std::nullopt; ///< Parity
};

std::string toLine(const WorkerRequest& request);
/// Throws TrialError for a line that is no request, another protocol version included; UsageError for a bad trial.
WorkerRequest requestFromLine(const std::string& line);

/// What a worker says of itself: its answer to `describe` and the body of `hello`.
struct WorkerDescription {
    int protocolVersion = kWorkerProtocolVersion;
    std::string headroomVersion;
    std::string torchVersion;
    std::optional<bool> cudaUsable; ///< nothing: not looked at
    std::string cudaReason; ///< why CUDA cannot be used; empty when it can or was not looked at
    Json details = Json::object();
};

enum class EventKind { Hello, Phase, Progress, Sample, Outcome, Description, Parity };

/// One line on the worker's standard output. Which members count depends on `kind`.
struct WorkerEvent {
    EventKind kind = EventKind::Hello;
    std::int64_t id = 0;
    std::string phase = {}; ///< Phase: the phase that begins
    std::int64_t step = 0; ///< Phase, Progress, Sample
    std::int64_t total = 0; ///< Progress: steps in all
    double seconds = 0; ///< Sample
    std::optional<RepeatResult> result = std::nullopt; ///< Outcome
    std::optional<WorkerDescription> description = std::nullopt; ///< Hello, Description
    std::optional<ParityAnswer> parity = std::nullopt; ///< Parity
};

std::string toLine(const WorkerEvent& event);
/// Throws TrialError for a line that is no event.
WorkerEvent eventFromLine(const std::string& line);

} // namespace headroom::protocol
