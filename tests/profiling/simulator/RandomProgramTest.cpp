// SPDX-License-Identifier: Apache-2.0
//
// Random programs with fixed seeds. After every step the state must be sound, and where no setting makes the choice
// more involved, each allocation must be the one that a search through the whole snapshot finds.
#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/OutOfMemory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace headroom::simulator::random_program_test {
namespace {

struct Program {
    std::string name;
    std::string settings;
    Bytes limitBytes;
    int seed;
};

void PrintTo(const Program& program, std::ostream* out)
{
    *out << program.name;
}

struct Choice {
    Address address = 0;
    Bytes bytes = 0;
    Bytes newSegmentBytes = 0;
};

class RandomProgramTest : public testing::TestWithParam<Program> {
protected:
    RandomProgramTest()
        : m_settings(parseAllocatorSettings(GetParam().settings))
        , m_allocator({.limitBytes = GetParam().limitBytes}, m_settings)
        , m_random(static_cast<unsigned>(GetParam().seed))
    {
        m_allocator.setObserver([this](const trace::AllocatorEvent& event) { follow(event); });
    }

    void run(int steps)
    {
        for (int i = 0; i < steps && !HasFailure(); ++i) {
            step();
            expectSound();
        }
    }

    void freeEverything()
    {
        for (; !m_live.empty(); m_live.pop_back())
            m_allocator.free(m_live.back());
        m_allocator.emptyCache();
    }

    AllocatorSettings m_settings;
    CachingAllocator m_allocator;

private:
    unsigned below(unsigned bound) { return static_cast<unsigned>(m_random() % bound); }

    Bytes someBytes()
    {
        const Bytes magnitudes[] = {700, 60 * kKiB, kMiB, 3 * kMiB, 12 * kMiB, 90 * kMiB};
        return 1 + static_cast<Bytes>(m_random() % static_cast<unsigned>(magnitudes[below(6)]));
    }

    void step()
    {
        const unsigned kind = below(100);
        if (kind < 52 || m_live.empty())
            allocate();
        else if (kind < 94)
            freeOne();
        else if (kind < 96)
            m_allocator.recordStream(
                m_live[below(static_cast<unsigned>(m_live.size()))], static_cast<Stream>(below(3)));
        else if (kind < 99)
            m_allocator.synchronize(static_cast<Stream>(below(3)));
        else
            m_allocator.emptyCache();
    }

    void allocate()
    {
        const Bytes bytes = someBytes();
        const auto stream = static_cast<Stream>(below(2));
        const auto expected = expectedChoice(bytes, stream);
        const Bytes reservedBefore = m_allocator.stats().reservedBytes.aggregate.current;
        try {
            m_live.push_back(m_allocator.allocate(bytes, stream));
        } catch (const OutOfMemory& outOfMemory) {
            EXPECT_GT(outOfMemory.facts().missingBytes, 0);
            return;
        }
        if (expected)
            expectChoice(*expected, reservedBefore);
    }

    void expectChoice(const Choice& expected, Bytes reservedBefore)
    {
        const Address address = m_live.back();
        if (expected.newSegmentBytes == 0) {
            EXPECT_EQ(address, expected.address);
        }
        EXPECT_EQ(m_blocks.at(address), expected.bytes);
        EXPECT_EQ(m_allocator.stats().reservedBytes.aggregate.current, reservedBefore + expected.newSegmentBytes);
    }

    void freeOne()
    {
        const std::size_t index = below(static_cast<unsigned>(m_live.size()));
        m_allocator.free(m_live[index]);
        m_live.erase(m_live.begin() + static_cast<std::ptrdiff_t>(index));
    }

