// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/PhaseContents.h"

#include "tests/profiling/trace/peaks/OwnedTrace.h"

#include <gtest/gtest.h>

namespace headroom::trace {
namespace {

using config::MemoryCategory;

std::vector<PhaseContent> contentsOf(
    const std::vector<AllocatorEvent>& events, const std::vector<PhaseSpan>& phases, const OwnerTable& owners)
{
    PhaseContents contents(phases, owners);
    EventBlockHeader header;
    for (std::size_t i = 0; i < events.size(); i += 100) {
        const auto block = std::span(events).subspan(i, std::min<std::size_t>(100, events.size() - i));
        contents.visit(header, block);
        for (const AllocatorEvent& event : block)
            header.before.apply(event);
    }
    return contents.take();
}

TEST(PhaseContentsTest, thePeakOfAPhaseWithWhatItConsistedOf)
{
    OwnerTable owners;
    const OwnerId weights = owners.idOf({MemoryCategory::Weights, "a", ""});
    const OwnerId saved = owners.idOf({MemoryCategory::SavedActivations, "a", ""});
    const std::vector<PhaseSpan> phases{{"forward", 0, 10, 20}, {"backward", 0, 20, 30}};
    const auto contents = contentsOf({allocated(1, 1, 100, weights), allocated(12, 2, 30, saved), allocated(14, 3, 9),
                                         freed(15, 3, 9), freed(25, 2, 30, saved)},
        phases, owners);
    ASSERT_EQ(contents.size(), 2u);
    EXPECT_EQ(contents[0].allocated, (Peak{139, 14}));
    EXPECT_EQ(contents[0].categories.of(MemoryCategory::Unknown), 9);
    EXPECT_EQ(contents[0].categories.of(MemoryCategory::Weights), 100);
    EXPECT_EQ(contents[1].allocated, (Peak{130, 20}));
    EXPECT_EQ(contents[1].categories.of(MemoryCategory::SavedActivations), 30);
}

TEST(PhaseContentsTest, phasesWithoutEventsHoldWhatWasThere)
{
    const std::vector<PhaseSpan> phases{{"ema", 0, 100, 200}};
    const auto contents = contentsOf({allocated(1, 1, 100)}, phases, OwnerTable());
    EXPECT_EQ(contents.front().allocated, (Peak{100, 100}));
    EXPECT_EQ(contents.front().categories.of(MemoryCategory::Unknown), 100);
}

TEST(PhaseContentsTest, whatBecomesKnownRightAfterThePeakCountsForIt)
{
    OwnerTable owners;
    const OwnerId saved = owners.idOf({MemoryCategory::SavedActivations, "a", ""});
    const std::vector<PhaseSpan> phases{{"forward", 0, 0, 100}};
    const auto contents = contentsOf({allocated(1, 1, 50), relabelled(2, 1, 20, kUnknownOwner, saved), freed(3, 9, 1),
                                         relabelled(4, 1, 30, kUnknownOwner, saved)},
        phases, owners);
    EXPECT_EQ(contents[0].allocated, (Peak{50, 1}));
    EXPECT_EQ(contents[0].categories.of(MemoryCategory::SavedActivations), 20);
}

// Nothing is remembered from event to event: every instant of every phase is counted anew.
PhaseContent plainly(const OwnedTrace& trace, const PhaseSpan& phase)
{
    PhaseContent found{.phase = phase, .allocated = {-1, phase.beginNs}, .categories = {}};
    CategoryBytes now;
    bool isAtPeak = false; ///< no block came or went since
    const auto look = [&](std::int64_t timeNs) {
        if (timeNs >= phase.beginNs && timeNs < phase.endNs && now.total() > found.allocated.bytes) {
            found.allocated = {now.total(), timeNs};
            found.categories = now;
            isAtPeak = true;
        }
    };
    for (std::size_t i = 0; i <= trace.events.size(); ++i) {
        const bool isNextInside = i == trace.events.size() || trace.events[i].timeNs >= phase.beginNs;
        if (isNextInside && found.allocated.bytes < 0)
            look(phase.beginNs);
        if (i == trace.events.size())
            break;
        const AllocatorEvent& event = trace.events[i];
        const auto of = [&](OwnerId owner) -> Bytes& { return now.of(trace.owners.of(owner).category); };
        if (event.action == Action::Relabelled)
            of(event.previousOwner) -= event.bytes;
        of(event.owner) += event.action == Action::FreeRequested ? -event.bytes : event.bytes;
        if (event.action != Action::Relabelled)
            isAtPeak = false;
        else if (isAtPeak && event.timeNs < phase.endNs)
            found.categories = now;
        look(event.timeNs);
    }
    return found;
}

TEST(PhaseContentsTest, agreeWithAPlainCountOnRandomTraces)
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const OwnedTrace trace = randomOwnedTrace(1'500, seed);
        const auto contents = contentsOf(trace.events, trace.phases, trace.owners);
        ASSERT_EQ(contents.size(), trace.phases.size());
        for (std::size_t i = 0; i < contents.size(); ++i) {
            ASSERT_EQ(contents[i], plainly(trace, trace.phases[i])) << "seed " << seed << ", phase " << i;
            ASSERT_EQ(contents[i].categories.total(), contents[i].allocated.bytes);
        }
    }
}

} // namespace
} // namespace headroom::trace
