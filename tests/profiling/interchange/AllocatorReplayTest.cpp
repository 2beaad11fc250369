// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/AllocatorReplay.h"

#include "tests/profiling/simulator/RandomRequests.h"

#include <gtest/gtest.h>

namespace headroom::interchange::allocator_replay_test {
namespace {

// Expandable segments among them: what was mapped before the trace began is unmapped in it.
TEST(AllocatorReplayTest, aTraceThatBeginsLatePassesUnchanged)
{
    for (unsigned seed = 1; seed <= 100; ++seed) {
        const std::string& text =
            simulator::allocatorSettingsToTry()[seed % simulator::allocatorSettingsToTry().size()];
        SCOPED_TRACE(text + " seed " + std::to_string(seed));
        simulator::CachingAllocator allocator({.limitBytes = 700 * kMiB}, simulator::parseAllocatorSettings(text));
        simulator::RandomRequests program(allocator, seed);
        program.run(120);
        std::vector<trace::AllocatorEvent> given = livingEvents(allocator.snapshot(), 0);
        allocator.setObserver([&](const trace::AllocatorEvent& event) { given.push_back(event); });
        program.run(200);
        std::vector<trace::AllocatorEvent> passed;
        AllocatorReplay replay([&](const trace::AllocatorEvent& event) { passed.push_back(event); }, {});
        for (const trace::AllocatorEvent& event : given)
            replay.apply(event);
        EXPECT_EQ(passed, given);
        EXPECT_EQ(replay.repairs().leftOut, 0);
        EXPECT_EQ(replay.repairs().addedFrees, 0);
        EXPECT_FALSE(replay.hasOwnSegments());
    }
}

} // namespace
} // namespace headroom::interchange::allocator_replay_test
