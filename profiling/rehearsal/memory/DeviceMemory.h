// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace headroom::rehearsal {

/// Device memory in whole segments: address space where the driver would have put it (simulator::SegmentPlacement),
/// counted in the card's account. Status codes of the runtime.
inline constexpr std::size_t kSegmentBytes = 2 << 20;

/// cudaMalloc. `pool` is written into the range of what a pool holds.
int allocateDevice(int device, std::size_t bytes, void** address);
int freeDevice(void* address);

/// Address space alone, as cuMemAddressReserve gives it and pools take it; nothing is counted.
std::uintptr_t placeDevice(int device, std::size_t bytes);
void unplaceDevice(int device, std::uintptr_t address, std::size_t bytes);

} // namespace headroom::rehearsal
