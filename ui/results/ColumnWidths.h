// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace headroom::ui {

/// What a column would like, in px.
struct ColumnWish {
    int natural = 0; ///< shows its longest text in one line
    int least = 0; ///< below that not even wrapped text can be read; as natural for a column that must not wrap
};

/// The widths of columns that share `available` px: what each would like if there is room for all, otherwise columns
/// that may wrap give way, the widest first, down to what they need at least. What does not fit then has to be scrolled
/// to.
std::vector<int> sharedWidths(const std::vector<ColumnWish>& wishes, int available);

} // namespace headroom::ui
