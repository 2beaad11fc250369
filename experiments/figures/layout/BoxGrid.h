// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Box.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace headroom::figures {

/// Boxes sorted into the cells of a grid, so that those near a place are found without looking at all.
class BoxGrid {
public:
    /// What lies outside the area counts to the cells at its edge.
    explicit BoxGrid(const Box& area);

    void add(const Box& box);

    /// Whether `matches` any box that may reach into `where`; it may be asked about the same one more than once.
    template <typename Matches> bool any(const Box& where, const Matches& matches) const
    {
        const Cells cells = cellsOf(where);
        for (std::size_t row = cells.top; row <= cells.bottom; ++row)
            for (std::size_t column = cells.left; column <= cells.right; ++column) {
                const auto& held = m_cells[row * m_columns + column];
                if (std::any_of(held.begin(), held.end(), matches))
                    return true;
            }
        return false;
    }

private:
    struct Cells {
        std::size_t left = 0;
        std::size_t top = 0;
        std::size_t right = 0;
        std::size_t bottom = 0;
    };
    Cells cellsOf(const Box& box) const;

    Box m_area;
    std::size_t m_columns;
    std::size_t m_rows;
    std::vector<std::vector<Box>> m_cells;
};

} // namespace headroom::figures
