// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/CounterEvents.h"
#include "profiling/recordings/Recording.h"
#include "profiling/recordings/values/Objects.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::recordings {

/// A span of a thread on the host: an operator, an annotation, a function of Python.
struct HostSpan {
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    std::uint64_t thread = 0;
    std::uint32_t name = 0; ///< number of the text
};

/// What an allocator reported: torch.profiler's "[memory]" events.
struct MemoryReport {
    std::int64_t timeNs = 0;
    Address address = 0;
    Bytes bytes = 0; ///< negative: the block was given back
    Bytes totalAllocatedBytes = 0;
    Bytes totalReservedBytes = 0;
    std::uint64_t thread = 0;
    int device = 0; ///< -1: the host
};

/// Takes the events of a Chrome trace while it is read.
class ProfilerEntries final : public EntrySink {
public:
    bool take(const Objects& objects, const std::vector<DictItem>& dict) override;

    std::vector<HostSpan>& spans() { return m_spans; }
    std::vector<MemoryReport>& reports() { return m_reports; }
    std::vector<trace::PhaseSpan>& phases() { return m_phases; }
    trace::DeviceRecords& records() { return m_records; }
    std::vector<CounterValue>& counters() { return m_counters; }
    std::int64_t entries() const { return m_entries; }

private:
    struct Event;

    void takeCounter(const Objects& objects, const Event& event);
    void takePhase(const Objects& objects, const Event& event);
    void takeSpan(const Objects& objects, const Event& event);
    void takeMemory(const Objects& objects, const Event& event);
    void takeAnnotation(const Objects& objects, const Event& event);
    void takeKernel(const Objects& objects, const Event& event);
    void takeCopy(const Objects& objects, const Event& event);
    void takeCall(const Objects& objects, const Event& event, bool isDriver);

    std::vector<HostSpan> m_spans;
    std::vector<MemoryReport> m_reports;
    std::vector<CounterValue> m_counters;
    std::vector<trace::PhaseSpan> m_phases;
    trace::DeviceRecords m_records;
    std::int64_t m_entries = 0;
};

/// Makes a recording of a trace of torch.profiler, or of another program that reports memory as it does. Throws
/// FileError, naming `file`, where it has no events.
Recording profilerRecording(
    const Objects& objects, const Value& root, ProfilerEntries& entries, const std::string& file);

} // namespace headroom::recordings
