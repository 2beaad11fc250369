// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/BoxGrid.h"

#include <cmath>

namespace headroom::figures {
namespace {

constexpr double kCell = 32;

std::size_t cellsIn(double length)
{
    return static_cast<std::size_t>(std::max(1.0, std::ceil(length / kCell)));
}

std::size_t cellAt(double offset, std::size_t count)
{
    return static_cast<std::size_t>(std::clamp(std::floor(offset / kCell), 0.0, static_cast<double>(count - 1)));
}

} // namespace

BoxGrid::BoxGrid(const Box& area)
    : m_area(area)
    , m_columns(cellsIn(area.width))
    , m_rows(cellsIn(area.height))
    , m_cells(m_columns * m_rows)
{
}

BoxGrid::Cells BoxGrid::cellsOf(const Box& box) const
{
    return {cellAt(box.x - m_area.x, m_columns), cellAt(box.y - m_area.y, m_rows),
        cellAt(box.right() - m_area.x, m_columns), cellAt(box.bottom() - m_area.y, m_rows)};
}

void BoxGrid::add(const Box& box)
{
    const Cells cells = cellsOf(box);
    for (std::size_t row = cells.top; row <= cells.bottom; ++row)
        for (std::size_t column = cells.left; column <= cells.right; ++column)
            m_cells[row * m_columns + column].push_back(box);
}

} // namespace headroom::figures
