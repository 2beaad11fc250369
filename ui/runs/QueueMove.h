// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

namespace headroom::ui {

enum class QueueMove { Up, Down, ToTop };

/// Returns the list with the elements for which `isMoved` holds moved by one place or to the front; they keep their
/// order.
template <typename T, typename IsMoved>
std::vector<T> moved(std::vector<T> list, const IsMoved& isMoved, QueueMove direction)
{
    if (direction == QueueMove::ToTop)
        std::stable_partition(list.begin(), list.end(), isMoved);
    if (direction == QueueMove::Up)
        for (std::size_t i = 1; i < list.size(); ++i)
            if (isMoved(list[i]) && !isMoved(list[i - 1]))
                std::swap(list[i], list[i - 1]);
    if (direction == QueueMove::Down)
        for (std::size_t i = list.size(); i-- > 1;)
            if (isMoved(list[i - 1]) && !isMoved(list[i]))
                std::swap(list[i], list[i - 1]);
    return list;
}

/// The same, but moved to before the element that is now at `place`.
template <typename T, typename IsMoved>
std::vector<T> movedTo(std::vector<T> list, const IsMoved& isMoved, std::size_t place)
{
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(std::min(place, list.size()));
    std::stable_partition(list.begin(), middle, [&](const T& element) { return !isMoved(element); });
    std::stable_partition(middle, list.end(), isMoved);
    return list;
}

} // namespace headroom::ui
