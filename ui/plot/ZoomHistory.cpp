// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/ZoomHistory.h"

namespace headroom::ui {
namespace {

constexpr std::size_t kMost = 100;

} // namespace

void ZoomHistory::restart(const figures::Window& window)
{
    m_windows = {window};
    m_current = 0;
}

void ZoomHistory::visit(const figures::Window& window)
{
    if (window == m_windows[m_current])
        return;
    m_windows.resize(m_current + 1);
    m_windows.push_back(window);
    if (m_windows.size() > kMost)
        m_windows.erase(m_windows.begin());
    m_current = m_windows.size() - 1;
}

const figures::Window& ZoomHistory::back()
{
    if (canGoBack())
        --m_current;
    return m_windows[m_current];
}

const figures::Window& ZoomHistory::forward()
{
    if (canGoForward())
        ++m_current;
    return m_windows[m_current];
}

} // namespace headroom::ui
