// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace headroom::rehearsal {

/// Address space without memory behind it: neither readable nor counted as committed, left out of core dumps and never
/// huge pages. Only what is opened takes memory.
enum class Mapped { Yes, Occupied };

/// Reserves exactly there; Occupied where the process has something else in the way. Ends the process at a limit of the
/// system.
Mapped reserveAt(std::uintptr_t address, std::size_t bytes);
/// Makes whole pages readable and writable.
void openPages(std::uintptr_t address, std::size_t bytes);
/// Takes away what was written to whole pages; they stay open and read as zeros.
void emptyPages(std::uintptr_t address, std::size_t bytes);
/// Takes away what was written to whole pages, and the right to read and write them.
void closePages(std::uintptr_t address, std::size_t bytes);
void unmap(std::uintptr_t address, std::size_t bytes);

/// Host memory of whole pages, not committed until it is written. 0 where the system has no more.
std::uintptr_t mapHost(std::size_t bytes);

std::size_t pageBytes();

} // namespace headroom::rehearsal
