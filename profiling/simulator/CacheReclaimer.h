// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/AllocatorSettings.h"
#include "profiling/simulator/BlockPool.h"
#include "profiling/simulator/DeviceMemory.h"
#include "profiling/simulator/ExpandableSegments.h"
#include "profiling/simulator/SegmentSource.h"

namespace headroom::simulator {

/// Returns cached memory to the device: all of it, enough for one request, or the oldest blocks.
class CacheReclaimer {
public:
    CacheReclaimer(const AllocatorSettings& settings, const DeviceMemory& device, SegmentSource& segments,
        ExpandableSegments& ranges);

    /// Releases every unsplit cached segment and every whole free page of expandable ones.
    void releaseAll(BlockPool& pool);

    /// Releases cached blocks of at least max_split_size until a request of `bytes` may succeed: one that is large
    /// enough, else the largest ones of the stream. False if that cannot help (or max_split_size is not set).
    bool releaseOversize(BlockPool& pool, Stream stream, Bytes bytes);

    /// garbage_collection_threshold: while more than threshold * memory fraction is reserved, frees unsplit blocks
    /// whose age is at least the mean.
    void collectGarbage(BlockPool& pool);

private:
    bool releaseLargest(BlockPool& pool, FitOrder::const_iterator above, Stream stream, Bytes bytes);

    const AllocatorSettings& m_settings;
    const DeviceMemory& m_device;
    SegmentSource& m_segments;
    ExpandableSegments& m_ranges;
};

} // namespace headroom::simulator
