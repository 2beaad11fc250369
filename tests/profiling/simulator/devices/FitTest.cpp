// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/devices/Fit.h"

#include <gtest/gtest.h>

namespace headroom::simulator {
namespace {

TEST(FitTest, comparesTheSumOfAllNeedsWithWhatIsUsable)
{
    const MemoryNeed need{.contextBytes = 400, .reservedBytes = 1000, .outsideTorchBytes = 30, .marginBytes = 20};
    EXPECT_TRUE(fit(need, 1450).fits);
    EXPECT_EQ(fit(need, 1450).headroomBytes, 0);
    EXPECT_FALSE(fit(need, 1449).fits);
    EXPECT_EQ(fit(need, 1449).headroomBytes, -1);
    EXPECT_EQ(fit(need, 2000).headroomBytes, 550);
}

TEST(FitTest, anAllocatorMayTakeWhatContextAndOthersLeave)
{
    DeviceProfile device;
    device.memory = MemoryProfile{{1000, ""}, {900, ""}, {100, ""}};
    EXPECT_EQ(capacityOf(device).limitBytes, 800);
    EXPECT_EQ(capacityOf(device, 50).limitBytes, 750);
    EXPECT_EQ(capacityOf(device, 5000).limitBytes, 0);
    EXPECT_EQ(capacityOf(device).totalBytes, 900);
}

TEST(FitTest, aDeviceWithoutMemoryFiguresIsUnlimited)
{
    EXPECT_EQ(capacityOf(DeviceProfile{}).limitBytes, kUnlimitedBytes);
}

} // namespace
} // namespace headroom::simulator
