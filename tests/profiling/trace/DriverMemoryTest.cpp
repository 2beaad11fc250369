// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/DriverMemory.h"

#include <gmock/gmock.h>

namespace headroom::trace {
namespace {

constexpr std::uint32_t kAllocation = 1;
constexpr std::uint32_t kRelease = 2;

DeviceMemoryRecord record(std::int64_t timeNs, std::uint32_t operation, std::uint64_t address, Bytes bytes)
{
    DeviceMemoryRecord made;
    made.timeNs = timeNs;
    made.operation = operation;
    made.address = address;
    made.bytes = bytes;
    made.kind = 3; // device
    return made;
}

std::vector<std::pair<std::int64_t, Bytes>> totalFrom(const DriverMemory& driver, std::int64_t timeNs)
{
    std::vector<std::pair<std::int64_t, Bytes>> points;
    for (const BytesPoint& point : driver.totalFrom(timeNs))
        points.emplace_back(point.timeNs, point.bytes);
    return points;
}

TEST(DriverMemoryTest, ofWhatWasBeforeATimeTheLastValueIsLeft)
{
    DeviceRecords records;
    records.memory = {record(10, kAllocation, 1, 100), record(20, kAllocation, 2, 30), record(30, kRelease, 1, 100),
        record(40, kAllocation, 3, 7)};
    const DriverMemory driver(records, 0, {});
    using Points = std::vector<std::pair<std::int64_t, Bytes>>;
    EXPECT_EQ(totalFrom(driver, 0), (Points{{10, 100}, {20, 130}, {30, 30}, {40, 37}}));
    EXPECT_EQ(totalFrom(driver, 20), (Points{{20, 130}, {30, 30}, {40, 37}}));
    EXPECT_EQ(totalFrom(driver, 25), (Points{{25, 130}, {30, 30}, {40, 37}}));
    EXPECT_EQ(totalFrom(driver, 99), (Points{{99, 37}}));
}

} // namespace
} // namespace headroom::trace
