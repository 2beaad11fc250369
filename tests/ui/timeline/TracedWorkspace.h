// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/SpoolWriter.h"
#include "profiling/trace/CategoryBytes.h"
#include "profiling/trace/PhaseSpan.h"
#include "tests/profiling/trace/pyramids/MemoryTimeline.h"
#include "ui/session/ResultSet.h"
#include "ui/timeline/TimelineWindow.h"

#include <QTemporaryDir>

#include <vector>

namespace headroom::ui {

/// Whether the traces say whose the memory was, and hold what host, device and driver told.
enum class Told { Nothing, OwnersAndRecords };

/// A workspace with three trials, made by what a run makes it with: two with a random trace, one without.
class TracedWorkspace {
public:
    explicit TracedWorkspace(std::size_t events = 30'000, Told told = Told::Nothing);

    std::string path() const;
    const Results& results() const { return m_results; }
    QString trial(std::size_t index) const;
    TimelineRequest request(std::size_t index) const;
    /// As the trace's own clock counts from 0 on.
    const trace::MemoryTimeline& timeline(std::size_t index) const { return m_timelines[index]; }
    std::int64_t lengthNs(std::size_t index) const;
    /// What allocated memory consisted of after all events up to and including a time: counted one by one.
    trace::CategoryBytes categoriesAt(std::size_t index, std::int64_t timeNs) const;
    /// When the trace began, by the clock of the stored events.
    std::int64_t originNs(std::size_t index) const { return m_origins[index]; }
    /// "forward" of step 3, then "backward".
    const std::vector<trace::PhaseSpan>& phases(std::size_t index) const { return m_phases[index]; }

private:
    void name(std::vector<trace::AllocatorEvent>& events, store::SpoolWriter& spool);
    std::string writeSpool(std::size_t index, std::size_t events);
    void readResults();

    QTemporaryDir m_folder;
    Told m_told;
    std::vector<trace::MemoryOwner> m_owners;
    std::vector<std::vector<trace::AllocatorEvent>> m_events;
    std::vector<trace::MemoryTimeline> m_timelines;
    std::vector<std::vector<trace::PhaseSpan>> m_phases;
    std::vector<std::int64_t> m_origins;
    Results m_results;
};

} // namespace headroom::ui
