// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/Peak.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::trace {

/// How high memory stood where a technique was at work.
struct TechniqueRegion {
    std::optional<Peak> ownHighest{}; ///< while it allocated for itself; nothing: it never did
    std::optional<Peak> moduleHighest{}; ///< while one of its modules allocated, for whatever reason

    bool operator==(const TechniqueRegion&) const = default;
};

/// Finds the regions of all techniques of a trace in one pass over its events.
class TechniqueRegions {
public:
    explicit TechniqueRegions(const OwnerTable& owners);

    /// `allocated`: with the event.
    void apply(const AllocatorEvent& event, Bytes allocated);
    /// By the technique's key.
    std::map<std::string, TechniqueRegion> take() const;

private:
    /// Places of the techniques whose an owner is, and of those that are at work in its module.
    struct Places {
        std::vector<std::size_t> own;
        std::vector<std::size_t> module;
    };

    std::vector<std::string> m_techniques;
    std::vector<TechniqueRegion> m_regions;
    std::vector<Places> m_places; ///< by owner
};

} // namespace headroom::trace
