// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headroom {

/// A number of bytes. Signed, so that differences are bytes too.
using Bytes = std::int64_t;

inline constexpr Bytes kKiB = Bytes{1} << 10;
inline constexpr Bytes kMiB = Bytes{1} << 20;
inline constexpr Bytes kGiB = Bytes{1} << 30;

/// Rounds up to a multiple of `step` (> 0).
constexpr Bytes roundUp(Bytes bytes, Bytes step)
{
    return (bytes + step - 1) / step * step;
}

} // namespace headroom
