// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// `--shard I/N`: part I (from 1) of N parts of a sweep, which together are the whole and have no trial in common.
struct Shard {
    std::size_t number = 1;
    std::size_t count = 1;

    /// Throws UsageError at `--shard` for what is no I/N with 1 <= I <= N.
    static Shard fromText(const std::string& text);
    /// "2/4"
    std::string text() const;

    /// Those of this part, in the same order. Trials are dealt out in the order of their ids, those that are run and
    /// those that are skipped apart: the same on every machine, sizes differ by at most one of each, and no pattern of
    /// the sweep (every other trial a slow one) lands in one part.
    std::vector<experiments::PlannedTrial> part(std::vector<experiments::PlannedTrial> trials) const;
};

} // namespace headroom::cli
