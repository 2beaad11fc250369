// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/measurement/TrialMeasurement.h"
#include "profiling/store/traces/SpoolWriter.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::worker {

/// The track name of the allocator's events in spool and workspace.
inline constexpr const char* kAllocatorTrack = "device";

/// Writes a trial's trace into the worker's spool, in batches. If the spool cannot be created or written (a full disk),
/// the trace is lost but not the trial: the first error is kept and later events are dropped.
class SpoolSink final : public collectors::TraceSink {
public:
    explicit SpoolSink(const std::filesystem::path& path);

    void event(const trace::AllocatorEvent& event) override;
    void phase(const trace::PhaseSpan& span) override;
    void owner(trace::OwnerId id, const trace::MemoryOwner& owner) override;
    void records(const trace::DeviceRecords& records) override;
    void lost(const std::string& what) override;

    /// Writes what is left and closes the spool. Must be the last call.
    void finish();

    /// Why the trace is incomplete; empty when it is complete.
    const std::string& problem() const { return m_problem; }

private:
    template <typename Write> void attempt(Write write) noexcept;
    void writeEvents();

    std::optional<store::SpoolWriter> m_spool; ///< nullopt if it could not be created; m_problem then has the reason
    std::vector<trace::AllocatorEvent> m_events;
    std::string m_problem;
};

} // namespace headroom::worker
