// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"

namespace headroom::recordings {

/// Most private pools that are told apart; those beyond are the last one.
inline constexpr std::uint16_t kMostPrivatePools = 200;

/// The stream under which the simulated allocator keeps what belongs to a private pool: blocks of one pool never go to
/// another, as with streams.
constexpr Stream streamIn(std::uint16_t privatePool, Stream stream)
{
    constexpr Stream kStreamsOfAPool = 1 << 16;
    return stream + privatePool * kStreamsOfAPool;
}

/// Tells which events belong to private pools: entries do not say it, but lie in segments that do, at the end of the
/// recording (`final`). A pool whose segments went back before is not seen.
void findPrivatePools(DeviceRecording& recording, const std::vector<RecordedSegment>& final);

} // namespace headroom::recordings
