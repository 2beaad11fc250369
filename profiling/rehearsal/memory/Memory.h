// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/Observation.h"

#include <cstddef>
#include <cstdint>

namespace headroom::rehearsal {

/// By which calls memory came, and so by which it goes.
enum class MemoryOrigin { Allocation, Pool, Mapping, Module };

/// What an address belongs to.
struct MemoryRange {
    MemoryKind kind = MemoryKind::Unregistered;
    int device = 0;
    std::uintptr_t begin = 0;
    std::size_t bytes = 0; ///< that it takes
    std::size_t askedBytes = 0;
    MemoryOrigin origin = MemoryOrigin::Allocation;
    unsigned flags = 0; ///< of cudaHostAlloc and its relatives
    std::uint64_t id = 0; ///< another for each allocation of the process
    void* owner = nullptr; ///< the pool or the handle of the physical memory
};

/// The range that holds `address`; of kind Unregistered where nobody asked the card for that memory.
MemoryRange rangeAround(const void* address);

/// Copies of values: what is at most kTrueBytes long and came from the host stays true in device memory, and is zero
/// where nobody wrote. What is longer moves nothing: it makes the destination forget what was there, in device memory,
/// and leaves host memory as it is.
inline constexpr std::size_t kTrueBytes = 1 << 20;
void moveValues(void* destination, const void* source, std::size_t bytes);
/// Device memory reads as zeros there from now on.
void forgetValues(void* destination, std::size_t bytes);
void fillValues(void* destination, const void* pattern, std::size_t patternBytes, std::size_t bytes);

/// Values of device memory of any length, for one that computes what kernels would have written: no copy of a stream.
void readValues(void* destination, const void* source, std::size_t bytes);
void writeValues(void* destination, const void* source, std::size_t bytes);
/// The next copy of `bytes` from device to host on this thread brings `value`, at most kAnswerBytes long. Without bytes
/// an answer that nobody took is withdrawn. Whether an answer was waiting.
inline constexpr std::size_t kAnswerBytes = 16;
bool answerNextRead(const void* value, std::size_t bytes);

} // namespace headroom::rehearsal
