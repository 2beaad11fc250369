// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ReplacedFile.h"
#include "profiling/interchange/AllocatorReplay.h"
#include "profiling/interchange/ExportSummary.h"
#include "profiling/interchange/FinalOwners.h"
#include "profiling/interchange/PickleWriter.h"
#include "profiling/interchange/RecordedTrace.h"
#include "profiling/interchange/SnapshotContexts.h"

#include <string>
#include <vector>

namespace headroom::interchange {

/// Writes a trace as a PyTorch memory snapshot, the pickle that torch.cuda.memory._dump_snapshot makes and that the
/// viewer at pytorch.org/memory_viz draws. docs/interchange.md describes the mapping.
///
/// Reads the trace twice, block by block; memory grows with the number of live blocks and by four bytes for each
/// allocation (FinalOwners), not with the number of events.
class SnapshotExport {
public:
    SnapshotExport(const RecordedTrace& trace, ReplacedFile& file);

    /// Call once. The file is complete but not committed. Throws FileError.
    ExportSummary write();

private:
    /// A track, and the state after its events, which is written after them.
    struct Device {
        std::int64_t number = 0;
        AllocatorReplay::Repairs repairs{};
        std::vector<std::pair<std::uint64_t, AllocatorReplay::Segment>> segments{};
        std::map<std::uint64_t, AllocatorReplay::Block> blocks{};
        bool hasOwnSegments = false;
        bool hasExpandableSegments = false;
        std::int64_t lastNs = 0; ///< of the entries written
    };

    void writeTraces();
    AllocatorReplay::Expectation learn(const store::TrackRow& track, FinalOwners& owners);
    void writeTrace(const store::TrackRow& track, Device& device);
    static void keep(const AllocatorReplay& replay, Device& device);
    void writeEntry(const trace::AllocatorEvent& event);
    void writeEndOfTrace(std::int64_t timeNs);
    void writeSegments();
    void writeSegment(const Device& device, std::uint64_t address, const AllocatorReplay::Segment& segment);
    void writeBlocks(const Device& device, std::uint64_t address, const AllocatorReplay::Segment& segment);
    void writeBlock(std::uint64_t address, const AllocatorReplay::Block& block);
    void writeFree(std::uint64_t address, Bytes bytes);
    void writeSettings();
    void writePhases();
    void writePhaseEdge(const trace::PhaseSpan& span, std::string_view stage, std::int64_t timeNs);
    void writeOrigin();
    ExportSummary summary() const;
    void noteDevice(const Device& device, ExportSummary& summary) const;

    void entry(std::string_view key, std::int64_t value);
    void entry(std::string_view key, std::string_view value);

    const RecordedTrace& m_trace;
    ReplacedFile& m_file;
    PickleWriter m_pickle;
    SnapshotContexts m_contexts;
    std::vector<Device> m_devices;
    std::int64_t m_entries = 0;
    std::int64_t m_segments = 0;
    std::int64_t m_relabelled = 0;
    Bytes m_heldBefore = 0;
};

} // namespace headroom::interchange
