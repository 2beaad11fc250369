// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/MemoryTimeline.h"
#include "profiling/trace/PhaseSpan.h"
#include "ui/session/ResultSet.h"
#include "ui/timeline/TimelineWindow.h"

#include <QTemporaryDir>

#include <vector>

namespace headroom::ui {

/// A workspace with three trials, made by what a run makes it with: two with a random trace, one without.
class TracedWorkspace {
public:
    explicit TracedWorkspace(std::size_t events = 30'000);

    std::string path() const;
    const Results& results() const { return m_results; }
    QString trial(std::size_t index) const;
    TimelineRequest request(std::size_t index) const;
    /// As the trace's own clock counts from 0 on.
    const trace::MemoryTimeline& timeline(std::size_t index) const { return m_timelines[index]; }
    std::int64_t lengthNs(std::size_t index) const;
    /// When the trace began, by the clock of the stored events.
    std::int64_t originNs(std::size_t index) const { return m_origins[index]; }
    /// "forward" of step 3, then "backward".
    const std::vector<trace::PhaseSpan>& phases(std::size_t index) const { return m_phases[index]; }

private:
    std::string writeSpool(std::size_t index, std::size_t events);
    void readResults();

    QTemporaryDir m_folder;
    std::vector<trace::MemoryTimeline> m_timelines;
    std::vector<std::vector<trace::PhaseSpan>> m_phases;
    std::vector<std::int64_t> m_origins;
    Results m_results;
};

} // namespace headroom::ui
