// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/interchange/NsysDatabase.h"
#include "profiling/trace/DeviceRecords.h"

#include <cstdint>
#include <set>

namespace headroom::interchange {

/// Writes the records of driver, device and host into the tables of Nsight Systems; data without a place in them goes
/// to tables of our own.
class NsysRecords {
public:
    explicit NsysRecords(NsysDatabase& database)
        : m_database(database)
    {
    }

    /// First pass: collects the processes of the records, which kernels and copies do not state.
    void learn(const trace::DeviceRecords& records);
    /// Second pass.
    void write(const trace::DeviceRecords& records);
    /// Writes the processes and devices that the records named. Call once, after all records.
    void writeTargets();

    /// Hardware 0, virtual machine 1.
    static constexpr std::int64_t kGlobalVm = std::int64_t{1} << 48;
    static std::int64_t globalPid(std::uint32_t process)
    {
        return kGlobalVm | (static_cast<std::int64_t>(process & 0xFF'FFFFU) << 24);
    }
    static std::int64_t globalTid(std::uint32_t process, std::uint32_t thread)
    {
        return globalPid(process) | static_cast<std::int64_t>(thread & 0xFF'FFFFU);
    }

    /// The process that the records name; 1 if none does.
    std::uint32_t process() const { return m_processes.empty() ? 1 : *m_processes.begin(); }
    std::int64_t written() const { return m_written; }
    bool hasMemory() const { return m_hasMemory; }
    std::int64_t withoutTimes() const { return m_withoutTimes; } ///< device work without times, which is left out

private:
    void write(const trace::DeviceMemoryRecord& record);
    void write(const trace::MemoryPoolRecord& record);
    void write(const trace::VirtualMemoryRecord& record);
    void write(const trace::CopyRecord& record);
    void write(const trace::MemsetRecord& record);
    void write(const trace::KernelRecord& record);
    void write(const trace::ApiRecord& record);
    void write(const trace::OverheadRecord& record);
    void write(const trace::MarkerRecord& record);
    void write(const trace::DeviceSample& sample);
    void write(const trace::HostSample& sample);
    void write(const trace::ClockSync& sync);
    template <typename Record> void writeEach(const std::vector<Record>& records);
    bool hasTimes(std::int64_t beginNs, std::int64_t endNs);
    void see(std::uint32_t process);

    NsysDatabase& m_database;
    std::set<std::uint32_t> m_processes;
    std::set<std::uint32_t> m_devices;
    std::int64_t m_written = 0;
    std::int64_t m_withoutTimes = 0;
    bool m_hasMemory = false;
};

} // namespace headroom::interchange
