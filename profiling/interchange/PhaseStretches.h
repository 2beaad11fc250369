// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/PhaseSpan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headroom::interchange {

/// Which phase is the innermost (the shortest that covers it) at each moment. Quick for times that mostly grow.
class PhaseStretches {
public:
    explicit PhaseStretches(std::span<const trace::PhaseSpan> phases);

    /// Index in the phases; nothing outside of all.
    std::optional<std::size_t> at(std::int64_t timeNs) const;

private:
    struct Stretch {
        std::int64_t beginNs; ///< until the next one's begin
        std::optional<std::size_t> phase;
    };

    std::vector<Stretch> m_stretches;
    mutable std::size_t m_last = 0;
};

} // namespace headroom::interchange
