// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/Rotation.h"

#include "core/base/Bytes.h"

#include <algorithm>

namespace headroom::collectors {

Rotation::Rotation(const at::Tensor& first)
{
    constexpr Bytes kFill = 64 * kMiB; // more than a core's share of any cache
    constexpr Bytes kMostCopies = 16;
    const Bytes copies =
        std::clamp<Bytes>(kFill / std::max<Bytes>(static_cast<Bytes>(first.nbytes()), 1), 1, kMostCopies);
    m_tensors.push_back(first);
    while (std::ssize(m_tensors) < copies)
        m_tensors.push_back(first.clone());
}

const at::Tensor& Rotation::next()
{
    m_next = (m_next + 1) % m_tensors.size();
    return m_tensors[m_next];
}

} // namespace headroom::collectors
