// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Quantities.h"
#include "experiments/figures/TrialTerms.h"

#include <cstdint>
#include <string>

namespace headroom::figures {

struct MemoryUnit {
    Bytes bytes = kGiB;
    std::string name = "GiB";

    double of(Bytes quantity) const { return static_cast<double>(quantity) / static_cast<double>(bytes); }
};

struct TimeUnit {
    std::int64_t nanoseconds = 1'000'000;
    std::string name = "ms";

    double of(std::int64_t ns) const { return static_cast<double>(ns) / static_cast<double>(nanoseconds); }
};

/// GiB, unless the largest value shown would be below a tenth of one: then MiB, or KiB.
MemoryUnit memoryUnitFor(Bytes largest);
/// s, ms or µs, so that the longest time shown is at least two (of the smallest: whatever it is).
TimeUnit timeUnitFor(std::int64_t longestNs);

using config::significant;
using config::sizeText;

/// "26.719": for tables, in a unit that the header names.
std::string tableText(Bytes bytes, const MemoryUnit& unit);
/// "64.2 %": of a whole; "<0.1 %" for what would look like nothing, and nothing of nothing is "0 %".
std::string shareText(Bytes part, Bytes whole);
/// "412 ms": for labels.
std::string timeText(std::int64_t ns);
/// "1.68 it/s", and below one also "(1.92 s/it)".
std::string speedText(double perSecond, SpeedUnit unit);

} // namespace headroom::figures
