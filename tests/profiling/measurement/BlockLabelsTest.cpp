// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/BlockLabels.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

using config::MemoryCategory;
using trace::Action;

trace::AllocatorEvent event(Action action, std::uint64_t address, Bytes bytes)
{
    return {5, address, bytes, bytes, 0, action};
}

const tensor::MemoryLabel kTemporary{MemoryCategory::Temporaries, 3, {}};
const tensor::MemoryLabel kWeight{MemoryCategory::Weights, 2, {}};

TEST(BlockLabelsTest, areThoseOfBirthUntilMoreIsKnown)
{
    BlockLabels labels;
    EXPECT_EQ(labels.labelled(event(Action::Alloc, 64, 8), kTemporary).label, kTemporary);
    const auto change = labels.relabelled(64, {kWeight}, 9);
    ASSERT_TRUE(change);
    EXPECT_EQ(change->action, Action::Relabelled);
    EXPECT_EQ(change->timeNs, 9);
    EXPECT_EQ(change->bytes, 8);
    EXPECT_EQ(change->previousLabel, kTemporary);
    EXPECT_EQ(change->label, kWeight);
    EXPECT_EQ(labels.labelled(event(Action::FreeRequested, 64, 8), {}).label, kWeight);
    EXPECT_EQ(labels.labelled(event(Action::FreeCompleted, 64, 8), {}).label, kWeight);
}

TEST(BlockLabelsTest, tellNothingThatIsNotNew)
{
    BlockLabels labels;
    labels.labelled(event(Action::Alloc, 64, 8), kWeight);
    EXPECT_FALSE(labels.relabelled(64, {kWeight}, 9));
    EXPECT_FALSE(labels.relabelled(128, {kWeight}, 9));
}

TEST(BlockLabelsTest, belongToTheBlockAndNotToItsAddress)
{
    BlockLabels labels;
    labels.labelled(event(Action::Alloc, 64, 8), kWeight);
    labels.labelled(event(Action::FreeRequested, 64, 8), {});
    labels.labelled(event(Action::FreeCompleted, 64, 8), {});
    EXPECT_FALSE(labels.relabelled(64, {kTemporary}, 9));
    EXPECT_EQ(labels.labelled(event(Action::Alloc, 64, 16), kTemporary).label, kTemporary);
}

TEST(BlockLabelsTest, giveWhatNobodyClaimedToSomebodyByItsSize)
{
    BlockLabels labels;
    const tensor::MemoryLabel workspace{MemoryCategory::Workspaces};
    labels.labelled(event(Action::Alloc, 64, 8), {});
    labels.labelled(event(Action::Alloc, 128, 8), kWeight);
    labels.labelled(event(Action::Alloc, 192, 16), {});
    const auto events = labels.claimUnknown(8, workspace, 9);
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events.front().address, 64U);
    EXPECT_EQ(events.front().label, workspace);
    EXPECT_TRUE(labels.claimUnknown(8, workspace, 9).empty());
}

TEST(BlockLabelsTest, giveBackAsManyBytesAsWereHandedOut)
{
    BlockLabels labels;
    labels.labelled(event(Action::Alloc, 64, 1024), kWeight);
    EXPECT_EQ(labels.labelled(event(Action::FreeRequested, 64, 512), {}).bytes, 1024);
    EXPECT_EQ(labels.labelled(event(Action::FreeCompleted, 64, 512), {}).bytes, 1024);
}

TEST(BlockLabelsTest, leaveSegmentsAlone)
{
    BlockLabels labels;
    labels.labelled(event(Action::Alloc, 64, 8), kWeight);
    EXPECT_EQ(labels.labelled(event(Action::SegmentFree, 64, 64), kTemporary).label, tensor::MemoryLabel{});
}

TEST(BlockLabelsTest, ofBlocksFromBeforeAreNobodys)
{
    BlockLabels labels;
    EXPECT_EQ(labels.labelled(event(Action::FreeRequested, 64, 8), kTemporary).label, tensor::MemoryLabel{});
}

} // namespace
} // namespace headroom::collectors
