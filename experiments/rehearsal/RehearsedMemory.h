// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/Rehearsal.h"
#include "experiments/rehearsal/RehearsalAnswer.h"
#include "profiling/recordings/Recording.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace headroom::experiments {

/// The memory history of the process that held most of a card, with what its records add: whose parameters, gradients
/// and optimizer state blocks are, by their addresses at the first update, and gradients of other steps by their lives.
/// Nothing where there is no history.
struct RehearsedMemory {
    recordings::Recording recording;
    std::size_t device = 0; ///< place of the fullest card among the recording's
};

std::optional<RehearsedMemory> memoryOf(const RehearsedRun& run);

/// What was held at the peak, by category and line, largest first.
std::vector<HeldMemory> heldAtPeak(const RehearsedMemory& memory);

/// Call stacks without what the rehearsal itself adds, and files below `folder`, in which the command ran, named from
/// there.
void shortenFrames(recordings::Recording& recording, const std::filesystem::path& folder);

/// Blocks of the recording's events with the owners that a process's records tell.
void nameBlocks(recordings::DeviceRecording& device, recordings::Recording& recording, const ProcessRecords& process);

} // namespace headroom::experiments
