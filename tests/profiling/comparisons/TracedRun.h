// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/profiling/comparisons/TrialRun.h"

#include <map>
#include <vector>

namespace headroom::collectors {

/// Keeps a trace in memory.
class KeptTrace final : public TraceSink {
public:
    void event(const trace::AllocatorEvent& event) override { events.push_back(event); }
    void phase(const trace::PhaseSpan& span) override
    {
        phases.push_back(span);
        phaseEnds.push_back(events.size());
    }
    void owner(trace::OwnerId id, const trace::MemoryOwner& owner) override { owners[id] = owner; }
    void records(const trace::DeviceRecords& records) override { deviceRecords = records; }
    void lost(const std::string& what) override { losses.push_back(what); }

    std::vector<trace::AllocatorEvent> events;
    std::vector<trace::PhaseSpan> phases;
    std::vector<std::size_t> phaseEnds; ///< of each phase, how many events there were by then
    trace::DeviceRecords deviceRecords;
    std::vector<std::string> losses;
    std::map<trace::OwnerId, trace::MemoryOwner> owners{{trace::kUnknownOwner, {}}};
};

/// A trial with its trace, on any device; the comparison with the baseline is left out.
inline protocol::RepeatResult traced(const config::Trial& trial, TraceSink& sink)
{
    const OneThread oneThread;
    SilentListener listener;
    const auto instruments = instrumentsOf(trial);
    TrialMeasurement measurement(trial, *instruments, listener);
    measurement.setTraceSink(&sink);
    measurement.setComparison(Comparison::Off);
    return measurement.run();
}

/// What of the breakdown's map has a name; 0 where it is not there.
inline Bytes bytesOf(const std::map<std::string, Bytes>& bytes, const std::string& name)
{
    const auto found = bytes.find(name);
    return found == bytes.end() ? 0 : found->second;
}

} // namespace headroom::collectors
