// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/interchange/SomeRecords.h"

namespace headroom::interchange {
namespace {

constexpr std::uint32_t kProcess = 4'711;
constexpr std::uint32_t kThread = 42;

trace::DeviceMemoryRecord memory(std::int64_t timeNs, std::uint32_t operation, std::uint32_t correlation, Bytes bytes)
{
    trace::DeviceMemoryRecord record;
    record.timeNs = timeNs;
    record.operation = operation;
    record.kind = 3;
    record.address = 0x7f00'0000'0000;
    record.bytes = bytes;
    record.correlationId = correlation;
    record.processId = kProcess;
    record.source = "libcudnn.so";
    return record;
}

void addWork(trace::DeviceRecords& records)
{
    trace::KernelRecord kernel;
    kernel.beginNs = 5'000;
    kernel.endNs = 9'000;
    kernel.streamId = 7;
    kernel.correlationId = 3;
    kernel.name = "_ZN2at6native3addIfEEvPT_i";
    trace::KernelRecord lost = kernel;
    lost.beginNs = lost.endNs = 0;
    records.kernels = {kernel, lost};
    trace::CopyRecord copy;
    copy.beginNs = 9'500;
    copy.endNs = 12'000;
    copy.bytes = 4'096;
    copy.copyKind = 1;
    copy.sourceKind = 2;
    copy.destinationKind = 3;
    copy.streamId = 7;
    records.copies = {copy};
    trace::MemsetRecord fill;
    fill.beginNs = 12'000;
    fill.endNs = 12'500;
    fill.bytes = 512;
    fill.memoryKind = 3;
    fill.streamId = 7;
    records.memsets = {fill};
}

void addHost(trace::DeviceRecords& records)
{
    records.calls = {{900, 1'100, false, 20, "cudaMalloc_v3020", kProcess, kThread, 1, 0},
        {4'000, 4'500, true, 307, "cuLaunchKernel", kProcess, kThread, 3, 0}};
    records.overheads = {{200, 300, 2U << 16U, kProcess, kThread, 0}};
    records.markers = {{100, 20'000, 1, false, kProcess, kThread, "step \"0\"", ""},
        {150, 150, 2, true, kProcess, kThread, "mark", "domain"}, {160, -1, 3, false, kProcess, kThread, "open", ""}};
    records.hostSamples = {{1'000, 5 * kGiB, std::nullopt}, {2'000, 6 * kGiB, kMiB}};
    records.clocks = {{1'000, 1'700'000'000'000'001'000, 77'000}};
}

} // namespace

trace::DeviceRecords someRecords()
{
    trace::DeviceRecords records;
    records.memory = {memory(1'000, 1, 1, 20 * kMiB), memory(15'000, 2, 5, 20 * kMiB)};
    trace::MemoryPoolRecord pool;
    pool.timeNs = 500;
    pool.operation = 1;
    pool.poolType = 1;
    pool.processId = kProcess;
    pool.address = 0x7e00'0000'0000;
    pool.bytes = 32 * kMiB;
    records.pools = {pool};
    using Call = trace::VirtualMemoryRecord::Call;
    records.virtualMemory = {{2'000, Call::Create, 0, 20 * kMiB, 1, 0}, {2'100, Call::Map, 0x1000, 20 * kMiB, 1, 0}};
    addWork(records);
    addHost(records);
    trace::DeviceSample sample;
    sample.timeNs = 3'000;
    sample.usedBytes = 2 * kGiB;
    sample.gpuUtilisation = 0.5;
    records.deviceSamples = {sample};
    return records;
}

} // namespace headroom::interchange
