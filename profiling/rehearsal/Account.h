// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/AccountFile.h"

#include <cstddef>
#include <vector>

namespace headroom::rehearsal {

/// The bytes of the cards and of the host that are taken, by all processes that share the file which
/// HEADROOM_CARD_ACCOUNT names; without it by this one. What a process took is given back when it ends, however it
/// ends.
///
/// All functions may be called from any thread, and none after a fork before the child asked the card for something.
struct ProcessBytes {
    int pid = 0;
    std::size_t bytes = 0;
};

/// Takes bytes of a card, unless fewer are left of its totalBytes.
bool takeDeviceBytes(int device, std::size_t bytes);
void giveDeviceBytes(int device, std::size_t bytes);
/// Of all processes, their contexts included.
std::size_t takenDeviceBytes(int device);
/// Who has how much, contexts included.
std::vector<ProcessBytes> deviceProcesses(int device);

/// The same of pinned and managed host memory, within the card's hostBytes.
bool takeHostBytes(std::size_t bytes);
void giveHostBytes(std::size_t bytes);

} // namespace headroom::rehearsal
