// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/MemoryCounters.h"
#include "profiling/trace/MemoryOwner.h"
#include "profiling/trace/PhaseSpan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::interchange {

/// What a random program leaves behind, on a simulated allocator: a trace as a worker would record it.
struct ProgramTrace {
    std::vector<trace::AllocatorEvent> events{};
    std::vector<trace::MemoryOwner> owners{}; ///< by their numbers; the unknown one first
    std::vector<trace::PhaseSpan> phases{};
};

enum class ProgramDevice { Gpu, Cpu };

/// Blocks of all sizes come and go on three streams, some are used by a second one, some are found to be another
/// owner's; now and then the cache is emptied, or there is no memory left. `settings` are PyTorch's of the caching
/// allocator.
ProgramTrace runAllocatorProgram(
    std::uint32_t seed, std::size_t steps, ProgramDevice device = ProgramDevice::Gpu, const std::string& settings = "");

/// The counters after each event that changes one of them.
std::vector<trace::MemoryCounters> countersAfterEach(
    const std::vector<trace::AllocatorEvent>& events, const trace::MemoryCounters& before = {});

} // namespace headroom::interchange
