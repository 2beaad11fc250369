// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headroom::simulator {

/// A virtual device address; 0 is null. Below 2^53, so that it survives JSON.
using Address = std::uint64_t;

/// A stream of the simulated device.
using Stream = std::int32_t;

inline constexpr Stream kDefaultStream = 0;

} // namespace headroom::simulator
