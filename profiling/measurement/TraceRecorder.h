// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryAttribution.h"
#include "core/protocol/MemoryBreakdown.h"
#include "profiling/measurement/BlockLabels.h"
#include "profiling/measurement/PhaseLedger.h"
#include "profiling/trace/CategoryBytes.h"
#include "profiling/trace/peaks/PeakBreakdown.h"

#include <array>

namespace headroom::collectors {

class TraceSink;

/// Numbers the owners of a trace, passes its events on, and determines what the peak of the measured steps consists of
/// and what grew from step to step.
class TraceRecorder {
public:
    /// All arguments are borrowed; a null sink: nothing is written.
    TraceRecorder(const tensor::MemoryAttribution& attribution, const PhaseLedger& ledger, TraceSink* sink);

    void event(const LabelledEvent& event);

    /// Only events from now on count for the peak.
    void beginSpan();
    /// What is held now should be held at the end of the next step, and no more.
    void stepEnded();

    /// The breakdown of the span; the categories that grew between the ends of the last two steps are its leaks.
    protocol::MemoryBreakdown breakdown() const;

private:
    struct LabelHash {
        std::size_t operator()(const tensor::MemoryLabel& label) const;
    };

    trace::OwnerId idOf(const tensor::MemoryLabel& label);
    trace::OwnerId newId(const tensor::MemoryLabel& label);
    void countRequested(const trace::AllocatorEvent& event);
    Bytes& requestedOf(trace::OwnerId owner);
    std::vector<protocol::MemoryLeak> leaks() const;

    const tensor::MemoryAttribution& m_attribution;
    const PhaseLedger& m_ledger;
    TraceSink* m_sink;
    trace::OwnerTable m_owners;
    std::unordered_map<tensor::MemoryLabel, trace::OwnerId, LabelHash> m_ids;
    trace::PeakBreakdown m_peak;
    std::string m_peakPhase;
    Bytes m_requestedAtPeak = 0;
    trace::CategoryBytes m_requested; ///< of live blocks: the same request may get a larger block in the next step
    std::array<trace::CategoryBytes, 2> m_stepEnds; ///< of the last two steps, the later one last
    int m_steps = 0;
};

} // namespace headroom::collectors
