// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/LiveBlocks.h"

#include <gmock/gmock.h>

namespace headroom::trace::live_blocks_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

AllocatorEvent alloc(std::int64_t timeNs, std::uint64_t address, Bytes bytes)
{
    return {timeNs, address, bytes, bytes, 0, Action::Alloc};
}

AllocatorEvent freed(std::int64_t timeNs, std::uint64_t address, Bytes bytes)
{
    return {timeNs, address, bytes, bytes, 0, Action::FreeRequested};
}

const PhaseSpan kStep{"step", 0, 10, 100};
const PhaseSpan kForward{"forward", 0, 10, 50};
const PhaseSpan kBackward{"backward", 0, 50, 100};

TEST(LiveBlocksTest, blocksCountForTheInnermostPhaseTheyWereAllocatedIn)
{
    LiveBlocks live({}, std::vector{kStep, kForward, kBackward});
    live.apply(alloc(5, 1, 1));
    live.apply(alloc(10, 2, 20));
    live.apply(alloc(50, 3, 300));
    live.apply(alloc(100, 4, 4'000));
    const LiveMemory memory = live.memory();
    EXPECT_EQ(memory.counters.allocated, 4'321);
    EXPECT_THAT(memory.shares,
        ElementsAre(LiveShare{kForward, 20, 1}, LiveShare{kBackward, 300, 1}, LiveShare{std::nullopt, 4'001, 2}));
}

TEST(LiveBlocksTest, whatWasGivenBackIsNotHeld)
{
    LiveBlocks live({}, std::vector{kForward, kBackward});
    live.apply(alloc(10, 1, 100));
    live.apply(alloc(60, 2, 7));
    live.apply(freed(70, 1, 100));
    EXPECT_THAT(live.memory().shares, ElementsAre(LiveShare{kBackward, 7, 1}));
}

TEST(LiveBlocksTest, blocksFromBeforeTheTraceAreHeldUntilTheyAreFreed)
{
    LiveBlocks live({.allocated = 50, .reserved = 0, .active = 50}, {});
    live.apply(freed(1, 77, 30));
    EXPECT_EQ(live.memory().heldBefore, 20);
    EXPECT_THAT(live.memory().shares, IsEmpty());
}

TEST(LiveBlocksTest, anAddressThatIsUsedAgainBelongsToItsNewPhase)
{
    LiveBlocks live({}, std::vector{kForward, kBackward});
    live.apply(alloc(10, 1, 100));
    live.apply(freed(11, 1, 100));
    live.apply(alloc(60, 1, 9));
    EXPECT_THAT(live.memory().shares, ElementsAre(LiveShare{kBackward, 9, 1}));
}

} // namespace
} // namespace headroom::trace::live_blocks_test
