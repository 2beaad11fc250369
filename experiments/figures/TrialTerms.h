// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/base/Outcome.h"

#include <string>

namespace headroom::figures {

/// Needed: what the device must have, the driver's part and what is outside of the allocator included.
enum class MemoryKind { Allocated, Reserved, Needed, HostRss };

struct Interval95 {
    double low = 0;
    double high = 0;
};

/// A line that memory should stay under: "usable memory of a100-40gb", "budget".
struct Budget {
    Bytes bytes = 0;
    std::string label;
};

/// So far beyond the largest value shown that an axis up to it would squeeze what is to be seen into less than half.
bool isFarBeyond(const Budget& budget, Bytes largest);

/// "allocated", "reserved", ...
std::string name(MemoryKind kind);

} // namespace headroom::figures
