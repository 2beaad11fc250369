// SPDX-License-Identifier: Apache-2.0
//
// Hand-made records with sums that a reader can check.
#include "profiling/trace/peaks/MemorySources.h"

#include "tests/profiling/trace/peaks/OwnedTrace.h"

#include <gtest/gtest.h>

namespace headroom::trace {
namespace {

constexpr std::uint32_t kPinned = 2;
constexpr std::uint32_t kDevice = 3;
constexpr std::uint32_t kManaged = 5;
constexpr std::int64_t kMillisecond = 1'000'000;

using Call = VirtualMemoryRecord::Call;

class MemorySourcesTest : public testing::Test {
protected:
    void give(std::int64_t timeNs, std::uint64_t address, Bytes bytes, const std::string& source = "",
        std::uint32_t kind = kDevice)
    {
        m_records.memory.push_back(
            {.timeNs = timeNs, .address = address, .bytes = bytes, .operation = 1, .kind = kind, .source = source});
    }
    void take(std::int64_t timeNs, std::uint64_t address, Bytes bytes)
    {
        m_records.memory.push_back(
            {.timeNs = timeNs, .address = address, .bytes = bytes, .operation = 2, .kind = kDevice});
    }
    void call(Call what, std::int64_t timeNs, std::uint64_t address, Bytes bytes, std::uint64_t handle)
    {
        m_records.virtualMemory.push_back(
            {.timeNs = timeNs, .call = what, .address = address, .bytes = bytes, .handle = handle, .deviceId = 0});
    }
    void sample(std::int64_t timeNs, std::optional<Bytes> process, Bytes used = 0, Bytes total = 0)
    {
        m_records.deviceSamples.push_back(
            {.timeNs = timeNs, .totalBytes = total, .usedBytes = used, .processBytes = process});
    }
    void segment(std::int64_t timeNs, std::uint64_t address, Bytes bytes, Action action = Action::SegmentAlloc)
    {
        m_segments.push_back(acted(action, timeNs, address, bytes));
    }

    Reconciliation joined(const MemoryCounters& before = {}) const
    {
        return Reconciliation(m_records, 0, m_segments, before);
    }
    MemorySources at(std::int64_t timeNs, const MemoryCounters& counters) const
    {
        return joined().at(timeNs, counters);
    }

