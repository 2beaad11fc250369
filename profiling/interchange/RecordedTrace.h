// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/workspace/Workspace.h"
#include "profiling/trace/MemoryOwner.h"
#include "profiling/trace/PhaseSpan.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace headroom::interchange {

/// One repeat's trace as an export reads it: small data at once, events one block at a time and as often as needed.
/// Borrows the workspace. Everything throws FileError.
class RecordedTrace {
public:
    using RecordVisitor = std::function<void(const trace::DeviceRecords&)>;
    using EventVisitor = std::function<void(const trace::AllocatorEvent&)>;

    RecordedTrace(
        store::Workspace& workspace, store::ExperimentRow experiment, store::TrialRow trial, store::RepeatRow repeat);

    const store::ExperimentRow& experiment() const { return m_experiment; }
    const store::TrialRow& trial() const { return m_trial; }
    const store::RepeatRow& repeat() const { return m_repeat; }
    const std::vector<store::TrackRow>& tracks() const { return m_tracks; }
    const trace::OwnerTable& owners() const { return m_owners; }
    const std::vector<trace::PhaseSpan>& phases() const { return m_phases; } ///< in the order of recording
    std::vector<store::DiagnosticRow> diagnostics() const;

    /// "sim:h100-80gb | baseline, repeat 0 (predicted)": for people.
    std::string title() const;
    std::int64_t events() const; ///< on all tracks
    std::int64_t firstNs() const; ///< of tracks and phases; 0 if there are none
    std::int64_t lastNs() const;
    /// Number of the CUDA device; 0 for every other device.
    int deviceIndex() const;

    /// The memory held before the first event of a track.
    trace::MemoryCounters before(const std::string& track) const;
    void eachEvent(const std::string& track, const EventVisitor& visit) const;
    /// The records of driver, device and host, one time interval after the other, each record once, ordered by begin.
    void eachRecords(const RecordVisitor& visit) const;
    store::TraceReader reader() const { return m_workspace.trace(); }

private:
    store::Workspace& m_workspace;
    store::ExperimentRow m_experiment;
    store::TrialRow m_trial;
    store::RepeatRow m_repeat;
    std::vector<store::TrackRow> m_tracks;
    trace::OwnerTable m_owners;
    std::vector<trace::PhaseSpan> m_phases;
};

} // namespace headroom::interchange
