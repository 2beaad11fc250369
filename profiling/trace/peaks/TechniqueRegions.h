// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/Peak.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::trace {

/// The peaks of allocated memory while a technique was active.
struct TechniqueRegion {
    std::optional<Peak> ownHighest{}; ///< while it allocated for itself; nullopt: it never did
    std::optional<Peak> moduleHighest{}; ///< while one of its modules allocated, for whatever reason

    bool operator==(const TechniqueRegion&) const = default;
};

/// Finds the regions of all techniques of a trace in one pass over its events.
class TechniqueRegions {
public:
    explicit TechniqueRegions(const OwnerTable& owners);

    /// `allocated`: allocated bytes including this event.
    void apply(const AllocatorEvent& event, Bytes allocated);
    /// Keyed by the technique's key.
    std::map<std::string, TechniqueRegion> take() const;

private:
    /// Indices of the techniques that an owner belongs to, and of those that are active in its module.
    struct Places {
        std::vector<std::size_t> own;
        std::vector<std::size_t> module;
    };

    std::vector<std::string> m_techniques;
    std::vector<TechniqueRegion> m_regions;
    std::vector<Places> m_places; ///< by owner
};

} // namespace headroom::trace
