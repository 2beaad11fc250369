// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/DeviceRecords.h"

#include <string>
#include <tuple>
#include <vector>

namespace headroom::store {

/// A column of a table of records and the member that it stores. Texts are stored once, in `strings`, and referred to
/// by number.
template <typename Record, typename Value> struct RecordColumn {
    const char* name;
    Value Record::* member;
};
template <typename Record, typename Value> RecordColumn(const char*, Value Record::*) -> RecordColumn<Record, Value>;

/// How a kind of record is stored: the table's name, its columns (the first is the time by which the records are
/// ordered), and the member of DeviceRecords that holds them. Each table begins with `repeat` and `ordinal`.
template <typename Record> struct RecordTable;

template <> struct RecordTable<trace::DeviceMemoryRecord> {
    using R = trace::DeviceMemoryRecord;
    static constexpr auto kName = "memory_records";
    static constexpr auto kList = &trace::DeviceRecords::memory;
    static constexpr auto kColumns =
        std::tuple(RecordColumn{"time_ns", &R::timeNs}, RecordColumn{"address", &R::address},
            RecordColumn{"bytes", &R::bytes}, RecordColumn{"memory_operation_type", &R::operation},
            RecordColumn{"memory_kind", &R::kind}, RecordColumn{"correlation_id", &R::correlationId},
            RecordColumn{"process_id", &R::processId}, RecordColumn{"device_id", &R::deviceId},
            RecordColumn{"context_id", &R::contextId}, RecordColumn{"stream_id", &R::streamId},
            RecordColumn{"pc", &R::programCounter}, RecordColumn{"is_async", &R::isAsync},
            RecordColumn{"pool_type", &R::poolType}, RecordColumn{"pool_address", &R::poolAddress},
            RecordColumn{"pool_release_threshold_bytes", &R::poolReleaseThreshold},
            RecordColumn{"pool_bytes", &R::poolBytes}, RecordColumn{"pool_utilized_bytes", &R::poolUsedBytes},
            RecordColumn{"name_id", &R::name}, RecordColumn{"source_id", &R::source});
};

template <> struct RecordTable<trace::MemoryPoolRecord> {
    using R = trace::MemoryPoolRecord;
    static constexpr auto kName = "memory_pool_records";
    static constexpr auto kList = &trace::DeviceRecords::pools;
    static constexpr auto kColumns = std::tuple(RecordColumn{"time_ns", &R::timeNs},
        RecordColumn{"memory_pool_operation_type", &R::operation}, RecordColumn{"pool_type", &R::poolType},
        RecordColumn{"correlation_id", &R::correlationId}, RecordColumn{"process_id", &R::processId},
        RecordColumn{"device_id", &R::deviceId}, RecordColumn{"address", &R::address},
        RecordColumn{"min_bytes_to_keep", &R::minBytesToKeep}, RecordColumn{"bytes", &R::bytes},
        RecordColumn{"utilized_bytes", &R::usedBytes}, RecordColumn{"release_threshold_bytes", &R::releaseThreshold});
};

template <> struct RecordTable<trace::VirtualMemoryRecord> {
    using R = trace::VirtualMemoryRecord;
    static constexpr auto kName = "virtual_memory_calls";
    static constexpr auto kList = &trace::DeviceRecords::virtualMemory;
    static constexpr auto kColumns = std::tuple(RecordColumn{"time_ns", &R::timeNs}, RecordColumn{"call", &R::call},
        RecordColumn{"address", &R::address}, RecordColumn{"bytes", &R::bytes}, RecordColumn{"handle", &R::handle},
        RecordColumn{"device_id", &R::deviceId});
};

template <> struct RecordTable<trace::CopyRecord> {
    using R = trace::CopyRecord;
    static constexpr auto kName = "copies";
    static constexpr auto kList = &trace::DeviceRecords::copies;
    static constexpr auto kColumns = std::tuple(RecordColumn{"begin_ns", &R::beginNs},
        RecordColumn{"end_ns", &R::endNs}, RecordColumn{"bytes", &R::bytes}, RecordColumn{"copy_kind", &R::copyKind},
        RecordColumn{"src_kind", &R::sourceKind}, RecordColumn{"dst_kind", &R::destinationKind},
        RecordColumn{"device_id", &R::deviceId}, RecordColumn{"context_id", &R::contextId},
        RecordColumn{"stream_id", &R::streamId}, RecordColumn{"correlation_id", &R::correlationId},
        RecordColumn{"graph_node_id", &R::graphNodeId}, RecordColumn{"src_device_id", &R::sourceDeviceId},
        RecordColumn{"dst_device_id", &R::destinationDeviceId}, RecordColumn{"copy_count", &R::copyCount},
        RecordColumn{"is_async", &R::isAsync});
};

template <> struct RecordTable<trace::MemsetRecord> {
    using R = trace::MemsetRecord;
    static constexpr auto kName = "memsets";
    static constexpr auto kList = &trace::DeviceRecords::memsets;
    static constexpr auto kColumns = std::tuple(RecordColumn{"begin_ns", &R::beginNs},
        RecordColumn{"end_ns", &R::endNs}, RecordColumn{"bytes", &R::bytes}, RecordColumn{"value", &R::value},
        RecordColumn{"memory_kind", &R::memoryKind}, RecordColumn{"device_id", &R::deviceId},
        RecordColumn{"context_id", &R::contextId}, RecordColumn{"stream_id", &R::streamId},
        RecordColumn{"correlation_id", &R::correlationId}, RecordColumn{"graph_node_id", &R::graphNodeId},
        RecordColumn{"is_async", &R::isAsync});
};

template <> struct RecordTable<trace::KernelRecord> {
    using R = trace::KernelRecord;
    static constexpr auto kName = "kernels";
    static constexpr auto kList = &trace::DeviceRecords::kernels;
    static constexpr auto kColumns =
        std::tuple(RecordColumn{"begin_ns", &R::beginNs}, RecordColumn{"end_ns", &R::endNs},
            RecordColumn{"device_id", &R::deviceId}, RecordColumn{"context_id", &R::contextId},
            RecordColumn{"stream_id", &R::streamId}, RecordColumn{"correlation_id", &R::correlationId},
            RecordColumn{"grid_id", &R::gridId}, RecordColumn{"grid_x", &R::gridX}, RecordColumn{"grid_y", &R::gridY},
            RecordColumn{"grid_z", &R::gridZ}, RecordColumn{"block_x", &R::blockX}, RecordColumn{"block_y", &R::blockY},
            RecordColumn{"block_z", &R::blockZ}, RecordColumn{"registers_per_thread", &R::registersPerThread},
            RecordColumn{"static_shared_bytes", &R::staticSharedBytes},
            RecordColumn{"dynamic_shared_bytes", &R::dynamicSharedBytes},
            RecordColumn{"shared_executed_bytes", &R::executedSharedBytes},
            RecordColumn{"local_per_thread_bytes", &R::localBytesPerThread},
            RecordColumn{"local_total_bytes", &R::localBytes}, RecordColumn{"launch_type", &R::launchType},
            RecordColumn{"graph_node_id", &R::graphNodeId}, RecordColumn{"name_id", &R::name});
};

template <> struct RecordTable<trace::ApiRecord> {
    using R = trace::ApiRecord;
    static constexpr auto kName = "api_calls";
    static constexpr auto kList = &trace::DeviceRecords::calls;
    static constexpr auto kColumns = std::tuple(RecordColumn{"begin_ns", &R::beginNs},
        RecordColumn{"end_ns", &R::endNs}, RecordColumn{"is_driver", &R::isDriver},
        RecordColumn{"cbid", &R::callbackId}, RecordColumn{"name_id", &R::name},
        RecordColumn{"process_id", &R::processId}, RecordColumn{"thread_id", &R::threadId},
        RecordColumn{"correlation_id", &R::correlationId}, RecordColumn{"return_value", &R::returnValue});
};

template <> struct RecordTable<trace::OverheadRecord> {
    using R = trace::OverheadRecord;
    static constexpr auto kName = "overheads";
    static constexpr auto kList = &trace::DeviceRecords::overheads;
    static constexpr auto kColumns =
        std::tuple(RecordColumn{"begin_ns", &R::beginNs}, RecordColumn{"end_ns", &R::endNs},
            RecordColumn{"overhead_kind", &R::kind}, RecordColumn{"process_id", &R::processId},
            RecordColumn{"thread_id", &R::threadId}, RecordColumn{"correlation_id", &R::correlationId});
};

template <> struct RecordTable<trace::MarkerRecord> {
    using R = trace::MarkerRecord;
    static constexpr auto kName = "markers";
    static constexpr auto kList = &trace::DeviceRecords::markers;
    static constexpr auto kColumns = std::tuple(RecordColumn{"begin_ns", &R::beginNs},
        RecordColumn{"end_ns", &R::endNs}, RecordColumn{"id", &R::id}, RecordColumn{"is_mark", &R::isMark},
        RecordColumn{"process_id", &R::processId}, RecordColumn{"thread_id", &R::threadId},
        RecordColumn{"name_id", &R::name}, RecordColumn{"domain_id", &R::domain});
};

template <> struct RecordTable<trace::DeviceSample> {
    using R = trace::DeviceSample;
    static constexpr auto kName = "device_samples";
    static constexpr auto kList = &trace::DeviceRecords::deviceSamples;
    static constexpr auto kColumns = std::tuple(RecordColumn{"time_ns", &R::timeNs},
        RecordColumn{"total_bytes", &R::totalBytes}, RecordColumn{"used_bytes", &R::usedBytes},
        RecordColumn{"free_bytes", &R::freeBytes}, RecordColumn{"reserved_bytes", &R::reservedBytes},
        RecordColumn{"process_bytes", &R::processBytes}, RecordColumn{"other_processes_bytes", &R::otherProcessesBytes},
        RecordColumn{"other_processes", &R::otherProcesses}, RecordColumn{"gpu_utilisation", &R::gpuUtilisation},
        RecordColumn{"memory_utilisation", &R::memoryUtilisation}, RecordColumn{"sm_clock_mhz", &R::smClockMhz},
        RecordColumn{"memory_clock_mhz", &R::memoryClockMhz}, RecordColumn{"power_watts", &R::powerWatts},
        RecordColumn{"temperature_celsius", &R::temperatureCelsius},
        RecordColumn{"throttle_reasons", &R::throttleReasons});
};

template <> struct RecordTable<trace::HostSample> {
    using R = trace::HostSample;
    static constexpr auto kName = "host_samples";
    static constexpr auto kList = &trace::DeviceRecords::hostSamples;
    static constexpr auto kColumns = std::tuple(RecordColumn{"time_ns", &R::timeNs},
        RecordColumn{"resident_bytes", &R::residentBytes}, RecordColumn{"pinned_bytes", &R::pinnedBytes});
};

template <> struct RecordTable<trace::ClockSync> {
    using R = trace::ClockSync;
    static constexpr auto kName = "clock_syncs";
    static constexpr auto kList = &trace::DeviceRecords::clocks;
    static constexpr auto kColumns = std::tuple(RecordColumn{"time_ns", &R::timeNs},
        RecordColumn{"realtime_ns", &R::realtimeNs}, RecordColumn{"monotonic_ns", &R::monotonicNs});
};

/// Calls `visit` with the RecordTable of each kind.
template <typename Visit> void eachRecordTable(Visit visit)
{
    visit(RecordTable<trace::DeviceMemoryRecord>());
    visit(RecordTable<trace::MemoryPoolRecord>());
    visit(RecordTable<trace::VirtualMemoryRecord>());
    visit(RecordTable<trace::CopyRecord>());
    visit(RecordTable<trace::MemsetRecord>());
    visit(RecordTable<trace::KernelRecord>());
    visit(RecordTable<trace::ApiRecord>());
    visit(RecordTable<trace::OverheadRecord>());
    visit(RecordTable<trace::MarkerRecord>());
    visit(RecordTable<trace::DeviceSample>());
    visit(RecordTable<trace::HostSample>());
    visit(RecordTable<trace::ClockSync>());
}

/// The names of a table's columns, `repeat` and `ordinal` first.
template <typename Table> std::vector<std::string> columnNames()
{
    std::vector<std::string> names{"repeat", "ordinal"};
    std::apply([&](const auto&... column) { (names.emplace_back(column.name), ...); }, Table::kColumns);
    return names;
}

} // namespace headroom::store
