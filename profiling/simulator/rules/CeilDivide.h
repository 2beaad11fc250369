// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headroom::simulator {

/// How many parts of `by` (> 0) hold the value (>= 0): the quotient, rounded up.
constexpr std::int64_t ceilDivide(std::int64_t value, std::int64_t by)
{
    return (value + by - 1) / by;
}

} // namespace headroom::simulator
