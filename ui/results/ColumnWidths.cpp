// SPDX-License-Identifier: Apache-2.0
#include "ui/results/ColumnWidths.h"

#include <algorithm>
#include <numeric>

namespace headroom::ui {

std::vector<int> sharedWidths(const std::vector<ColumnWish>& wishes, int available)
{
    std::vector<int> widths;
    for (const ColumnWish& wish : wishes)
        widths.push_back(wish.natural);
    int tooMuch = std::accumulate(widths.begin(), widths.end(), 0) - available;
    while (tooMuch > 0) {
        // The widest that can still give way, down to the second widest of them.
        std::size_t widest = widths.size();
        int second = 0;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (widths[i] <= wishes[i].least)
                continue;
            if (widest == widths.size() || widths[i] > widths[widest]) {
                second = widest == widths.size() ? 0 : widths[widest];
                widest = i;
            } else {
                second = std::max(second, widths[i]);
            }
        }
        if (widest == widths.size())
            break;
        const int before = widths[widest];
        widths[widest] = std::max({wishes[widest].least, std::min(second, before - 1), before - tooMuch});
        tooMuch -= before - widths[widest];
    }
    return widths;
}

} // namespace headroom::ui
