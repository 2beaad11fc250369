// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/LiveHoldings.h"

#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/PhaseSpan.h"
#include "tests/profiling/trace/peaks/OwnedTrace.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <tuple>

namespace headroom::trace::live_holdings_test {
namespace {

using config::MemoryCategory;
using Birth = Holding::Birth;

const PhaseSpan kForward{"forward", 3, 100, 200};

Bytes sumOf(const Holdings& holdings)
{
    return std::accumulate(holdings.parts.begin(), holdings.parts.end(), Bytes{0},
        [](Bytes sum, const Holding& part) { return sum + part.bytes; });
}

TEST(LiveHoldingsTest, aBlockIsHeldByItsOwnerSinceItsPhase)
{
    LiveHoldings live({}, std::vector{kForward});
    live.apply(allocated(50, 0x10, 64, 1));
    live.apply(allocated(150, 0x20, 8, 1));
    live.apply(allocated(199, 0x30, 4, 1));
    EXPECT_EQ(live.holdings().parts,
        (std::vector<Holding>{{.owner = 1, .birth = Birth::OutsideOfPhases, .bytes = 64, .blocks = 1},
            {.owner = 1, .birth = Birth::InPhase, .phase = kForward, .bytes = 12, .blocks = 2}}));
}

TEST(LiveHoldingsTest, aRelabelledBlockChangesItsOwnerButNotItsBirth)
{
    LiveHoldings live({}, std::vector{kForward});
    live.apply(allocated(150, 0x10, 64, 1));
    live.apply(relabelled(500, 0x10, 64, 1, 2));
    EXPECT_EQ(live.holdings().parts,
        (std::vector<Holding>{{.owner = 2, .birth = Birth::InPhase, .phase = kForward, .bytes = 64, .blocks = 1}}));
    live.apply(freed(600, 0x10, 64, 2));
    EXPECT_TRUE(live.holdings().parts.empty());
}

TEST(LiveHoldingsTest, whatWasHeldBeforeIsNobodysUntilItIsRelabelledOrFreed)
{
    LiveHoldings live({.allocated = 100}, {});
    live.apply(relabelled(1, 0x10, 60, kUnknownOwner, 2));
    live.apply(freed(2, 0x20, 30));
    EXPECT_EQ(live.holdings().parts,
        (std::vector<Holding>{{.owner = kUnknownOwner, .birth = Birth::BeforeTrace, .bytes = 10},
            {.owner = 2, .birth = Birth::BeforeTrace, .bytes = 60, .blocks = 1}}));
    EXPECT_EQ(live.counters().allocated, 70);
}

TEST(LiveHoldingsTest, afterLostEventsTheDifferenceIsNobodys)
{
    LiveHoldings live({}, {});
    live.apply(allocated(1, 0x10, 64, 1));
    live.settle({.allocated = 200});
    EXPECT_EQ(sumOf(live.holdings()), 200);
    EXPECT_EQ(live.holdings().parts.front().owner, kUnknownOwner);
    EXPECT_EQ(live.holdings().parts.front().bytes, 136);
}

/// The plain way: every live block by itself, its phase looked for among all.
struct Reference {
    struct Block {
        OwnerId owner;
        std::optional<PhaseSpan> phase;
        Bytes bytes;
    };
    using Key = std::tuple<OwnerId, std::string, std::int64_t>;

    std::map<std::uint64_t, Block> blocks;

    void apply(const AllocatorEvent& event, const std::vector<PhaseSpan>& phases)
    {
        if (event.action == Action::Alloc) {
            const PhaseSpan* phase = phaseAt(phases, event.timeNs);
            blocks[event.address] = {event.owner, phase ? std::optional(*phase) : std::nullopt, event.bytes};
        } else if (event.action == Action::Relabelled) {
            blocks.at(event.address).owner = event.owner;
        } else {
            blocks.erase(event.address);
        }
    }

    std::map<Key, std::pair<Bytes, std::int64_t>> sums() const
    {
        std::map<Key, std::pair<Bytes, std::int64_t>> sums;
        for (const auto& [address, block] : blocks) {
            auto& [bytes, count] =
                sums[{block.owner, block.phase ? block.phase->name : "", block.phase ? block.phase->step : -1}];
            bytes += block.bytes;
            ++count;
        }
        return sums;
    }
};

TEST(LiveHoldingsTest, agreeWithBlocksCountedOneByOneOnRandomTraces)
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const OwnedTrace trace = randomOwnedTrace(2'000, seed);
        LiveHoldings live({}, trace.phases);
        const OwnerCategories owners(trace.owners.all());
        CategoryCounters balance;
        Reference reference;
        for (std::size_t i = 0; i < trace.events.size(); ++i) {
            live.apply(trace.events[i]);
            balance.apply(trace.events[i], owners);
            reference.apply(trace.events[i], trace.phases);
            if (i % 97 != 0)
                continue;
            const Holdings holdings = live.holdings();
            std::map<Reference::Key, std::pair<Bytes, std::int64_t>> sums;
            for (const Holding& part : holdings.parts)
                sums[{part.owner, part.phase ? part.phase->name : "", part.phase ? part.phase->step : -1}] = {
                    part.bytes, part.blocks};
            ASSERT_EQ(sums, reference.sums()) << "seed " << seed << ", event " << i;
            ASSERT_EQ(sumOf(holdings), holdings.counters.allocated);
            ASSERT_EQ(categoriesOf(holdings, trace.owners), balance.categories);
        }
    }
}

} // namespace
} // namespace headroom::trace::live_holdings_test
