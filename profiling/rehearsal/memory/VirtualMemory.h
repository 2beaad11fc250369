// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace headroom::rehearsal {

/// Physical memory apart from its addresses, as expandable segments use it. Bytes are counted when physical memory is
/// made, and given back when its handle is released and nothing is mapped to it any more. Status codes of the runtime.
int makePhysical(int device, std::size_t bytes, std::uint64_t* handle);
/// Another reference to it.
int retainPhysical(std::uint64_t handle);
int releasePhysical(std::uint64_t handle);
int physicalOf(const void* address, std::uint64_t* handle);
/// Device of a handle, or -1.
int deviceOfPhysical(std::uint64_t handle);

int reserveAddresses(int device, std::size_t bytes, std::uintptr_t* address);
int freeAddresses(std::uintptr_t address, std::size_t bytes);

int mapPhysical(std::uintptr_t address, std::size_t bytes, std::size_t offset, std::uint64_t handle);
int unmapPhysical(std::uintptr_t address, std::size_t bytes);

} // namespace headroom::rehearsal
