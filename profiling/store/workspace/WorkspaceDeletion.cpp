// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/Query.h"
#include "profiling/store/workspace/Workspace.h"

// The part of Workspace that deletes results. What hangs on a row (repeats, samples, traces, remarks) goes with it, by
// the rules of the schema.
namespace headroom::store {

void Workspace::deleteTrials(std::span<const std::int64_t> trials)
{
    WriteTransaction transaction = beginWrite();
    for (const std::int64_t trial : trials)
        Query(*m_file, "DELETE FROM trials WHERE id = ?", trial).run();
    transaction.commit();
}

void Workspace::deleteExperiment(std::int64_t experiment)
{
    WriteTransaction transaction = beginWrite();
    Query(*m_file, "DELETE FROM experiments WHERE id = ?", experiment).run();
    transaction.commit();
}

} // namespace headroom::store
