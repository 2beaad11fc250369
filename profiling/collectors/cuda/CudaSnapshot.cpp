// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/CudaSnapshot.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

using c10::CachingDeviceAllocator::BlockInfo;
using c10::CachingDeviceAllocator::SegmentInfo;
using simulator::BlockState;

BlockState cudaBlockState(const BlockInfo& block)
{
    if (block.allocated)
        return BlockState::ActiveAllocated;
    return block.active ? BlockState::ActivePendingFree : BlockState::Inactive;
}

simulator::SegmentSnapshot withBlocks(simulator::SegmentSnapshot segment, const std::vector<BlockInfo>& blocks)
{
    simulator::Address address = segment.address;
    for (const BlockInfo& block : blocks) {
        segment.blocks.push_back(
            {address, static_cast<Bytes>(block.size), static_cast<Bytes>(block.requested_size), cudaBlockState(block)});
        address += block.size;
    }
    return segment;
}

simulator::SegmentSnapshot cudaSegment(const SegmentInfo& told, simulator::Stream stream)
{
    simulator::SegmentSnapshot segment;
    segment.address = told.address;
    segment.totalBytes = static_cast<Bytes>(told.total_size);
    segment.allocatedBytes = static_cast<Bytes>(told.allocated_size);
    segment.activeBytes = static_cast<Bytes>(told.active_size);
    segment.requestedBytes = static_cast<Bytes>(told.requested_size);
    segment.stream = stream;
    segment.pool = told.is_large ? simulator::PoolKind::Large : simulator::PoolKind::Small;
    segment.kind = told.is_expandable ? simulator::SegmentKind::Expandable : simulator::SegmentKind::Plain;
    return withBlocks(std::move(segment), told.blocks);
}

} // namespace

simulator::AllocatorSnapshot snapshotOf(
    const CudaSnapshot& told, int device, const std::function<simulator::Stream(const void*)>& numberOf)
{
    simulator::AllocatorSnapshot snapshot;
    for (const SegmentInfo& segment : told.segments)
        if (segment.device == device)
            snapshot.segments.push_back(cudaSegment(segment, numberOf(segment.stream)));
    return snapshot;
}

// "No limit" is the largest number of an unsigned type there.
simulator::AllocatorSettings blockSettingsOf(const CudaSnapshot& told)
{
    const auto& config = told.config_metadata;
    simulator::AllocatorSettings settings;
    settings.maxSplitBytes =
        static_cast<Bytes>(std::min(config.max_split_size, static_cast<std::size_t>(simulator::kUnlimitedSplit)));
    settings.growth =
        config.expandable_segments ? simulator::SegmentGrowth::Expandable : simulator::SegmentGrowth::Fixed;
    auto& divisions = settings.roundupPower2Divisions;
    for (std::size_t index = 0; index < std::min(divisions.size(), config.roundup_power2_divisions.size()); ++index)
        divisions[index] = static_cast<int>(config.roundup_power2_divisions[index]);
    return settings;
}

} // namespace headroom::collectors