    DeviceRecords m_records;
    std::vector<AllocatorEvent> m_segments;
};

TEST_F(MemorySourcesTest, whatALibraryAllocatesIsOutsideOfTorchAndNamed)
{
    give(100, 0xA000, 512);
    segment(150, 0xA000, 512);
    give(200, 0xB000, 64, "libcudnn.so.9");
    give(300, 0xC000, 8);
    take(400, 0xB000, 64);
    const MemorySources then = at(350, {.allocated = 300, .reserved = 512, .active = 400});
    EXPECT_EQ(then.driverBytes, 584);
    EXPECT_EQ(then.virtualBytes, 0);
    EXPECT_EQ(then.reservedBytes, 512);
    EXPECT_EQ(then.cachedBytes, 212);
    EXPECT_EQ(then.outsideTorchBytes, 72);
    EXPECT_EQ(then.outsideBySource, (std::map<std::string, Bytes>{{"", 8}, {"libcudnn.so.9", 64}}));
    EXPECT_EQ(then.untrackedBytes, std::nullopt);
    EXPECT_EQ(at(400, {.reserved = 512}).outsideTorchBytes, 8);
}

TEST_F(MemorySourcesTest, onlyDeviceMemoryOfTheDeviceCounts)
{
    give(100, 0xA000, 1, "", kPinned);
    give(100, 0xB000, 2, "", kManaged);
    give(100, 0xC000, 4, "", 4);
    m_records.memory.push_back(
        {.timeNs = 100, .address = 0xD000, .bytes = 8, .operation = 1, .kind = kDevice, .deviceId = 1});
    EXPECT_EQ(at(200, {}).driverBytes, 4);
    EXPECT_EQ(Reconciliation(m_records, 1, m_segments, {}).at(200, {}).driverBytes, 8);
}

TEST_F(MemorySourcesTest, aPoolCountsWhatItHasTakenNotWhatIsAllocatedFromIt)
{
    m_records.pools.push_back({.timeNs = 100, .operation = 1, .poolType = 1, .address = 0x9000, .bytes = 32});
    m_records.memory.push_back({.timeNs = 200,
        .address = 0xA000,
        .bytes = 5,
        .operation = 1,
        .kind = kDevice,
        .isAsync = true,
        .poolType = 1,
        .poolAddress = 0x9000,
        .poolBytes = 64});
    m_records.pools.push_back({.timeNs = 300, .operation = 3, .poolType = 1, .address = 0x9000, .bytes = 16});
    m_records.pools.push_back({.timeNs = 400, .operation = 2, .poolType = 1, .address = 0x9000, .bytes = 16});
    EXPECT_EQ(at(150, {}).driverBytes, 32);
    EXPECT_EQ(at(250, {}).driverBytes, 64);
    EXPECT_EQ(at(350, {}).driverBytes, 16);
    EXPECT_EQ(at(350, {}).outsideBySource, (std::map<std::string, Bytes>{{"memory pools", 16}}));
    EXPECT_EQ(at(450, {}).driverBytes, 0);
}

TEST_F(MemorySourcesTest, expandableSegmentsAreVirtualMemoryAndTorchs)
{
    call(Call::Reserve, 50, 0x100000, 1'000, 0);
    for (std::uint64_t i = 0; i < 3; ++i) {
        call(Call::Create, 100, 0, 20, 1 + i);
        call(Call::Map, 110, 0x100000 + 20 * i, 20, 1 + i);
    }
    segment(120, 0x100000, 60, Action::SegmentMap); // one entry, three calls of the driver
    call(Call::Create, 130, 0, 7, 9); // somebody else's
    const MemorySources then = at(200, {.allocated = 10, .reserved = 60});
    EXPECT_EQ(then.driverBytes, 0);
    EXPECT_EQ(then.virtualBytes, 67);
    EXPECT_EQ(then.outsideTorchBytes, 7);
    EXPECT_EQ(then.outsideBySource, (std::map<std::string, Bytes>{{"", 7}}));
}

TEST_F(MemorySourcesTest, aReleasedHandleKeepsItsMemoryWhileItIsMapped)
{
    call(Call::Create, 100, 0, 20, 1);
    call(Call::Create, 100, 0, 30, 2);
    call(Call::Map, 110, 0x1000, 20, 1);
    call(Call::Map, 110, 0x1014, 30, 2);
    call(Call::Release, 120, 0, 0, 1);
    EXPECT_EQ(at(130, {}).virtualBytes, 50);
    call(Call::Unmap, 140, 0x1000, 50, 0); // both with one call
    EXPECT_EQ(at(150, {}).virtualBytes, 30);
    call(Call::Release, 160, 0, 0, 2);
    EXPECT_EQ(at(170, {}).virtualBytes, 0);
}

TEST_F(MemorySourcesTest, unrecordedVirtualMemoryIsUnknownWhereTorchMapsSome)
{
    give(100, 0xA000, 4);
    EXPECT_EQ(at(200, {}).virtualBytes, 0);
    segment(120, 0x100000, 60, Action::SegmentMap);
    const MemorySources then = at(200, {.reserved = 60});
    EXPECT_EQ(then.virtualBytes, std::nullopt);
    EXPECT_EQ(then.outsideTorchBytes, std::nullopt);
}

TEST_F(MemorySourcesTest, aReleaseOfEarlierMemoryWasThereUntilThenAndMakesALowerBound)
{
    take(300, 0xA000, 40);
    give(100, 0xB000, 5);
    EXPECT_TRUE(joined().isCaptureLate());
    EXPECT_EQ(at(200, {}).driverBytes, 45);
    EXPECT_EQ(at(300, {}).driverBytes, 5);
    EXPECT_EQ(joined().instants(), (std::vector<std::int64_t>{100, 300}));
}

TEST_F(MemorySourcesTest, whatTheDriverDidNotSeeGivenOutIsNoNegativeRemainder)
{
    give(100, 0xB000, 5);
    EXPECT_EQ(at(200, {.reserved = 512}).outsideTorchBytes, std::nullopt);
}

TEST_F(MemorySourcesTest, theProcessHasWhatNoRecordShows)
{
    give(100, 0xA000, 512);
    segment(101, 0xA000, 512);
    sample(50, 300, 900, 10'000);
    sample(150, 820, 1'500, 10'000);
    give(160, 0xB000, 1'000); // after the sample: no part of what is untracked
    const MemorySources then = at(200, {.allocated = 100, .reserved = 512, .active = 112});
    EXPECT_EQ(then.processBytes, 820);
    EXPECT_EQ(then.sampleAgeNs, 50);
    EXPECT_EQ(then.untrackedBytes, 308);
    EXPECT_EQ(then.untrackedAtFirstBytes, 300);
    EXPECT_EQ(then.headroomBytes, 10'000 - 1'500 + 400);
}

TEST_F(MemorySourcesTest, aMissingWitnessIsUnknownNotZero)
{
    const MemorySources none = at(200, {.allocated = 1, .reserved = 2});
    EXPECT_EQ(none.driverBytes, std::nullopt);
    EXPECT_EQ(none.virtualBytes, std::nullopt);
    EXPECT_EQ(none.outsideTorchBytes, std::nullopt);
    EXPECT_EQ(none.processBytes, std::nullopt);
    EXPECT_EQ(none.headroomBytes, std::nullopt);
    EXPECT_EQ(none.outsideBySource, std::nullopt);
    give(100, 0xA000, 4);
    sample(150, std::nullopt, 10, 100); // the driver does not tell processes in a container
    EXPECT_EQ(at(200, {}).untrackedBytes, std::nullopt);
    EXPECT_EQ(at(120, {}).usedBytes, std::nullopt);
}

TEST_F(MemorySourcesTest, aPartnerHasTheSameAddressSizeAndTime)
{
    give(100, 0xA000, 512);
    segment(100 + 2 * kMillisecond, 0xA000, 512); // too late: another one at the same address
    give(200, 0xB000, 512);
    segment(300, 0xB000, 256);
    for (const DriverAllocation& allocation : joined().driver().allocations())
        EXPECT_FALSE(allocation.isTorchs);
}

TEST_F(MemorySourcesTest, aSlowCallIsJoinedByItsEnd)
{
    give(100, 0xA000, 512);
    m_records.memory.back().correlationId = 77;
    m_records.calls.push_back({.beginNs = 90, .endNs = 5 * kMillisecond, .correlationId = 77});
    segment(5 * kMillisecond + 2'000, 0xA000, 512);
    EXPECT_TRUE(joined().driver().allocations().front().isTorchs);
}

TEST_F(MemorySourcesTest, withSegmentsFromBeforeTheTraceNobodyIsBlamed)
{
    give(100, 0xA000, 512);
    EXPECT_EQ(joined({.reserved = 512}).at(200, {.reserved = 512}).outsideBySource, std::nullopt);
}

} // namespace
} // namespace headroom::trace