    /// Best fit by looking at every block, for programs without limit, expandable segments and waiting blocks.
    std::optional<Choice> expectedChoice(Bytes requested, Stream stream) const
    {
        if (GetParam().limitBytes != kUnlimitedBytes || m_settings.isExpandable() || m_waiting > 0)
            return std::nullopt;
        const Bytes bytes = m_settings.roundedBytes(requested);
        const BlockSnapshot* best = nullptr;
        const AllocatorSnapshot snapshot = m_allocator.snapshot();
        for (const SegmentSnapshot& segment : snapshot.segments) {
            if (segment.stream != stream || segment.pool != poolFor(bytes))
                continue;
            for (const BlockSnapshot& block : segment.blocks) {
                if (block.state == BlockState::Inactive && block.bytes >= bytes && (!best || block.bytes < best->bytes))
                    best = &block;
            }
        }
        const bool isOversize = bytes >= m_settings.maxSplitBytes;
        if (best && !isOversize && best->bytes >= m_settings.maxSplitBytes)
            best = nullptr;
        if (best && isOversize && best->bytes >= bytes + m_settings.maxNonSplitRoundingBytes)
            best = nullptr;
        Choice choice;
        choice.newSegmentBytes = best ? 0 : m_settings.segmentBytes(bytes);
        choice.address = best ? best->address : 0;
        const Bytes found = best ? best->bytes : choice.newSegmentBytes;
        const bool splits =
            poolFor(bytes) == PoolKind::Small ? found - bytes >= 512 : !isOversize && found - bytes > kMiB;
        choice.bytes = splits ? bytes : found;
        return choice;
    }

    /// Rebuilds the state from the events alone.
    void follow(const trace::AllocatorEvent& event)
    {
        using trace::Action;
        switch (event.action) {
        case Action::Alloc:
            EXPECT_TRUE(m_blocks.emplace(event.address, event.bytes).second) << "handed out twice";
            m_requested += event.requestedBytes;
            break;
        case Action::FreeRequested:
            ++m_waiting;
            m_waitingBytes += event.bytes;
            break;
        case Action::FreeCompleted:
            EXPECT_EQ(m_blocks.erase(event.address), 1u);
            --m_waiting;
            m_waitingBytes -= event.bytes;
            m_requested -= event.requestedBytes;
            break;
        case Action::SegmentAlloc:
        case Action::SegmentMap:
            m_reserved += event.bytes;
            break;
        case Action::SegmentFree:
        case Action::SegmentUnmap:
            m_reserved -= event.bytes;
            break;
        case Action::OutOfMemory:
            break;
        case Action::Relabelled:
            ADD_FAILURE() << "an allocator knows no owners";
            break;
        }
    }

    void expectSound() const
    {
        const DeviceStats& stats = m_allocator.stats();
        expectTotals(stats);
        expectConserved(stats);
        expectBlocksDisjoint();
    }

    void expectTotals(const DeviceStats& stats) const
    {
        Bytes total = 0;
        Bytes allocated = 0;
        Bytes active = 0;
        Bytes inactiveSplit = 0;
        Address end = 0;
        for (const SegmentSnapshot& segment : m_allocator.snapshot().segments) {
            ASSERT_GE(segment.address, end) << "segments overlap";
            expectTiled(segment);
            end = segment.address + static_cast<Address>(segment.totalBytes);
            total += segment.totalBytes;
            allocated += segment.allocatedBytes;
            active += segment.activeBytes;
            if (segment.blocks.size() > 1)
                inactiveSplit += segment.totalBytes - segment.activeBytes;
        }
        EXPECT_EQ(total, stats.reservedBytes.aggregate.current);
        EXPECT_EQ(total, m_reserved);
        EXPECT_LE(total, GetParam().limitBytes);
        EXPECT_EQ(allocated, stats.allocatedBytes.aggregate.current);
        EXPECT_EQ(active, stats.activeBytes.aggregate.current);
        EXPECT_EQ(active - allocated, m_waitingBytes);
        EXPECT_EQ(m_requested, stats.requestedBytes.aggregate.current);
        EXPECT_EQ(static_cast<std::int64_t>(m_live.size()), stats.allocation.aggregate.current);
        if (!m_settings.isExpandable()) {
            EXPECT_EQ(inactiveSplit, stats.inactiveSplitBytes.aggregate.current);
        }
    }

