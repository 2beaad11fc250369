// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/offload/LoadOrder.h"

#include <algorithm>
#include <utility>

namespace headroom::techniques {

void LoadOrder::begin()
{
    if (std::exchange(m_lacksSome, false))
        m_order = m_watched;
    m_watched.clear();
    m_position = 0;
}

// Without gradients no repetition follows.
LoadOrder::Load LoadOrder::passed(const Load& load)
{
    m_watched.push_back(load);
    const auto found = std::find(m_order.begin() + static_cast<std::ptrdiff_t>(m_position), m_order.end(), load);
    if (found == m_order.end()) {
        m_lacksSome = true;
        return {};
    }
    const auto next = found + 1;
    m_position = static_cast<std::size_t>(next - m_order.begin());
    const bool follows = next != m_order.end() && (next->pass == Pass::Forward || at::GradMode::is_enabled());
    return follows ? *next : Load{};
}

} // namespace headroom::techniques
