// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// `--shard I/N`: part I (from 1) of the N disjoint parts that make up a sweep.
struct Shard {
    std::size_t number = 1;
    std::size_t count = 1;

    /// Throws UsageError at `--shard` unless `text` is I/N with 1 <= I <= N.
    static Shard fromText(const std::string& text);
    /// "2/4"
    std::string text() const;

    /// The trials of this part, in the same order. Trials are dealt to the parts in turn in the order of their ids,
    /// runnable and skipped ones separately. So the parts are the same on every machine, their sizes differ by at most
    /// one of each kind, and no pattern of the sweep (such as every other trial being slow) ends up in one part.
    std::vector<experiments::PlannedTrial> part(std::vector<experiments::PlannedTrial> trials) const;
};

} // namespace headroom::cli
