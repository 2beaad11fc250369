// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/cupti/RecordDecoder.h"
#include "tests/profiling/collectors/cupti/ActivityBuffer.h"

#include <gmock/gmock.h>

namespace headroom::collectors::cupti {

inline constexpr std::uint64_t kOrigin = 1'000'000;
inline constexpr std::uint32_t kLast = 0xFFFF'FFFF;

/// A decoder and the buffer that it reads.
class DecoderFixture : public testing::Test {
protected:
    trace::DeviceRecords decoded(std::span<std::uint8_t> valid)
    {
        trace::DeviceRecords records;
        m_decoder.decode(valid, records);
        return records;
    }
    trace::DeviceRecords decoded() { return decoded(m_buffer.valid()); }
    const DecodeCounts& counts() const { return m_decoder.counts(); }

    ActivityBuffer m_buffer;
    RecordDecoder m_decoder{StampAxis(kOrigin), RecordSizes::ofLibrary()};
};

inline MemoryActivity allocation(std::uint64_t address, std::uint64_t bytes)
{
    auto memory = activityOf<MemoryActivity>(CUPTI_ACTIVITY_KIND_MEMORY2);
    memory.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
    memory.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    memory.address = address;
    memory.bytes = bytes;
    memory.timestamp = kOrigin + 5;
    return memory;
}

template <typename Activity> Activity spanOf(CUpti_ActivityKind kind)
{
    auto activity = activityOf<Activity>(kind);
    activity.start = kOrigin + 10;
    activity.end = kOrigin + 20;
    activity.deviceId = 1;
    activity.contextId = 2;
    activity.streamId = 3;
    activity.correlationId = kLast;
    return activity;
}

} // namespace headroom::collectors::cupti
