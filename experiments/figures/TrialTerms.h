// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/base/Outcome.h"
#include "experiments/figures/Figure.h"

#include <optional>
#include <string>
#include <vector>

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

/// "Peak reserved", "Memory needed"
std::string peakTitle(MemoryKind kind);
/// "10.4 GiB peak reserved", "10.8 GiB needed"
std::string peakText(Bytes bytes, MemoryKind kind);

/// "budget (12.0 GiB)": the line's label with its value, whatever the user called it.
std::string budgetText(const Budget& budget);

/// "not steady: ...", one line for each flag.
std::vector<std::string> flagLines(const std::vector<Flag>& flags);
/// "not steady, implausible", "" for none.
std::string flagList(const std::vector<Flag>& flags);

/// "out of memory: needs 35.4 GiB, ..."; the outcome alone where there is no reason.
std::string outcomeText(Outcome outcome, const std::string& reason);

/// One entry for each flag that any of the lists has, in the order of the enumeration.
std::vector<LegendEntry> flagLegend(const std::vector<std::vector<Flag>>& lists);

} // namespace headroom::figures
