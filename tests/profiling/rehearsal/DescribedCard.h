// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace headroom::rehearsal::tests {

/// The card that this test program describes to itself before anything asks for it: two of them, each of kCardBytes
/// with a context of kContextBytes, capability 9.0, and an account in a file.
inline constexpr std::size_t kMebibyte = 1 << 20;
inline constexpr std::size_t kCardBytes = 4096 * kMebibyte;
inline constexpr std::size_t kContextBytes = 96 * kMebibyte;
inline constexpr std::size_t kHostBytes = 1024 * kMebibyte;

/// What cudaMemGetInfo calls free, of the current device.
std::size_t freeBytes();

} // namespace headroom::rehearsal::tests
