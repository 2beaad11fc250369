// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/AllocatorSettings.h"

#include "core/base/Error.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::simulator {
namespace {

using testing::HasSubstr;

UsageError refusalOf(const std::string& text)
{
    SCOPED_TRACE(text);
    return errorOf([&] { parseAllocatorSettings(text); }).value_or(UsageError(""));
}

TEST(AllocatorSettingsTest, anEmptyTextGivesTheDefaults)
{
    EXPECT_EQ(parseAllocatorSettings(""), AllocatorSettings{});
    EXPECT_EQ(parseAllocatorSettings(" "), AllocatorSettings{});
}

TEST(AllocatorSettingsTest, readsEverySettingThatDecidesAboutBytes)
{
    const AllocatorSettings settings =
        parseAllocatorSettings("max_split_size_mb:64, max_non_split_rounding_mb:32,large_segment_size_mb:24,"
                               "garbage_collection_threshold:0.8,per_process_memory_fraction:0.5,"
                               "expandable_segments:True,throw_on_cudamalloc_oom:True,backend:native");
    EXPECT_EQ(settings.maxSplitBytes, 64 * kMiB);
    EXPECT_EQ(settings.maxNonSplitRoundingBytes, 32 * kMiB);
    EXPECT_EQ(settings.largeSegmentBytes, 24 * kMiB);
    EXPECT_EQ(settings.garbageCollectionThreshold, 0.8);
    EXPECT_EQ(settings.memoryFraction, 0.5);
    EXPECT_TRUE(settings.isExpandable());
    EXPECT_EQ(settings.fractionPolicy, FractionPolicy::Reject);
}

TEST(AllocatorSettingsTest, keepsTheGivenDefaultsForWhatIsNotNamed)
{
    AllocatorSettings defaults;
    defaults.largeSegmentBytes = 40 * kMiB;
    const AllocatorSettings settings = parseAllocatorSettings("max_split_size_mb:64", "here", defaults);
    EXPECT_EQ(settings.largeSegmentBytes, 40 * kMiB);
    EXPECT_EQ(settings.maxNonSplitRoundingBytes, 40 * kMiB);
    EXPECT_THROW(parseAllocatorSettings("max_split_size_mb:30", "here", defaults), UsageError);
}

TEST(AllocatorSettingsTest, aListOfDivisionsHoldsForItsIntervals)
{
    const auto divisions =
        parseAllocatorSettings("roundup_power2_divisions:[256:1,512:2,1024:4,>:8]").roundupPower2Divisions;
    EXPECT_EQ(divisions, (decltype(divisions){1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 8, 8, 8, 8}));
}

TEST(AllocatorSettingsTest, aListLeavesGapsUnrounded)
{
    const auto divisions = parseAllocatorSettings("roundup_power2_divisions:[1:2,8:4]").roundupPower2Divisions;
    EXPECT_EQ(divisions, (decltype(divisions){2, 0, 0, 4}));
}

TEST(AllocatorSettingsTest, theDivisionsOfARequestAreThoseOfItsPowerOfTwo)
{
    const AllocatorSettings settings = parseAllocatorSettings("roundup_power2_divisions:[256:1,512:2,1024:4,>:8]");
    EXPECT_EQ(settings.divisionsFor(1), 1);
    EXPECT_EQ(settings.divisionsFor(512 * kMiB - 1), 1);
    EXPECT_EQ(settings.divisionsFor(512 * kMiB), 2);
    EXPECT_EQ(settings.divisionsFor(1024 * kMiB), 4);
    EXPECT_EQ(settings.divisionsFor(Bytes{1} << 45), 8);
    EXPECT_EQ(settings.roundedBytes(512 * kMiB + 1), 768 * kMiB);
    EXPECT_EQ(settings.roundedBytes(300 * kMiB + 1), 300 * kMiB + 512);
}

TEST(AllocatorSettingsTest, powersOfTwoStayAndTheLastStepReachesTheNext)
{
    const AllocatorSettings settings = parseAllocatorSettings("roundup_power2_divisions:8");
    EXPECT_EQ(settings.roundedBytes(64 * kMiB), 64 * kMiB);
    EXPECT_EQ(settings.roundedBytes(127 * kMiB), 128 * kMiB);
    EXPECT_EQ(settings.roundedBytes(4096), 4096);
    EXPECT_EQ(settings.roundedBytes(4097), 4608);
}

TEST(AllocatorSettingsTest, aSplitLimitBelowTheLargeSegmentIsRefused)
{
    const UsageError error = refusalOf("max_split_size_mb:19");
    EXPECT_THAT(error.problem(), HasSubstr("'max_split_size_mb' has the value '19'"));
    EXPECT_EQ(error.where(), "PYTORCH_ALLOC_CONF");
    EXPECT_THAT(error.valid(), HasSubstr("20 MB"));
    EXPECT_EQ(parseAllocatorSettings("max_split_size_mb:20").maxSplitBytes, 20 * kMiB);
    // Whatever the order, the segment that counts is the one that holds in the end.
    EXPECT_THROW(parseAllocatorSettings("max_split_size_mb:20,large_segment_size_mb:32"), UsageError);
}

TEST(AllocatorSettingsTest, anUnknownKeyNamesTheKnownOnes)
{
    const UsageError error = refusalOf("max_split_mb:64");
    EXPECT_THAT(error.problem(), HasSubstr("'max_split_mb'"));
    EXPECT_THAT(error.valid(), HasSubstr("max_split_size_mb"));
    EXPECT_THAT(error.valid(), HasSubstr("roundup_power2_divisions"));
}

TEST(AllocatorSettingsTest, cudaKnowsWhatIsNotSimulated)
{
    const auto onCuda = [](const char* text) { return parseAllocatorSettings(text, "w", {}, AllocatorOwner::Cuda); };
    EXPECT_EQ(onCuda("backend:cudaMallocAsync,pinned_reserve_segment_size_mb:64"), AllocatorSettings{});
    EXPECT_EQ(onCuda("max_split_size_mb:64"), parseAllocatorSettings("max_split_size_mb:64"));
    EXPECT_THAT(errorOf([&] { onCuda("backend:mine"); })->valid(), HasSubstr("native or cudaMallocAsync"));
    EXPECT_THAT(errorOf([&] { onCuda("pinned_reserve_segment_size_mb:x"); })->valid(), HasSubstr("whole number"));
    const UsageError unknown = *errorOf([&] { onCuda("throw_on_cudamalloc_oom:True"); });
    EXPECT_THAT(unknown.valid(), HasSubstr("pinned_reserve_segment_size_mb"));
    EXPECT_THAT(unknown.valid(), testing::Not(HasSubstr("throw_on_cudamalloc_oom")));
    EXPECT_NO_THROW(parseAllocatorSettings("throw_on_cudamalloc_oom:True"));
}

class BadSettingTest : public testing::TestWithParam<std::pair<const char*, const char*>> { };

TEST_P(BadSettingTest, isRefusedWithWhatIsValid)
{
    const auto& [text, valid] = GetParam();
    EXPECT_THAT(refusalOf(text).valid(), HasSubstr(valid));
}

INSTANTIATE_TEST_SUITE_P(All, BadSettingTest,
    testing::Values(std::pair{"max_split_size_mb:many", "whole number"},
        std::pair{"max_split_size_mb:64MB", "whole number"}, std::pair{"max_split_size_mb", "key:value"},
        std::pair{":3", "key:value"}, std::pair{"expandable_segments:yes", "True or False"},
        std::pair{"garbage_collection_threshold:0", "greater than 0"},
        std::pair{"garbage_collection_threshold:1.0", "less than 1"},
        std::pair{"garbage_collection_threshold:nan", "less than 1"},
        std::pair{"per_process_memory_fraction:1.1", "0 to 1"}, std::pair{"roundup_power2_divisions:3", "power of two"},
        std::pair{"roundup_power2_divisions:[100:2]", "powers of two"},
        std::pair{"roundup_power2_divisions:[256]", "interval:divisions"},
        std::pair{"roundup_power2_divisions:[256:3]", "power of two"},
        std::pair{"large_segment_size_mb:9", "at least 10"}, std::pair{"max_non_split_rounding_mb:10", "20 MB"},
        std::pair{"backend:cudaMallocAsync", "native"}, std::pair{"pinned_reserve_segment_size_mb:64", "backend"},
        std::pair{"pinned_num_register_threads:3", "power of two"},
        std::pair{"max_split_size_mb:64,,expandable_segments:True", "key:value"}));

} // namespace
} // namespace headroom::simulator
