// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/reading/TraceAnswer.h"
#include "profiling/trace/peaks/MemoryTree.h"

namespace headroom::report {

/// What was held at the instant of an answer, as a tree by size or stream of its blocks. Reads the events up to there.
/// Throws FileError.
trace::MemoryNode readBlockTree(
    const store::Workspace& workspace, const TracedRepeat& traced, const TraceAnswer& answer, trace::Grouping grouping);

/// Whether a grouping is by what blocks are and not by whose they are.
constexpr bool isOfBlocks(trace::Grouping grouping)
{
    return grouping == trace::Grouping::Size || grouping == trace::Grouping::Stream;
}

} // namespace headroom::report
