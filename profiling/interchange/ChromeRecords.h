// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/interchange/ChromeWriter.h"
#include "profiling/interchange/RecordedTrace.h"

#include <cstdint>
#include <map>
#include <string>

namespace headroom::interchange {

/// Writes the records of driver, device and host into a Chrome trace: kernels, copies and memsets on tracks of their
/// streams, calls and NVTX ranges on tracks of their threads, samples and driver memory as counters.
class ChromeRecords {
public:
    ChromeRecords(const RecordedTrace& trace, ChromeWriter& writer);

    void write();

    std::int64_t records() const { return m_records; }
    std::int64_t withoutTimes() const { return m_withoutTimes; } ///< device work without times, which is left out

private:
    void writeWork(const trace::DeviceRecords& records);
    void writeHost(const trace::DeviceRecords& records);
    void writeMarkers(const trace::DeviceRecords& records);
    void writeSamples(const trace::DeviceRecords& records);
    void writeSample(const trace::DeviceSample& sample);
    void writeDriverMemory(const trace::DeviceRecords& memory);
    template <typename Record> void writeOnStream(const Record& record, const char* what, const ChromeSpan& span);
    ChromeProcess gpu(std::uint32_t device);
    const std::string& readable(const std::string& mangled);

    const RecordedTrace& m_trace;
    ChromeWriter& m_writer;
    std::map<std::uint32_t, std::string> m_gpuNames;
    std::map<std::string, std::string> m_kernelNames;
    std::int64_t m_records = 0;
    std::int64_t m_withoutTimes = 0;
};

} // namespace headroom::interchange
