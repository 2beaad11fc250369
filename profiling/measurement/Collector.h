// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"

#include <chrono>
#include <string>
#include <vector>

namespace headroom::collectors {

/// What one collector can record on this machine, in this process.
struct Capability {
    std::string name; ///< a key: "cupti_memory"
    std::string tells; ///< what it records, for people
    std::string version; ///< of the library behind it; empty: unknown or none
    std::string reason; ///< why it is not available; empty when it is

    bool isAvailable() const { return reason.empty(); }
};

/// What collectors recorded beside the allocator's events.
struct Capture {
    trace::DeviceRecords records{};
    std::vector<std::string> losses{}; ///< what the trace lacks: its sums are lower bounds
    std::vector<std::string> diagnostics{}; ///< what was refused or not available, and other remarks
};

/// Records memory beside the allocator while a trace runs. Called on the thread of the trial; whatever it gathers on
/// its own threads is handed over by stop().
class Collector {
public:
    virtual ~Collector() = default;
    virtual Capability capability() const = 0;
    /// Begins; `origin` is time 0 of the trace. A collector that cannot begin reports it at stop(): a trace without
    /// this source is worth more than no trace.
    virtual void start(std::chrono::steady_clock::time_point origin) = 0;
    /// Ends and adds what was recorded since start(). Without a start it does nothing.
    virtual void stop(Capture& capture) = 0;
};

} // namespace headroom::collectors
