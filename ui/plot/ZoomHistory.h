// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/FigureWindow.h"

#include <cstddef>
#include <vector>

namespace headroom::ui {

/// The windows a plot has been seen through, and where one is among them. There is always one.
class ZoomHistory {
public:
    /// Forgets all but this one.
    void restart(const figures::Window& window);
    /// Behind the current one; what was ahead is forgotten.
    void visit(const figures::Window& window);

    bool canGoBack() const { return m_current > 0; }
    bool canGoForward() const { return m_current + 1 < m_windows.size(); }
    const figures::Window& back();
    const figures::Window& forward();

private:
    std::vector<figures::Window> m_windows{{}};
    std::size_t m_current = 0;
};

} // namespace headroom::ui
