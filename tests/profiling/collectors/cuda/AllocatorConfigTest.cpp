// SPDX-License-Identifier: Apache-2.0
//
// The parser of `device.allocator` against LibTorch's own, which needs no GPU: what is valid for a trial on CUDA must
// not end it when its worker starts.
#include "core/base/Error.h"
#include "profiling/simulator/AllocatorSettings.h"

#include <c10/cuda/CUDAAllocatorConfig.h>
#include <gtest/gtest.h>

namespace headroom::collectors::allocator_config_test {
namespace {

using c10::CachingAllocator::AcceleratorAllocatorConfig;
using c10::cuda::CUDACachingAllocator::CUDAAllocatorConfig;
using simulator::AllocatorOwner;
using simulator::AllocatorSettings;

bool isTakenByLibTorch(const std::string& text)
{
    try {
        AcceleratorAllocatorConfig::instance().parseArgs(text);
        CUDAAllocatorConfig::instance().parseArgs(text);
        return true;
    } catch (const c10::Error&) {
        return false;
    }
}

bool isTaken(const std::string& text)
{
    try {
        parseAllocatorSettings(text, "w", {}, AllocatorOwner::Cuda);
        return true;
    } catch (const UsageError&) {
        return false;
    }
}

class AllocatorConfigTest : public testing::TestWithParam<const char*> { };

TEST_P(AllocatorConfigTest, isTakenByBoth)
{
    EXPECT_TRUE(isTakenByLibTorch(GetParam()));
    EXPECT_TRUE(isTaken(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Settings, AllocatorConfigTest,
    testing::Values("expandable_segments:True,max_split_size_mb:128", "max_split_size_mb:20", "backend:native",
        "max_non_split_rounding_mb:32", "large_segment_size_mb:24,max_split_size_mb:24",
        "garbage_collection_threshold:0.8", "roundup_power2_divisions:8",
        "roundup_power2_divisions:[256:1,512:2,1024:4,>:8]", "per_process_memory_fraction:0.5",
        "release_lock_on_cudamalloc:True", "graph_capture_record_stream_reuse:True",
        "pinned_use_cuda_host_register:True,pinned_num_register_threads:8", "pinned_use_background_threads:True",
        "pinned_reserve_segment_size_mb:64", "expandable_segments:False"));

TEST(AllocatorConfigRefusalTest, whatLibTorchDoesNotTakeIsRefusedBefore)
{
    for (const char* text : {"nonsense:1", "throw_on_cudamalloc_oom:True", "max_split_size_mb:19",
             "garbage_collection_threshold:1.5", "expandable_segments:yes", "per_process_memory_fraction:1.5",
             "roundup_power2_divisions:3", "large_segment_size_mb:9", "pinned_num_register_threads:3"}) {
        EXPECT_FALSE(isTakenByLibTorch(text)) << text;
        EXPECT_FALSE(isTaken(text)) << text;
    }
}

TEST(AllocatorConfigMeaningTest, bothUnderstandTheSame)
{
    const std::string text = "expandable_segments:True,max_split_size_mb:128,garbage_collection_threshold:0.5,"
                             "roundup_power2_divisions:[256:1,512:2,1024:4,>:8]";
    ASSERT_TRUE(isTakenByLibTorch(text));
    const AllocatorSettings ours = parseAllocatorSettings(text, "w", {}, AllocatorOwner::Cuda);
    EXPECT_EQ(static_cast<Bytes>(AcceleratorAllocatorConfig::max_split_size()), ours.maxSplitBytes);
    EXPECT_EQ(AcceleratorAllocatorConfig::use_expandable_segments(), ours.isExpandable());
    EXPECT_EQ(AcceleratorAllocatorConfig::garbage_collection_threshold(), ours.garbageCollectionThreshold);
    for (Bytes bytes = 1; bytes < 64 * kGiB; bytes *= 2)
        EXPECT_EQ(
            static_cast<int>(AcceleratorAllocatorConfig::roundup_power2_divisions(static_cast<std::size_t>(bytes))),
            ours.divisionsFor(bytes))
            << bytes;
}

} // namespace
} // namespace headroom::collectors::allocator_config_test
