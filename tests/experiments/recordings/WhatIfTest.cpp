// SPDX-License-Identifier: Apache-2.0
#include "experiments/recordings/WhatIf.h"

#include "experiments/recordings/SettingSuggestions.h"

#include "core/base/Error.h"
#include "profiling/recordings/RecordingFile.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

const simulator::ProfileCatalogue& cards()
{
    static const simulator::ProfileCatalogue catalogue(checkout("resources"));
    return catalogue;
}

recordings::Recording recordingOf(const std::string& name)
{
    return recordings::readRecording(checkout("tests/fuzz/corpus/recording/" + name));
}

WhatIfAnswer ask(const recordings::Recording& recording, const std::vector<std::string>& allocators)
{
    return askWhatIf(recording, {.allocators = allocators, .capacityBytes = {}}, cards());
}

TEST(WhatIfTest, theRecordedSettingsAreServedAsRecorded)
{
    const auto recording = recordingOf("protocol_4.pickle");
    const WhatIfAnswer answer = ask(recording, {recordedSettings(recording)});
    ASSERT_EQ(answer.rows.size(), 1u);
    const WhatIfRow& row = answer.rows[0];
    EXPECT_TRUE(row.isRecorded);
    EXPECT_EQ(row.allocator, "default");
    EXPECT_EQ(row.outcome.servedAsRecorded, row.outcome.allocations);
    EXPECT_EQ(row.outcome.peakReservedBytes, 50 * kMiB);
    EXPECT_EQ(row.unusedBytes(), 14 * kMiB);
    EXPECT_FALSE(row.smallestCard.empty());
    EXPECT_THAT(answer.remarks, testing::Contains(testing::HasSubstr("same requests in the same order")));
}

// The state of the optimizer fits into what the activation left, where segments can grow.
TEST(WhatIfTest, otherSettingsAreServedBesideThem)
{
    const auto recording = recordingOf("protocol_4.pickle");
    const WhatIfAnswer answer = ask(recording, {"", "expandable_segments:True"});
    ASSERT_EQ(answer.rows.size(), 2u);
    EXPECT_FALSE(answer.rows[1].isRecorded);
    EXPECT_EQ(answer.rows[1].outcome.peakReservedBytes, 40 * kMiB);
}

WhatIfRow rowOf(const std::string& allocator, Bytes reserved, Bytes unused, Bytes smallest, bool fails = false)
{
    WhatIfRow row;
    row.allocator = allocator;
    row.isRecorded = allocator == "default";
    row.outcome.peakReservedBytes = reserved;
    row.outcome.allocatedAtReservedPeakBytes = reserved - unused;
    row.smallestCapacityBytes = smallest;
    if (fails)
        row.outcome.failure.emplace();
    return row;
}

// It reserves less because it ends earlier.
TEST(WhatIfTest, aSettingThatRunsOutOfMemoryIsNotSuggested)
{
    EXPECT_FALSE(bestSetting({rowOf("default", 78 * kGiB, kGiB, 84 * kGiB, true),
        rowOf("roundup_power2_divisions:8", 74 * kGiB, kGiB, 89 * kGiB, true)}));
    const auto best = bestSetting({rowOf("default", 78 * kGiB, kGiB, 84 * kGiB, true),
        rowOf("roundup_power2_divisions:8", 74 * kGiB, kGiB, 89 * kGiB, true),
        rowOf("expandable_segments:True", 79 * kGiB, kGiB, 79 * kGiB)});
    ASSERT_TRUE(best);
    EXPECT_EQ(best->allocator, "expandable_segments:True");
}

TEST(WhatIfTest, ofSettingsThatDoWithAboutAsLittleTheOneThatLeavesLessUnusedIsSuggested)
{
    const auto best = bestSetting({rowOf("default", 200 * kMiB, 20 * kMiB, 200 * kMiB),
        rowOf("max_split_size_mb:32", 220 * kMiB, 80 * kMiB, 180 * kMiB),
        rowOf("expandable_segments:True", 201 * kMiB, 20 * kMiB, 181 * kMiB)});
    ASSERT_TRUE(best);
    EXPECT_EQ(best->allocator, "expandable_segments:True");
}

TEST(WhatIfTest, whatFailedIsTriedInTheMemoryThatTheRecordingTellsOf)
{
    const auto recording = recordingOf("out_of_memory.pickle");
    const WhatIfAnswer answer =
        askWhatIf(recording, {.allocators = {""}, .capacityBytes = {}, .suggests = true}, cards());
    const WhatIfRow& recorded = answer.rows.at(0);
    ASSERT_TRUE(recorded.outcome.failure);
    EXPECT_TRUE(recorded.outcome.failure->isRecorded);
    EXPECT_GE(recorded.smallestCapacityBytes, 84 * kMiB);
    const auto expandable = std::ranges::find(answer.rows, "expandable_segments:True", &WhatIfRow::allocator);
    ASSERT_NE(expandable, answer.rows.end());
    EXPECT_EQ(expandable->capacityBytes, 100 * kMiB);
    EXPECT_TRUE(expandable->fits());
    EXPECT_EQ(expandable->outcome.fittingNow, 1);
    ASSERT_TRUE(answer.suggestion);
    EXPECT_THAT(answer.suggestion->line, testing::HasSubstr("PYTORCH_CUDA_ALLOC_CONF"));
}

TEST(WhatIfTest, aFractionNeedsMemoryThatIsKnown)
{
    const auto recording = recordingOf("protocol_4.pickle");
    EXPECT_THROW(ask(recording, {"per_process_memory_fraction:0.5"}), UsageError);
    EXPECT_THROW(ask(recording, {"expandable_segment:True"}), UsageError);
    const WhatIfAnswer answer =
        askWhatIf(recording, {.allocators = {"per_process_memory_fraction:0.5"}, .capacityBytes = 80 * kMiB}, cards());
    ASSERT_TRUE(answer.rows.at(0).outcome.failure); // 40 MiB are too few
    EXPECT_EQ(answer.rows[0].outcome.failure->facts.requestedBytes, 30 * kMiB);
}

} // namespace
} // namespace headroom::experiments
