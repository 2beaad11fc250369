// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/PhaseSpan.h"

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::trace {

/// Which phase a time belongs to, for many times in a row. The innermost phase is the shortest that covers a time.
class InnermostPhases {
public:
    explicit InnermostPhases(std::span<const PhaseSpan> phases);

    /// By begin; those without a length are left out.
    std::span<const PhaseSpan> phases() const { return m_phases; }
    /// Place in phases(); their number for a time outside of all.
    std::size_t at(std::int64_t timeNs);

private:
    /// From `beginNs` on, until the next one's begin, this phase is the innermost.
    struct Stretch {
        std::int64_t beginNs = 0;
        std::size_t phase = 0;
    };

    std::vector<PhaseSpan> m_phases;
    std::vector<Stretch> m_stretches;
    std::size_t m_stretch = 0; ///< of the last time asked for: the next one is mostly in the same
};

} // namespace headroom::trace
