// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace headroom::rehearsal {

inline constexpr int kMostDevices = 16;
inline constexpr int kMostProcesses = 1024;
/// Behind the cards' places stands that of pinned and managed host memory.
inline constexpr int kHostPlace = kMostDevices;
inline constexpr int kPlaces = kMostDevices + 1;

/// One process: what it has of each card and of the host.
struct AccountSlot {
    std::int64_t pid = 0;
    std::size_t bytes[kPlaces] = {};
};

/// The file that HEADROOM_CARD_ACCOUNT names, as every process of a rehearsal maps it and as whoever started them reads
/// it afterwards. A slot's owner holds a lock on its first byte, which the system releases when the process ends,
/// however it ends; whoever writes holds a lock on the first byte of `most`.
struct AccountPage {
    AccountSlot slots[kMostProcesses];
    std::size_t most[kPlaces] = {}; ///< the most that was taken at a time, by all processes together
    std::int64_t processes = 0; ///< that have taken something of a card, ever
};

} // namespace headroom::rehearsal
