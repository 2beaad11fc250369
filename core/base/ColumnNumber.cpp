// SPDX-License-Identifier: Apache-2.0
#include "core/base/ColumnNumber.h"

#include "core/base/Numbers.h"
#include "core/base/Wording.h"

#include <cmath>

namespace headroom {
namespace {

constexpr double kLongNumber = 1e6; ///< thousands are grouped from here on
constexpr double kLargestGrouped = 1e15;

} // namespace

std::string inColumn(double value, int decimals)
{
    const double magnitude = std::abs(value);
    const bool isLong = magnitude >= kLongNumber && magnitude < kLargestGrouped;
    return isLong ? grouped(std::llround(value)) : fixed(value, decimals);
}

} // namespace headroom
