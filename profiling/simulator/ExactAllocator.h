// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/DeviceMemory.h"
#include "profiling/simulator/SimulatedAllocator.h"

#include <unordered_map>

namespace headroom::simulator {

/// The allocator of the simulated `cpu`: without rounding or a cache, so that requested, allocated and active bytes are
/// equal, nothing is reserved, and there are no streams. Freed memory is returned at once.
class ExactAllocator final : public SimulatedAllocator {
public:
    explicit ExactAllocator(Bytes limitBytes = kUnlimitedBytes);

    using SimulatedAllocator::allocate;
    Address allocate(Bytes requestedBytes, Stream stream) override;
    void free(Address address) override;
    void recordStream(Address, Stream) override { }
    void synchronize(Stream) override { }
    void synchronizeAll() override { }
    void emptyCache() override { }
    /// Each block is a segment of its own.
    AllocatorSnapshot snapshot() const override;

private:
    [[noreturn]] void fail(Bytes requestedBytes, Stream stream);

    DeviceMemory m_memory;
    std::unordered_map<Address, LedgerEntry> m_blocks;
};

} // namespace headroom::simulator
