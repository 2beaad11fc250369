// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/Observation.h"
#include "profiling/rehearsal/streams/HostFunctions.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace headroom::rehearsal {

struct Graph;
struct Event;
struct Kernel;

/// A copy of rows; one row of `width` bytes where the memory is of one piece.
struct CopyWork {
    void* destination = nullptr;
    std::size_t destinationPitch = 0;
    std::size_t destinationSlice = 0;
    const void* source = nullptr;
    std::size_t sourcePitch = 0;
    std::size_t sourceSlice = 0;
    std::size_t width = 0;
    std::size_t height = 1;
    std::size_t depth = 1;
    bool asynchronous = true;

    std::size_t bytes() const { return width * height * depth; }
};

struct FillWork {
    void* destination = nullptr;
    std::size_t pitch = 0;
    std::uint32_t value = 0;
    std::size_t valueBytes = 1;
    std::size_t width = 0; ///< bytes of a row
    std::size_t height = 1;
    bool asynchronous = true;

    std::size_t bytes() const { return width * height; }
};

struct HostWork {
    HostFunction function = nullptr;
    void* data = nullptr;
};

/// What a program puts on a stream, or into a graph.
struct Work {
    enum class Kind { Kernel, Copy, Fill, Host, Graph, Empty, WaitEvent, RecordEvent };
    Kind kind = Kind::Empty;
    Launch launch;
    CopyWork copy;
    FillWork fill;
    HostWork host;
    std::shared_ptr<const Graph> graph; ///< a child, as it was when it was added
    Event* event = nullptr;
};

/// How long it takes by the card's rates.
std::int64_t durationNs(const Work& work);

/// Moves the values that small copies and fills carry.
void carryOut(const Work& work);

/// What one that looks is told of it, times and stream aside. False where it is nothing that a profiler shows.
bool describe(const Work& work, Activity& activity);

} // namespace headroom::rehearsal
