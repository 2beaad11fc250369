// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/TrialMeasurement.h"
#include "profiling/store/SpoolWriter.h"

#include <filesystem>
#include <vector>

namespace headroom::worker {

/// The name under which the allocator's events stand in spool and workspace.
inline constexpr const char* kAllocatorTrack = "device";

/// Writes a trial's trace into the worker's spool, in batches.
class SpoolSink final : public collectors::TraceSink {
public:
    /// Throws FileError when the spool cannot be made.
    explicit SpoolSink(const std::filesystem::path& path);

    void event(const trace::AllocatorEvent& event) override;
    void phase(const trace::PhaseSpan& span) override;

    /// Writes what is left and closes the spool. Nothing may follow.
    void finish();

private:
    void writeEvents();

    store::SpoolWriter m_spool;
    std::vector<trace::AllocatorEvent> m_events;
};

} // namespace headroom::worker
