// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/Model.h"
#include "core/protocol/RepeatResult.h"
#include "core/training/StepObserver.h"
#include "core/training/StepShortcut.h"
#include "profiling/measurement/BlockLabels.h"
#include "profiling/measurement/Collector.h"

#include <chrono>
#include <functional>
#include <optional>

namespace headroom::techniques {
class BlockAccounts;
}

namespace headroom::collectors {

/// How one device is observed while a trial runs: its clock, its memory, its trace.
///
/// It is also notified of the phases, as some devices act differently in them. Everything is called on the thread of
/// the trial.
class Instruments : public training::StepObserver {
public:
    using TraceObserver = std::function<void(const LabelledEvent&)>;

    /// Time on the device's own axis, real or simulated. If time is not measured, it only orders events.
    virtual std::chrono::nanoseconds now() = 0;
    /// Whether differences of now() are durations.
    virtual bool measuresTime() const { return true; }
    /// Returns when all work submitted so far is complete.
    virtual void synchronise() = 0;

    virtual protocol::MemoryFigures current() = 0;
    /// Peak figures of the allocator since resetPeak(); cheap enough for every phase boundary.
    virtual protocol::MemoryFigures peak() = 0;
    virtual void resetPeak() = 0;

    /// Peak resident memory of this process since restartResidentPeak(); read only at the boundaries of spans, as the
    /// query is slow.
    virtual std::optional<Bytes> residentPeak() { return std::nullopt; }
    virtual void restartResidentPeak() { }
    /// The same of pinned host memory, where peak() does not report it because the query is slow.
    virtual std::optional<Bytes> pinnedPeak() { return std::nullopt; }
    virtual void restartPinnedPeak() { }

    /// Returns cached memory to the device, if there is a cache.
    virtual void emptyCache() = 0;

    /// For a simulated device: the names of the ops so far that have no rule.
    virtual std::vector<std::string> opsWithoutRule() const { return {}; }

    virtual std::optional<std::int64_t> allocRetries() = 0;
    /// What is known of the request whose failure ended the trial: what its exception says, or more.
    virtual protocol::OutOfMemoryFacts failedRequest(const protocol::OutOfMemoryFacts& said) { return said; }
    /// The most bytes the allocator may hand out or take; nullopt: unlimited.
    virtual std::optional<Bytes> limit() = 0;

    /// Where the segments of a simulated device are placed; nullopt if nothing was assumed.
    virtual std::optional<config::SegmentAddresses> segmentAddresses() const { return std::nullopt; }

    /// Passes every allocator event to `observer`, live blocks first; null stops.
    virtual void observeAllocations(TraceObserver observer) = 0;
    /// Passes on the events gathered so far, if they are not passed on as they happen; called between phases and steps.
    virtual void handOnEvents() { }
    /// Assigns to libraries their unclaimed memory that can be recognised by its size alone.
    virtual void claimWorkspaces() { }
    /// Something became known about the block at an address of the device: an event of the trace like any other. Called
    /// from any thread (tensor::MemoryAttribution); only for devices whose tensors report it nowhere else.
    virtual void relabel(std::uint64_t, const tensor::LabelChange&) { }

    /// A shorter way to the same figures for the steps of this model, whose techniques have been applied; lives as long
    /// as the instruments, with the model. Null: none. `accounts`, borrowed, are kept right if there are any.
    virtual models::BlockShortcut* shortcutFor(models::Model&, techniques::BlockAccounts* /*accounts*/)
    {
        return nullptr;
    }

    /// A shorter way to the figures of steps that are alike; lives as long as the instruments. Null: none.
    virtual training::StepShortcut* stepShortcut() { return nullptr; }

    /// From now on also captures driver, device and host, where they are available; see CaptureScope.
    virtual void startCapture() { }
    /// What they recorded, and what was lost or unavailable.
    virtual Capture stopCapture() { return {}; }
    /// Called around timed steps.
    virtual void pauseCapture() { }
    virtual void resumeCapture() { }

    void phaseBegins(const std::string&, std::int64_t) override { }
    void phaseEnds(const std::string&, std::int64_t) override { }
};

} // namespace headroom::collectors
