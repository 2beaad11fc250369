// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/BlockSizes.h"

#include "tests/profiling/simulator/RandomRequests.h"

#include <gtest/gtest.h>

#include <optional>

namespace headroom::simulator::block_sizes_test {
namespace {

using trace::Action;
using trace::AllocatorEvent;

constexpr Address kBase = 0x7000'0000'0000;

AllocatorEvent ofSegment(Action action, Address address, Bytes bytes)
{
    return {.address = address, .bytes = bytes, .requestedBytes = bytes, .action = action};
}

/// As a device tells it: without the size of the block.
AllocatorEvent request(Action action, Address address, Bytes bytes)
{
    return {.address = address, .requestedBytes = bytes, .action = action};
}

class BlockSizesTest : public testing::Test {
protected:
    Bytes allocated(Address address, Bytes bytes) { return sizes.sized(request(Action::Alloc, address, bytes)).bytes; }

    BlockSizes sizes{{}};
};

TEST_F(BlockSizesTest, aRestOfAMebibyteOrLessStaysInTheBlock)
{
    sizes.sized(ofSegment(Action::SegmentAlloc, kBase, 12 * kMiB));
    EXPECT_EQ(allocated(kBase, 12 * kMiB - 512 * kKiB), 12 * kMiB);
    sizes.sized(ofSegment(Action::SegmentAlloc, kBase + 12 * kMiB, 20 * kMiB));
    EXPECT_EQ(allocated(kBase + 12 * kMiB, 2 * kMiB - 100), 2 * kMiB);
    EXPECT_EQ(allocated(kBase + 14 * kMiB, 17 * kMiB), 18 * kMiB);
    EXPECT_EQ(sizes.misfits(), 0);
}

TEST_F(BlockSizesTest, whatWasFreedBetweenTwoBlocksIsAllThereIs)
{
    sizes.sized(ofSegment(Action::SegmentAlloc, kBase, 20 * kMiB));
    for (const Bytes offset : {0 * kMiB, 4 * kMiB, 8 * kMiB})
        allocated(kBase + static_cast<Address>(offset), 4 * kMiB);
    sizes.sized(request(Action::FreeRequested, kBase + 4 * kMiB, 4 * kMiB));
    sizes.sized(request(Action::FreeCompleted, kBase + 4 * kMiB, 4 * kMiB));
    EXPECT_EQ(allocated(kBase + 4 * kMiB, 3 * kMiB), 4 * kMiB);
    EXPECT_EQ(sizes.sized(request(Action::FreeRequested, kBase + 4 * kMiB, 3 * kMiB)).bytes, 4 * kMiB);
}

TEST_F(BlockSizesTest, smallBlocksAreAlwaysCutToTheRoundedRequest)
{
    sizes.sized(ofSegment(Action::SegmentAlloc, kBase, 2 * kMiB));
    EXPECT_EQ(allocated(kBase, kMiB), kMiB);
    EXPECT_EQ(allocated(kBase + kMiB, kMiB - 1000), kMiB - 512);
    EXPECT_EQ(allocated(kBase + 2 * kMiB - 512, 1), 512);
    EXPECT_EQ(sizes.misfits(), 0);
}

TEST_F(BlockSizesTest, blocksAboveTheSplitLimitKeepEverything)
{
    sizes = BlockSizes(parseAllocatorSettings("max_split_size_mb:32"));
    sizes.sized(ofSegment(Action::SegmentAlloc, kBase, 50 * kMiB));
    EXPECT_EQ(allocated(kBase, 40 * kMiB), 50 * kMiB);
}

TEST_F(BlockSizesTest, expandableSegmentsAreCutAt512Bytes)
{
    sizes = BlockSizes(parseAllocatorSettings("expandable_segments:True"));
    sizes.sized(ofSegment(Action::SegmentMap, kBase, 20 * kMiB));
    sizes.sized(ofSegment(Action::SegmentMap, kBase + 20 * kMiB, 20 * kMiB));
    EXPECT_EQ(allocated(kBase, 39 * kMiB + 1), 39 * kMiB + 512);
    sizes.sized(ofSegment(Action::SegmentMap, kBase + 40 * kMiB, 20 * kMiB));
    EXPECT_EQ(allocated(kBase + 39 * kMiB + 512, 10 * kMiB), 10 * kMiB);
    EXPECT_EQ(sizes.misfits(), 0);
}

TEST_F(BlockSizesTest, afterALostFreeTheSizesBecomeRightAgain)
{
    sizes.sized(ofSegment(Action::SegmentAlloc, kBase, 20 * kMiB));
    allocated(kBase, 4 * kMiB);
    allocated(kBase + 4 * kMiB, 2 * kMiB);
    EXPECT_EQ(allocated(kBase, 5 * kMiB), 5 * kMiB) << "both were freed";
    EXPECT_EQ(sizes.misfits(), 1);
    EXPECT_EQ(allocated(kBase + 5 * kMiB, 14 * kMiB + 512 * kKiB), 15 * kMiB);
    EXPECT_EQ(sizes.misfits(), 1);
}

TEST_F(BlockSizesTest, aBlockInNoSegmentIsAsLargeAsItsRequestRounded)
{
    EXPECT_EQ(allocated(kBase, 3 * kMiB + 1), 3 * kMiB + 512);
    EXPECT_EQ(sizes.misfits(), 1);
    EXPECT_EQ(sizes.sized(request(Action::FreeRequested, kBase + kGiB, 700)).bytes, 1024) << "never allocated";
}

TEST_F(BlockSizesTest, anUnmappedMiddleLeavesBothEnds)
{
    sizes.sized(ofSegment(Action::SegmentMap, kBase, 60 * kMiB));
    sizes.sized(ofSegment(Action::SegmentUnmap, kBase + 20 * kMiB, 20 * kMiB));
    EXPECT_EQ(allocated(kBase, 19 * kMiB + 512 * kKiB), 20 * kMiB);
    EXPECT_EQ(allocated(kBase + 40 * kMiB, 19 * kMiB + 512 * kKiB), 20 * kMiB);
    EXPECT_EQ(sizes.misfits(), 0);
    allocated(kBase + 30 * kMiB, 2 * kMiB);
    EXPECT_EQ(sizes.misfits(), 1) << "nothing is mapped there";
}

TEST_F(BlockSizesTest, otherEventsPassUnchanged)
{
    const AllocatorEvent outOfMemory{.address = 5, .bytes = 700, .requestedBytes = 700, .action = Action::OutOfMemory};
    EXPECT_EQ(sizes.sized(outOfMemory), outOfMemory);
}

/// Follows an allocator from some moment on, from what a device would tell, and compares with the truth.
class Follower {
public:
    Follower(CachingAllocator& allocator, const AllocatorSettings& settings)
        : m_allocator(allocator)
        , m_settings(settings)
        , m_sizes(settings)
    {
        for (const AllocatorEvent& living : livingEvents(allocator.snapshot(), 0)) {
            m_sizes.adopt(living);
            count(living);
        }
        allocator.setObserver([this](const AllocatorEvent& event) { follow(event); });
    }
    ~Follower() { m_allocator.setObserver(nullptr); }
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;

