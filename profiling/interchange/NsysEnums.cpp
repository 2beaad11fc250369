// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/NsysEnums.h"

#include <span>

namespace headroom::interchange {
namespace {

struct Entry {
    std::int64_t id;
    const char* name;
    const char* label;
};

constexpr const char* kEnumColumns = "id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT";

constexpr Entry kMemoryKinds[] = {{0, "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE", "Pageable"},
    {1, "CUDA_MEMOPR_MEMORY_KIND_PINNED", "Pinned"}, {2, "CUDA_MEMOPR_MEMORY_KIND_DEVICE", "Device"},
    {3, "CUDA_MEMOPR_MEMORY_KIND_ARRAY", "Array"}, {4, "CUDA_MEMOPR_MEMORY_KIND_MANAGED", "Managed"},
    {5, "CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC", "Device Static"},
    {6, "CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC", "Managed Static"}, {7, "CUDA_MEMOPR_MEMORY_KIND_UNKNOWN", "Unknown"}};
constexpr Entry kMemoryOperations[] = {
    {0, "CUDA_DEV_MEM_EVENT_OPR_ALLOCATION", "Allocation"}, {1, "CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION", "Deallocation"}};
constexpr Entry kCopies[] = {{0, "CUDA_MEMCPY_KIND_UNKNOWN", "Unknown"}, {1, "CUDA_MEMCPY_KIND_HTOD", "Host-to-Device"},
    {2, "CUDA_MEMCPY_KIND_DTOH", "Device-to-Host"}, {3, "CUDA_MEMCPY_KIND_HTOA", "Host-to-Array"},
    {4, "CUDA_MEMCPY_KIND_ATOH", "Array-to-Host"}, {5, "CUDA_MEMCPY_KIND_ATOA", "Array-to-Array"},
    {6, "CUDA_MEMCPY_KIND_ATOD", "Array-to-Device"}, {7, "CUDA_MEMCPY_KIND_DTOA", "Device-to-Array"},
    {8, "CUDA_MEMCPY_KIND_DTOD", "Device-to-Device"}, {9, "CUDA_MEMCPY_KIND_HTOH", "Host-to-Host"},
    {10, "CUDA_MEMCPY_KIND_PTOP", "Peer-to-Peer"}, {11, "CUDA_MEMCPY_KIND_UVM_HTOD", "Unified Host-to-Device"},
    {12, "CUDA_MEMCPY_KIND_UVM_DTOH", "Unified Device-to-Host"},
    {13, "CUDA_MEMCPY_KIND_UVM_DTOD", "Unified Device-to-Device"}};
// Pools and overheads keep CUPTI's numbers.
constexpr Entry kPoolTypes[] = {{0, "CUDA_MEMPOOL_TYPE_INVALID", "Invalid"}, {1, "CUDA_MEMPOOL_TYPE_LOCAL", "Local"},
    {2, "CUDA_MEMPOOL_TYPE_IMPORTED", "Imported"}};
constexpr Entry kPoolOperations[] = {{0, "CUDA_MEMPOOL_OPERATION_INVALID", "Invalid"},
    {1, "CUDA_MEMPOOL_OPERATION_CREATED", "Created"}, {2, "CUDA_MEMPOOL_OPERATION_DESTROYED", "Destroyed"},
    {3, "CUDA_MEMPOOL_OPERATION_TRIMMED", "Trimmed"}};
constexpr Entry kOverheads[] = {{0, "CUPTI_ACTIVITY_OVERHEAD_UNKNOWN", "Unknown"},
    {1, "CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER", "Driver compiler"},
    {1 << 16, "CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH", "Buffer flush"},
    {2 << 16, "CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION", "Instrumentation"},
    {3 << 16, "CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE", "Resource"},
    {4 << 16, "CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING", "Runtime triggered module loading"},
    {5 << 16, "CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING", "Lazy function loading"},
    {6 << 16, "CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL", "Command buffer full"},
    {7 << 16, "CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST", "Activity buffer request"},
    {8 << 16, "CUPTI_ACTIVITY_OVERHEAD_UVM_ACTIVITY_INIT", "Unified memory initialisation"}};
constexpr Entry kEventTypes[] = {{33, "NvtxCategory", "NVTX category"}, {34, "NvtxMark", "NVTX mark"},
    {39, "NvtxThread", "NVTX thread name"}, {59, "NvtxPushPopRange", "NVTX push/pop range"},
    {60, "NvtxStartEndRange", "NVTX start/end range"}, {75, "NvtxDomainCreate", "NVTX domain create"},
    {76, "NvtxDomainDestroy", "NVTX domain destroy"}};
constexpr Entry kEventClasses[] = {{0, "TRACE_PROCESS_EVENT_CUDA_RUNTIME", "CUDA runtime"},
    {1, "TRACE_PROCESS_EVENT_CUDA_DRIVER", "CUDA driver"},
    {67, "TRACE_PROCESS_EVENT_CUDA_BACKTRACE", "CUDA backtrace"}};

void fill(NsysDatabase& database, const char* name, std::span<const Entry> entries)
{
    const NsysTable table{name, kEnumColumns};
    for (const Entry& entry : entries)
        database.insert(table, entry.id, entry.name, entry.label);
}

} // namespace

void writeNsysEnums(NsysDatabase& database)
{
    fill(database, "ENUM_CUDA_MEM_KIND", kMemoryKinds);
    fill(database, "ENUM_CUDA_DEV_MEM_EVENT_OPER", kMemoryOperations);
    fill(database, "ENUM_CUDA_MEMCPY_OPER", kCopies);
    fill(database, "ENUM_CUDA_MEMPOOL_TYPE", kPoolTypes);
    fill(database, "ENUM_CUDA_MEMPOOL_OPER", kPoolOperations);
    fill(database, "ENUM_CUPTI_OVERHEAD_TYPE", kOverheads);
    fill(database, "ENUM_NSYS_EVENT_TYPE", kEventTypes);
    fill(database, "ENUM_NSYS_EVENT_CLASS", kEventClasses);
}

std::int64_t nsys::memoryKind(std::uint32_t cuptiKind)
{
    return cuptiKind >= 1 && cuptiKind <= 7 ? static_cast<std::int64_t>(cuptiKind) - 1 : kMemoryUnknown;
}

std::int64_t nsys::memoryOperation(std::uint32_t cuptiOperation)
{
    return cuptiOperation == 1 ? kAllocation : kDeallocation;
}

} // namespace headroom::interchange
