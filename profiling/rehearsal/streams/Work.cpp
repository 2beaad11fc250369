// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/streams/Work.h"

#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/memory/Memory.h"
#include "profiling/rehearsal/streams/Graphs.h"

#include <algorithm>

namespace headroom::rehearsal {

namespace {

constexpr double kNsPerSecond = 1e9;

std::int64_t nanoseconds(double seconds)
{
    return static_cast<std::int64_t>(seconds * kNsPerSecond);
}

bool isOnHost(const void* address)
{
    return rangeAround(address).kind != MemoryKind::Device;
}

double seconds(const CopyWork& copy)
{
    const bool crossesLink = isOnHost(copy.source) || isOnHost(copy.destination);
    // Within the card every byte is read and written.
    const double rate = crossesLink ? card().hostLinkBytesPerSecond : card().bytesPerSecond / 2;
    return std::max(static_cast<double>(copy.bytes()) / rate, card().kernelSeconds);
}

double seconds(const FillWork& fill)
{
    return std::max(static_cast<double>(fill.bytes()) / card().bytesPerSecond, card().kernelSeconds);
}

void carryOut(const CopyWork& copy)
{
    auto* destination = static_cast<char*>(copy.destination);
    const auto* source = static_cast<const char*>(copy.source);
    const bool isOfHosts = isOnHost(destination) && isOnHost(source);
    if (copy.bytes() > kTrueBytes && !isOfHosts) {
        const std::size_t last = (copy.depth - 1) * copy.destinationSlice + (copy.height - 1) * copy.destinationPitch;
        forgetValues(destination, last + copy.width);
        return;
    }
    for (std::size_t z = 0; z < copy.depth; ++z) {
        for (std::size_t y = 0; y < copy.height; ++y)
            moveValues(destination + z * copy.destinationSlice + y * copy.destinationPitch,
                source + z * copy.sourceSlice + y * copy.sourcePitch, copy.width);
    }
}

void carryOut(const FillWork& fill)
{
    auto* destination = static_cast<char*>(fill.destination);
    if (fill.bytes() > kTrueBytes) {
        forgetValues(destination, (fill.height - 1) * fill.pitch + fill.width);
        return;
    }
    for (std::size_t y = 0; y < fill.height; ++y)
        fillValues(destination + y * fill.pitch, &fill.value, fill.valueBytes, fill.width);
}

} // namespace

std::int64_t durationNs(const Work& work)
{
    switch (work.kind) {
    case Work::Kind::Kernel:
        return nanoseconds(work.launch.seconds > 0 ? work.launch.seconds : card().kernelSeconds);
    case Work::Kind::Copy:
        return nanoseconds(seconds(work.copy));
    case Work::Kind::Fill:
        return nanoseconds(seconds(work.fill));
    case Work::Kind::Graph:
        return work.graph->durationNs();
    default:
        return 0;
    }
}

void carryOut(const Work& work)
{
    if (work.kind == Work::Kind::Copy && work.copy.bytes() > 0)
        carryOut(work.copy);
    else if (work.kind == Work::Kind::Fill && work.fill.bytes() > 0)
        carryOut(work.fill);
}

bool describe(const Work& work, Activity& activity)
{
    switch (work.kind) {
    case Work::Kind::Kernel:
        activity.kind = Activity::Kind::Kernel;
        activity.launch = &work.launch;
        return true;
    case Work::Kind::Copy:
        activity.kind = Activity::Kind::Copy;
        activity.bytes = work.copy.bytes();
        activity.source = rangeAround(work.copy.source).kind;
        activity.destination = rangeAround(work.copy.destination).kind;
        activity.asynchronous = work.copy.asynchronous;
        return true;
    case Work::Kind::Fill:
        activity.kind = Activity::Kind::Fill;
        activity.bytes = work.fill.bytes();
        activity.value = work.fill.value;
        activity.destination = rangeAround(work.fill.destination).kind;
        activity.asynchronous = work.fill.asynchronous;
        return true;
    default:
        return false;
    }
}

} // namespace headroom::rehearsal
