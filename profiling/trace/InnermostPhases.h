// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/PhaseSpan.h"

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::trace {

/// Finds the phase of many consecutive times. The innermost phase is the shortest one that covers a time.
class InnermostPhases {
public:
    explicit InnermostPhases(std::span<const PhaseSpan> phases);

    /// Ordered by begin; phases without a length are left out.
    std::span<const PhaseSpan> phases() const { return m_phases; }
    /// The index in phases(); phases().size() for a time outside all of them.
    std::size_t at(std::int64_t timeNs);

private:
    /// From `beginNs` to the begin of the next stretch this phase is the innermost.
    struct Stretch {
        std::int64_t beginNs = 0;
        std::size_t phase = 0;
    };

    std::vector<PhaseSpan> m_phases;
    std::vector<Stretch> m_stretches;
    std::size_t m_stretch = 0; ///< of the previous lookup: the next one is usually in the same
};

} // namespace headroom::trace
