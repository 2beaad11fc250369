// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom {

/// The value with that many decimals, for people who compare a column: thousands are grouped where the number is too
/// long to be counted at a glance: "15,512,345".
std::string inColumn(double value, int decimals);

} // namespace headroom