    static void expectTiled(const SegmentSnapshot& segment)
    {
        Address next = segment.address;
        const BlockSnapshot* previous = nullptr;
        for (const BlockSnapshot& block : segment.blocks) {
            ASSERT_EQ(block.address, next) << "a gap or an overlap";
            ASSERT_GT(block.bytes, 0);
            ASSERT_EQ(block.bytes % 512, 0);
            const bool bothFree =
                previous && previous->state == BlockState::Inactive && block.state == BlockState::Inactive;
            ASSERT_FALSE(bothFree) << "free neighbours were not merged";
            next += static_cast<Address>(block.bytes);
            previous = &block;
        }
        ASSERT_EQ(next, segment.address + static_cast<Address>(segment.totalBytes));
    }

    static void expectConserved(const DeviceStats& stats)
    {
        for (const StatArray& array :
            {stats.allocation, stats.segment, stats.active, stats.inactiveSplit, stats.allocatedBytes,
                stats.reservedBytes, stats.activeBytes, stats.inactiveSplitBytes, stats.requestedBytes}) {
            for (const Stat& stat : {array.aggregate, array.small, array.large}) {
                EXPECT_EQ(stat.allocated - stat.freed, stat.current);
                EXPECT_GE(stat.current, 0);
                EXPECT_GE(stat.peak, stat.current);
            }
            EXPECT_EQ(array.small.current + array.large.current, array.aggregate.current);
        }
        EXPECT_GE(stats.reservedBytes.aggregate.current, stats.activeBytes.aggregate.current);
        EXPECT_GE(stats.activeBytes.aggregate.current, stats.allocatedBytes.aggregate.current);
        EXPECT_GE(stats.activeBytes.aggregate.current, stats.requestedBytes.aggregate.current);
    }

    void expectBlocksDisjoint() const
    {
        Address end = 0;
        for (const auto& [address, bytes] : m_blocks) {
            ASSERT_GE(address, end) << "an address was reused while in use";
            end = address + static_cast<Address>(bytes);
        }
    }

    std::mt19937 m_random;
    std::vector<Address> m_live;
    std::map<Address, Bytes> m_blocks; ///< active ones
    int m_waiting = 0;
    Bytes m_waitingBytes = 0;
    Bytes m_requested = 0;
    Bytes m_reserved = 0;
};

TEST_P(RandomProgramTest, staysSoundAndReturnsEverything)
{
    run(3000);
    freeEverything();
    const DeviceStats& stats = m_allocator.stats();
    EXPECT_EQ(stats.reservedBytes.aggregate.current, 0);
    EXPECT_EQ(stats.activeBytes.aggregate.current, 0);
    EXPECT_EQ(stats.segment.aggregate.current, 0);
    EXPECT_EQ(stats.inactiveSplit.aggregate.current, 0);
    EXPECT_EQ(stats.inactiveSplitBytes.aggregate.current, 0);
    EXPECT_TRUE(m_allocator.snapshot().segments.empty());
}

std::vector<Program> programs()
{
    const std::pair<const char*, const char*> settings[] = {{"plain", ""}, {"max_split", "max_split_size_mb:32"},
        {"divisions", "roundup_power2_divisions:[1:4,16:8,>:2]"}, {"expandable", "expandable_segments:True"},
        {"collecting", "garbage_collection_threshold:0.6,per_process_memory_fraction:0.9,max_split_size_mb:20"},
        {"segments", "large_segment_size_mb:64,max_non_split_rounding_mb:64,max_split_size_mb:80"}};
    std::vector<Program> all;
    for (const auto& [name, text] : settings) {
        for (int seed = 1; seed <= 3; ++seed) {
            all.push_back({fmt::format("{}_{}", name, seed), text, kUnlimitedBytes, seed});
            all.push_back({fmt::format("{}_tight_{}", name, seed), text, 700 * kMiB, seed});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Settings, RandomProgramTest, testing::ValuesIn(programs()),
    [](const testing::TestParamInfo<Program>& program) { return program.param.name; });

} // namespace
} // namespace headroom::simulator::random_program_test
