// SPDX-License-Identifier: Apache-2.0
//
// Random programs of the simulated allocator, told in the form in which LibTorch's CUDA allocator tells its own.
#include "profiling/collectors/cuda/CudaAllocatorTrace.h"
#include "tests/profiling/simulator/RandomRequests.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::collectors::cuda_trace_of_programs_test {
namespace {

using simulator::AllocatorSettings;
using trace::Action;
using Entry = CudaAllocatorTrace::Entry;

Entry::Action told(Action action)
{
    switch (action) {
    case Action::Alloc:
        return Entry::ALLOC;
    case Action::FreeRequested:
        return Entry::FREE_REQUESTED;
    case Action::FreeCompleted:
        return Entry::FREE_COMPLETED;
    case Action::SegmentAlloc:
        return Entry::SEGMENT_ALLOC;
    case Action::SegmentFree:
        return Entry::SEGMENT_FREE;
    case Action::SegmentMap:
        return Entry::SEGMENT_MAP;
    case Action::SegmentUnmap:
        return Entry::SEGMENT_UNMAP;
    default:
        return Entry::OOM;
    }
}

// The requested size of a block, the size of a segment.
Entry told(const trace::AllocatorEvent& event)
{
    return {told(event.action), 0, event.address, static_cast<std::size_t>(event.requestedBytes), nullptr,
        c10::MempoolId_t{0, 0}, c10::getApproximateTime()};
}

c10::CachingDeviceAllocator::SegmentInfo told(const simulator::SegmentSnapshot& segment)
{
    c10::CachingDeviceAllocator::SegmentInfo info;
    info.address = segment.address;
    info.total_size = static_cast<std::size_t>(segment.totalBytes);
    info.is_large = segment.pool == simulator::PoolKind::Large;
    info.is_expandable = segment.kind == simulator::SegmentKind::Expandable;
    for (const simulator::BlockSnapshot& block : segment.blocks)
        info.blocks.push_back({static_cast<std::size_t>(block.bytes), static_cast<std::size_t>(block.requestedBytes), 0,
            block.state == simulator::BlockState::ActiveAllocated, block.state != simulator::BlockState::Inactive,
            nullptr});
    return info;
}

CudaSnapshot told(const simulator::AllocatorSnapshot& snapshot, const AllocatorSettings& settings)
{
    CudaSnapshot info{};
    for (const simulator::SegmentSnapshot& segment : snapshot.segments)
        info.segments.push_back(told(segment));
    info.config_metadata.max_split_size = static_cast<std::size_t>(settings.maxSplitBytes);
    info.config_metadata.expandable_segments = settings.isExpandable();
    info.config_metadata.roundup_power2_divisions.assign(
        settings.roundupPower2Divisions.begin(), settings.roundupPower2Divisions.end());
    return info;
}

bool areAlike(const trace::AllocatorEvent& left, const trace::AllocatorEvent& right)
{
    return left.action == right.action && left.address == right.address && left.bytes == right.bytes
        && left.requestedBytes == right.requestedBytes;
}

TEST(CudaTraceOfProgramsTest, tellsWhatTheAllocatorDid)
{
    const auto& texts = simulator::allocatorSettingsToTry();
    for (unsigned seed = 1; seed <= 80; ++seed) {
        const std::string& text = texts[seed % texts.size()];
        SCOPED_TRACE(text + " seed " + std::to_string(seed));
        const AllocatorSettings settings = simulator::parseAllocatorSettings(text);
        simulator::CachingAllocator allocator({.limitBytes = 700 * kMiB}, settings);
        simulator::RandomRequests program(allocator, seed);
        program.run(100);

        std::vector<trace::AllocatorEvent> truth = livingEvents(allocator.snapshot(), 0);
        std::vector<trace::AllocatorEvent> traced;
        CudaAllocatorTrace cudaTrace(0, std::chrono::steady_clock::now(), 1 << 12);
        cudaTrace.begin([&](const LabelledEvent& event) { traced.push_back(event); },
            [&] { return told(allocator.snapshot(), settings); });
        allocator.setObserver([&](const trace::AllocatorEvent& event) {
            truth.push_back(event);
            cudaTrace.add(told(event));
        });
        program.run(300);
        cudaTrace.end();

        ASSERT_EQ(traced.size(), truth.size());
        EXPECT_TRUE(std::ranges::equal(traced, truth, areAlike));
        EXPECT_EQ(cudaTrace.allocatedBytes(), allocator.stats().allocatedBytes.aggregate.current);
        EXPECT_EQ(cudaTrace.misfits(), 0);
        EXPECT_EQ(cudaTrace.lost(), 0);
    }
}

} // namespace
} // namespace headroom::collectors::cuda_trace_of_programs_test
