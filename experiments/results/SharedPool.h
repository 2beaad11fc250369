// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/Shared.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// Lets equal values that come near each other share their room, as those of the trials of a sweep do. It looks at the
/// last distinct ones alone, so what a value costs does not grow with their number.
template <typename T> class SharedPool {
public:
    explicit SharedPool(std::size_t size = 64)
        : m_size(size)
    {
    }

    /// The value, shared with an equal one where there is one among the last.
    Shared<T> shared(Shared<T> value)
    {
        for (const Shared<T>& known : m_recent)
            if (known == value)
                return known;
        if (m_recent.size() < m_size) {
            m_recent.push_back(value);
        } else {
            m_recent[m_oldest] = value;
            m_oldest = (m_oldest + 1) % m_size;
        }
        return value;
    }

private:
    std::size_t m_size;
    std::vector<Shared<T>> m_recent;
    std::size_t m_oldest = 0; ///< in m_recent, once that is full
};

} // namespace headroom::experiments
