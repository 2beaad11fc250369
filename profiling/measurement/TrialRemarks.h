// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/MemoryBreakdown.h"

#include <string>
#include <vector>

namespace headroom::collectors {

/// Adds a remark, unless it is empty.
void addTo(std::vector<std::string>& remarks, const std::string& remark);

/// That memory of a category grew from step to step.
std::string remarkOn(const protocol::MemoryLeak& leak);

} // namespace headroom::collectors