    void expectSums() const
    {
        EXPECT_EQ(m_counted.allocated, m_allocator.stats().allocatedBytes.aggregate.current);
        EXPECT_EQ(m_counted.active, m_allocator.stats().activeBytes.aggregate.current);
        EXPECT_EQ(m_counted.reserved, m_allocator.stats().reservedBytes.aggregate.current);
        EXPECT_EQ(m_sizes.misfits(), 0);
    }

    int blocksWithSlack = 0;
    int wrongSizes = 0;

private:
    struct Counted {
        Bytes allocated = 0;
        Bytes active = 0;
        Bytes reserved = 0;
    };

    void follow(const AllocatorEvent& event)
    {
        AllocatorEvent told = event;
        if (event.action == Action::Alloc || event.action == Action::FreeRequested
            || event.action == Action::FreeCompleted)
            told.bytes = 0;
        const AllocatorEvent sized = m_sizes.sized(told);
        wrongSizes += sized == event ? 0 : 1;
        const bool hasSlack = event.bytes != m_settings.roundedBytes(event.requestedBytes);
        blocksWithSlack += event.action == Action::Alloc && hasSlack ? 1 : 0;
        count(sized);
    }

    void count(const AllocatorEvent& event)
    {
        m_counted.allocated += event.action == Action::Alloc ? event.bytes : 0;
        m_counted.allocated -= event.action == Action::FreeRequested ? event.bytes : 0;
        m_counted.active += event.action == Action::Alloc ? event.bytes : 0;
        m_counted.active -= event.action == Action::FreeCompleted ? event.bytes : 0;
        const bool grows = event.action == Action::SegmentAlloc || event.action == Action::SegmentMap;
        const bool shrinks = event.action == Action::SegmentFree || event.action == Action::SegmentUnmap;
        m_counted.reserved += grows ? event.bytes : shrinks ? -event.bytes : 0;
    }

    CachingAllocator& m_allocator;
    AllocatorSettings m_settings;
    BlockSizes m_sizes;
    Counted m_counted;
};

TEST(BlockSizesOfRandomProgramsTest, areThoseOfTheAllocator)
{
    constexpr unsigned kPrograms = 1000;
    int blocksWithSlack = 0;
    for (unsigned seed = 1; seed <= kPrograms; ++seed) {
        const std::string& text = allocatorSettingsToTry()[seed % allocatorSettingsToTry().size()];
        SCOPED_TRACE(text + " seed " + std::to_string(seed));
        const AllocatorSettings settings = parseAllocatorSettings(text);
        CachingAllocator allocator({.limitBytes = seed % 2 == 0 ? 700 * kMiB : kUnlimitedBytes}, settings);
        RandomRequests program(allocator, seed);
        program.run(static_cast<int>(seed % 3) * 60); // from nothing, or with blocks that live already
        Follower follower(allocator, settings);
        for (int i = 0; i < 5; ++i) {
            program.run(40);
            follower.expectSums();
        }
        ASSERT_EQ(follower.wrongSizes, 0);
        ASSERT_FALSE(HasFailure());
        blocksWithSlack += follower.blocksWithSlack;
    }
    EXPECT_GT(blocksWithSlack, static_cast<int>(kPrograms)) << "the programs must have what is to be found";
}

} // namespace
} // namespace headroom::simulator::block_sizes_test
