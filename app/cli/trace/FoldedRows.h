// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/recordings/WhatIf.h"

#include <cstddef>
#include <string>
#include <vector>

namespace headroom::cli {

/// Rows of a replay that say the same, as one line of a table.
struct FoldedRow {
    std::vector<const experiments::WhatIfRow*> rows; ///< at least one; the first one stands for all

    /// "max_split_size_mb:64, 128 (recorded)"
    std::string settings() const;
};

/// What a table shows of a device.
struct FoldedDevice {
    int device = 0;
    bool hasDied = false; ///< under the recorded settings
    std::vector<FoldedRow> rows;
    std::size_t left = 0; ///< settings that are left out, as they are no better
};

/// The rows by device. Of the settings that a suggestion tried the best few are kept, and of devices that did not die,
/// where one did, hardly any: the answer is about the one that died. `most`: lines of a device, the recorded one
/// included.
std::vector<FoldedDevice> foldedRows(const experiments::WhatIfAnswer& answer, std::size_t most);

} // namespace headroom::cli
