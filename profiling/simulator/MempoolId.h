// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headroom::simulator {

/// Names a pool pair of its own (PyTorch's MemPool and graph pools); 0 is the default pools.
using MempoolId = std::int64_t;

inline constexpr MempoolId kDefaultMempool = 0;

/// Whether a failing request to the default pools may take free blocks of a private pool instead.
enum class Overflow : std::uint8_t { Refused, Allowed };

/// Whether blocks of a private pool may be split.
enum class Splitting : std::uint8_t { Allowed, Never };

struct MempoolOptions {
    Overflow overflow = Overflow::Refused;
    Splitting splitting = Splitting::Allowed;
};

} // namespace headroom::simulator
