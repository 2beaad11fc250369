// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/protocol/Calibration.h"
#include "core/protocol/ParityResult.h"
#include "core/protocol/RepeatResult.h"

namespace headroom::protocol {

/// Version of the messages between a program and headroom-worker; both sides refuse any other version.
inline constexpr int kWorkerProtocolVersion = 1;

enum class RequestKind { Describe, Run, Simulate, Cancel, Parity, Calibrate, Inspect };

/// What a simulation is for. Record: everything in a trial's record. Answer: only peaks and step time, with the same
/// figures in less time. Need: the same on a device without a limit, for a trial that does not fit.
enum class SimulationAim { Record, Answer, Need };

/// How much of a trial on an NVIDIA GPU a trace records. Recording kernels costs time and memory.
enum class TraceDepth { Memory, Kernels };

/// One line on the worker's standard input.
struct WorkerRequest {
    RequestKind kind = RequestKind::Describe;
    std::int64_t id = 0; ///< echoed in every event that belongs to the request
    std::optional<config::Trial> trial = std::nullopt; ///< Run, Simulate, Parity and Inspect
    int repeat = 0;
    std::string spoolPath = {}; ///< where the trace is written; empty: no trace
    SimulationAim aim = SimulationAim::Record; ///< Simulate
    TraceDepth traceDepth = TraceDepth::Memory; ///< Run with a trace
    std::optional<ParityFiles> parity = std::nullopt; ///< Parity
    std::optional<CalibrationRequest> calibration = std::nullopt; ///< Calibrate
};

std::string toLine(const WorkerRequest& request);
/// Throws TrialError for a line that is not a request, or has another protocol version; UsageError for a bad trial.
WorkerRequest requestFromLine(const std::string& line);

/// A worker's description of itself: its answer to `describe` and the body of `hello`.
struct WorkerDescription {
    int protocolVersion = kWorkerProtocolVersion;
    std::string headroomVersion;
    std::string torchVersion;
    std::optional<bool> cudaUsable; ///< nothing: not checked
    std::string cudaReason; ///< why CUDA cannot be used; empty if it can or was not checked
    Json details = Json::object();
};

enum class EventKind { Hello, Phase, Progress, Sample, Outcome, Description, Parity, Calibration };

/// One line on the worker's standard output. `kind` decides which members are used.
struct WorkerEvent {
    EventKind kind = EventKind::Hello;
    std::int64_t id = 0;
    std::string phase = {}; ///< Phase: the phase that begins, of a calibration what is measured
    std::int64_t step = 0; ///< Phase, Progress, Sample
    std::int64_t total = 0; ///< Progress: total number of steps
    double seconds = 0; ///< Sample
    std::optional<RepeatResult> result = std::nullopt; ///< Outcome
    std::optional<WorkerDescription> description = std::nullopt; ///< Hello, Description
    std::optional<ParityAnswer> parity = std::nullopt; ///< Parity
    std::optional<CalibrationAnswer> calibration = std::nullopt; ///< Calibration
};

std::string toLine(const WorkerEvent& event);
/// Throws TrialError for a line that is not an event.
WorkerEvent eventFromLine(const std::string& line);

} // namespace headroom::protocol
