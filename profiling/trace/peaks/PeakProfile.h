// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/peaks/LiveHoldings.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::trace {

/// The memory of one category that one module held at a peak.
struct PeakShare {
    config::MemoryCategory category = config::MemoryCategory::Unknown;
    std::string module{}; ///< path; empty: none
    Bytes bytes = 0;

    bool operator==(const PeakShare&) const = default;
};

/// A peak with what is needed to compare it with another: from a trace, or from a record without one.
struct PeakProfile {
    Bytes totalBytes = 0; ///< the shares sum to it
    std::string phase{}; ///< in which it was reached; empty: not known
    std::vector<PeakShare> shares{};
    std::map<std::string, CategoryBytes> phases{}; ///< peaks of all phases by name; empty: not known

    bool operator==(const PeakProfile&) const = default;
};

/// One share for each category and module, by category, then module.
std::vector<PeakShare> sharesOf(const Holdings& holdings, const OwnerTable& owners);

/// The part of a model that a module belongs to, with its number replaced: "transformer_blocks.*" for
/// "transformer_blocks.3.ff.net.0.proj", "proj_in" for "proj_in", "" for "".
std::string partOfModel(std::string_view module);

/// What two peaks hold of one category in one part of the model.
struct ShareDifference {
    config::MemoryCategory category = config::MemoryCategory::Unknown;
    std::string part{}; ///< as partOfModel
    Bytes higherBytes = 0; ///< in the peak that is higher
    Bytes lowerBytes = 0;

    Bytes difference() const { return higherBytes - lowerBytes; }

    bool operator==(const ShareDifference&) const = default;
};

/// The peaks of a phase that both or only one of them has.
struct PhaseDifference {
    std::string phase{};
    std::optional<CategoryBytes> higher{};
    std::optional<CategoryBytes> lower{};

    bool operator==(const PhaseDifference&) const = default;
};

/// Why one peak is higher than another. The shares' differences sum to the difference of the peaks.
struct PeakDifference {
    std::vector<ShareDifference> shares{}; ///< the largest difference first, equal shares left out
    std::vector<PhaseDifference> phases{}; ///< by name

    Bytes total() const;
    /// The shares that explain most of the difference: as many as make up four fifths of it, at most three.
    std::vector<ShareDifference> reasons() const;
    /// The largest share in the opposite direction, if it is more than a tenth of the difference.
    std::optional<ShareDifference> counterweight() const;

    bool operator==(const PeakDifference&) const = default;
};

PeakDifference differenceOf(const PeakProfile& higher, const PeakProfile& lower);

} // namespace headroom::trace
