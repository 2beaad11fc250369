// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"

#include <string>

namespace headroom::figures {

/// As RFC 4180 wants it: lines end with CR LF.
std::string toCsv(const Table& table);

} // namespace headroom::figures
