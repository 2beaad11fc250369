// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/memory/TimeAxis.h"
#include "profiling/trace/PhaseSpan.h"

#include <span>
#include <string>
#include <vector>

namespace headroom::figures {

/// Consecutive phases that are shown as one, as each is too narrow to be seen in the window; or a single phase.
struct PhaseRun {
    const trace::PhaseSpan* first = nullptr;
    std::size_t level = 0;
    std::size_t series = 0;
    std::int64_t endNs = 0;
    std::size_t phases = 1;
};

/// Which phases are shown as one in a window: those narrower than a 4,000th of it, up to a 1,000th together.
class PhaseFolding {
public:
    explicit PhaseFolding(const TimeWindow& window);

    bool isShown(const trace::PhaseSpan& phase) const;
    /// Adds the next phase to a run, if it belongs there.
    bool join(PhaseRun& run, const trace::PhaseSpan& phase) const;

private:
    TimeWindow m_window;
    std::int64_t m_narrowNs;
    std::int64_t m_runNs;
};

/// Phases as spans of the time axis: nested ones one level further in, the same name in the same colour.
/// Empty phases and what lies outside of the window are left out; those too narrow to be seen are folded.
std::vector<Span> phaseSpans(std::span<const trace::PhaseSpan> phases, const TimeWindow& window, const TimeAxis& axis);

/// "backward, step 3"
std::string phaseTitle(const trace::PhaseSpan& phase);
/// The same of a run: "forward, step 3 and 7 phases more"
std::string runTitle(const PhaseRun& run);

} // namespace headroom::figures
