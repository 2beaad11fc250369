// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "core/training/StepObserver.h"
#include "profiling/measurement/BlockLabels.h"
#include "profiling/measurement/Collector.h"

#include <chrono>
#include <functional>
#include <optional>

namespace headroom::collectors {

/// How one device is looked at while a trial runs: its clock, its memory, its trace.
///
/// Also told of the phases, as some devices act differently in them. Everything is called on the thread of the trial.
class Instruments : public training::StepObserver {
public:
    using TraceObserver = std::function<void(const LabelledEvent&)>;

    /// Time on the device's own axis: real, or simulated. Where time is not measured, it only orders what happens.
    virtual std::chrono::nanoseconds now() = 0;
    /// Whether differences of now() are durations.
    virtual bool measuresTime() const { return true; }
    /// All work submitted so far is done.
    virtual void synchronise() = 0;

    virtual protocol::MemoryFigures current() = 0;
    /// Highest figures of the allocator since resetPeak(); cheap enough for every border of a phase.
    virtual protocol::MemoryFigures peak() = 0;
    virtual void resetPeak() = 0;

    /// Highest resident memory of this process since restartResidentPeak(); read at the borders of spans only, as the
    /// kernel takes its time to answer.
    virtual std::optional<Bytes> residentPeak() { return std::nullopt; }
    virtual void restartResidentPeak() { }

    /// Returns cached memory to the device, where there is a cache.
    virtual void emptyCache() = 0;

    /// Of a simulated device: names of the ops so far that it has no rule for.
    virtual std::vector<std::string> opsWithoutRule() const { return {}; }

    virtual std::optional<std::int64_t> allocRetries() = 0;
    /// Most bytes the allocator may hand out or take; none: unlimited.
    virtual std::optional<Bytes> limit() = 0;

    /// Where the segments of a simulated device lie; none where nothing was assumed of that.
    virtual std::optional<config::SegmentAddresses> segmentAddresses() const { return std::nullopt; }

    /// Hands every allocator event to `observer`, blocks that are alive already first; null stops.
    virtual void observeAllocations(TraceObserver observer) = 0;
    /// Hands on what has been gathered so far, where events are not handed on as they happen; between phases and steps.
    virtual void handOnEvents() { }
    /// What memory of libraries can be told by its size alone, and nobody else has claimed, is theirs.
    virtual void claimWorkspaces() { }
    /// Something became known of the block at an address of the device: an event like any other of the trace. Called
    /// from any thread (tensor::MemoryAttribution); only for devices whose tensors tell nobody else.
    virtual void relabel(std::uint64_t, const tensor::LabelChange&) { }

    /// Looks at driver, device and host too from now on, where they can be looked at; see CaptureScope.
    virtual void startCapture() { }
    /// What they told, and what was lost or not available.
    virtual Capture stopCapture() { return {}; }
    /// Around what is timed.
    virtual void pauseCapture() { }
    virtual void resumeCapture() { }

    void phaseBegins(const std::string&, std::int64_t) override { }
    void phaseEnds(const std::string&, std::int64_t) override { }
};

} // namespace headroom::collectors
