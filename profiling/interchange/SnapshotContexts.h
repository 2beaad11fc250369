// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/interchange/PickleWriter.h"
#include "profiling/interchange/RecordedTrace.h"
#include "profiling/trace/InnermostPhases.h"

#include <optional>
#include <unordered_map>

namespace headroom::interchange {

/// Writes the owner of a block into a PyTorch snapshot: as stack frames, which every viewer shows, and as user
/// metadata, which newer ones show too. Each combination of owner and phase is written once and referred to from then
/// on.
class SnapshotContexts {
public:
    SnapshotContexts(const RecordedTrace& trace, PickleWriter& pickle);

    /// The entries `frames` and `user_metadata` of a dictionary, for a block that belongs to `owner` at `timeNs`.
    void write(trace::OwnerId owner, std::int64_t timeNs);
    /// The entry `frames` of an entry without an owner: a segment.
    void writePhase(std::int64_t timeNs);
    /// The entry `category`; omitted if the trace has no owners, as viewers then distinguish blocks by colour.
    void writeCategory(trace::OwnerId owner);
    bool hasCategories() const { return m_trace.owners().all().size() > 1; }

private:
    struct Context {
        PickleWriter::Memo frames;
        PickleWriter::Memo metadata;
    };

    void enter(std::int64_t timeNs);
    PickleWriter::Memo writeFrames(const trace::MemoryOwner* owner);
    PickleWriter::Memo writeMetadata(const trace::MemoryOwner& owner);
    void writeStack(std::string_view lines);
    void frame(std::string_view file, std::string_view name, std::int64_t line = 0);
    void entry(std::string_view key, std::string_view value);
    const trace::PhaseSpan* phase() const; ///< null outside all phases

    const RecordedTrace& m_trace;
    PickleWriter& m_pickle;
    trace::InnermostPhases m_phases;
    std::size_t m_phase; ///< place in m_phases
    std::unordered_map<trace::OwnerId, Context> m_written; ///< in this phase
    std::optional<PickleWriter::Memo> m_phaseFrames;
};

} // namespace headroom::interchange
