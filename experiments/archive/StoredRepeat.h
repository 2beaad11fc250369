// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "profiling/store/traces/Rows.h"

#include <cstdint>
#include <string>

namespace headroom::experiments {

/// A repeat that is in the workspace.
struct StoredRepeat {
    std::int64_t id = 0; ///< of its row: the key to its trace
    int index = 0;
    protocol::RepeatResult result;
    /// Why the result that is stored cannot be read; empty: it can. `result` then is a failure that says so.
    std::string damage{};

    bool isDamaged() const { return !damage.empty(); }
};

/// Never throws for what stands in the row: a damaged result costs itself and not the experiment.
StoredRepeat readRepeat(const store::RepeatRow& row);

} // namespace headroom::experiments
