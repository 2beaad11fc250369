// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/measurement/RefusedRequest.h"

#include <memory>
#include <string>

namespace headroom::collectors {

/// Notes the last request that LibTorch's CUDA allocator refused on a device, with exact figures: its exception prints
/// them with two decimals.
///
/// LibTorch keeps observers for the life of the process. Each is called once for each refused request, so many of them
/// cost nothing.
class CudaRefusals {
public:
    /// The device must be open. An allocator that has no observers (backend:cudaMallocAsync) leaves the exceptions'
    /// figures.
    explicit CudaRefusals(int device);

    /// What an exception says, exact where the last refused request is the one that it tells of.
    protocol::OutOfMemoryFacts exact(const protocol::OutOfMemoryFacts& said) const;

    /// Why there are no exact figures; empty when there are.
    const std::string& problem() const { return m_problem; }

private:
    struct Last;

    std::shared_ptr<Last> m_last; ///< shared with the allocator
    std::string m_problem;
};

} // namespace headroom::collectors
