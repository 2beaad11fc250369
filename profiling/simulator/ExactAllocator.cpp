// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/ExactAllocator.h"

#include "core/base/Error.h"
#include "profiling/simulator/AllocatorSettings.h"
#include "profiling/simulator/OutOfMemory.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::simulator {

namespace {

constexpr const char* kExactWhere = "the simulated cpu allocator";
/// LibTorch's alignment of host memory (c10/core/alignment.h): it affects addresses and is never counted as bytes.
constexpr Bytes kAlignmentBytes = 64;

} // namespace

ExactAllocator::ExactAllocator(Bytes limitBytes)
    : m_memory({limitBytes, limitBytes}, kAlignmentBytes)
{
}

Address ExactAllocator::allocate(Bytes requestedBytes, Stream stream)
{
    if (requestedBytes < 0)
        throw Error(fmt::format("a request of {} bytes", requestedBytes), kExactWhere, "0 bytes or more");
    if (requestedBytes == 0)
        return 0;
    if (!m_memory.take(requestedBytes))
        fail(requestedBytes, stream);
    const Address address = m_memory.nextAddress(requestedBytes);
    const LedgerEntry block{address, requestedBytes, requestedBytes, stream, poolFor(requestedBytes)};
    m_blocks.emplace(address, block);
    ledger().blockAllocated(block);
    return address;
}

void ExactAllocator::free(Address address)
{
    if (address == 0)
        return;
    const auto found = m_blocks.find(address);
    if (found == m_blocks.end())
        throw Error(
            fmt::format("address {:#x} is not handed out", address), kExactWhere, "an address given by allocate()");
    const LedgerEntry block = found->second;
    m_blocks.erase(found);
    m_memory.giveBack(block.bytes);
    ledger().freeRequested(block);
    ledger().freeCompleted(block);
}

void ExactAllocator::fail(Bytes requestedBytes, Stream stream)
{
    const Bytes freeBytes = m_memory.freeBytes();
    ledger().outOfMemory(requestedBytes, freeBytes, stream);
    throw OutOfMemory({requestedBytes, requestedBytes, freeBytes, requestedBytes - freeBytes,
        stats().allocatedBytes.aggregate.current, 0});
}

AllocatorSnapshot ExactAllocator::snapshot() const
{
    AllocatorSnapshot snapshot;
    for (const auto& [address, block] : m_blocks) {
        const BlockSnapshot held{address, block.bytes, block.bytes, BlockState::ActiveAllocated};
        snapshot.segments.push_back({address, block.bytes, block.bytes, block.bytes, block.bytes, block.stream,
            block.pool, SegmentKind::Plain, {held}});
    }
    std::sort(snapshot.segments.begin(), snapshot.segments.end(),
        [](const SegmentSnapshot& a, const SegmentSnapshot& b) { return a.address < b.address; });
    return snapshot;
}

} // namespace headroom::simulator
