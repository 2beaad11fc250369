// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaAllocatorTrace.h"

#include <gtest/gtest.h>

#include <limits>

namespace headroom::collectors::cuda_snapshot_test {
namespace {

using simulator::BlockState;

CudaSnapshot twoDevices()
{
    CudaSnapshot told{};
    told.segments.resize(2);
    told.segments[0].device = 0;
    auto& segment = told.segments[1];
    segment.device = 1;
    segment.address = 0x1000;
    segment.total_size = 3 * 512;
    segment.stream = &told;
    segment.is_expandable = true;
    segment.blocks.resize(3);
    for (auto& block : segment.blocks)
        block.size = 512;
    segment.blocks[0].allocated = segment.blocks[0].active = true;
    segment.blocks[0].requested_size = 100;
    segment.blocks[1].active = true;
    return told;
}

TEST(CudaSnapshotTest, hasTheBlocksOfOneDeviceWithTheirAddressesAndStates)
{
    const auto snapshot = snapshotOf(twoDevices(), 1, [](const void* stream) { return stream == nullptr ? 0 : 4; });
    ASSERT_EQ(snapshot.segments.size(), 1U);
    const auto& segment = snapshot.segments.front();
    EXPECT_EQ(segment.kind, simulator::SegmentKind::Expandable);
    EXPECT_EQ(segment.pool, simulator::PoolKind::Small);
    EXPECT_EQ(segment.stream, 4);
    EXPECT_EQ(segment.blocks,
        (std::vector<simulator::BlockSnapshot>{{0x1000, 512, 100, BlockState::ActiveAllocated},
            {0x1200, 512, 0, BlockState::ActivePendingFree}, {0x1400, 512, 0, BlockState::Inactive}}));
}

TEST(CudaSnapshotTest, settingsAreThoseThatTheAllocatorReports)
{
    CudaSnapshot told{};
    told.config_metadata.max_split_size = 64 << 20;
    told.config_metadata.expandable_segments = true;
    told.config_metadata.roundup_power2_divisions = {4, 8};
    const simulator::AllocatorSettings settings = blockSettingsOf(told);
    EXPECT_EQ(settings.maxSplitBytes, 64 * kMiB);
    EXPECT_TRUE(settings.isExpandable());
    EXPECT_EQ(settings.divisionsFor(kMiB), 4);
    EXPECT_EQ(settings.divisionsFor(2 * kMiB), 8);
    EXPECT_EQ(settings.divisionsFor(4 * kMiB), 0);
}

TEST(CudaSnapshotTest, noSplitLimitIsNone)
{
    CudaSnapshot told{};
    told.config_metadata.max_split_size = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(blockSettingsOf(told).maxSplitBytes, simulator::kUnlimitedSplit);
}

} // namespace
} // namespace headroom::collectors::cuda_snapshot_test
