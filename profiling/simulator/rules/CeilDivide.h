// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headroom::simulator {

/// value / by, rounded up; `value` >= 0, `by` > 0.
constexpr std::int64_t ceilDivide(std::int64_t value, std::int64_t by)
{
    return (value + by - 1) / by;
}

} // namespace headroom::simulator
