// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/BlockTrees.h"

#include "profiling/trace/peaks/BlockTree.h"

#include <limits>

namespace headroom::report {
namespace {

/// Follows a track to an instant; to a peak, up to the event that reaches it.
class BlockTreeVisitor {
public:
    BlockTreeVisitor(std::int64_t timeNs, std::optional<Bytes> peakBytes)
        : m_timeNs(timeNs)
        , m_peakBytes(peakBytes)
    {
    }

    void visit(const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events)
    {
        if (!m_tree)
            m_tree.emplace(header.before);
        for (const trace::AllocatorEvent& event : events) {
            if (hasArrived(event))
                return;
            m_tree->apply(event);
        }
    }

    const std::optional<trace::BlockTree>& tree() const { return m_tree; }

private:
    // Who owns a block may become known right after it was allocated.
    bool hasArrived(const trace::AllocatorEvent& next)
    {
        const bool isThere = m_peakBytes && next.timeNs >= m_timeNs && m_tree->counters().allocated == *m_peakBytes;
        m_hasArrived = m_hasArrived || next.timeNs > m_timeNs || (isThere && next.action != trace::Action::Relabelled);
        return m_hasArrived;
    }

    std::int64_t m_timeNs;
    std::optional<Bytes> m_peakBytes;
    std::optional<trace::BlockTree> m_tree;
    bool m_hasArrived = false;
};

} // namespace

trace::MemoryNode readBlockTree(
    const store::Workspace& workspace, const TracedRepeat& traced, const TraceAnswer& answer, trace::Grouping grouping)
{
    const std::int64_t timeNs = traced.originNs + answer.timeNs;
    BlockTreeVisitor visitor(timeNs, answer.isAtPeak() ? std::optional(answer.peak.bytes) : std::nullopt);
    workspace.trace().eachBlock(traced.repeat, answer.track, std::numeric_limits<std::int64_t>::min(), timeNs + 1, {},
        [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
            visitor.visit(header, events);
        });
    return visitor.tree() ? visitor.tree()->tree(answer.owners, grouping) : trace::MemoryNode{};
}

} // namespace headroom::report
