// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/WorkingCopies.h"
#include "core/techniques/casting/CastUnits.h"
#include "core/techniques/casting/UpcastScratch.h"

#include <memory>

namespace headroom::techniques {

/// One step's casts, shared with what a graph keeps.
struct CastCount {
    std::int64_t casts = 0; ///< tensors
    std::int64_t castBytes = 0; ///< of the copies
    std::int64_t streamSyncs = 0;
};

/// What the backward pass finds of an upcast copy: the copy, or the order to make it again.
enum class BackwardCopies { Kept, CastAgain };

/// Makes copies of stored tensors in the compute type. Copies are labelled as upcast_copies of the technique "casting".
class Upcaster {
public:
    /// `buffers`: how many units have copies at a time.
    Upcaster(const CastRules& rules, BackwardCopies backward, std::size_t buffers, std::shared_ptr<CastCount> count);

    /// A buffer will hold copies of these tensors, among others.
    void reserveFor(const std::vector<at::Tensor>& tensors);

    /// Whether the tensor's data are the stored ones and another type is computed with.
    bool isStored(const at::Tensor& tensor) const;

    /// Memory for copies of the tensors: in a buffer; each of its own where autograd may keep them.
    UpcastScratch::Lease room(const std::vector<at::Tensor>& tensors);

    /// Casts on the current stream.
    static void fill(const std::vector<at::Tensor>& stored, const std::vector<at::Tensor>& copies);
    void count(const std::vector<at::Tensor>& copies);

    /// How the backward pass makes a copy of the parameter again; nothing where copies are kept.
    tensor::WorkingCopies::Rebuild rebuildOf(const at::Tensor& parameter) const;

    /// Gives the buffers' memory back.
    void release() { m_scratch.release(); }

private:
    c10::ScalarType m_storage;
    c10::ScalarType m_compute;
    BackwardCopies m_backward;
    std::shared_ptr<CastCount> m_count;
    UpcastScratch m_scratch;
    std::int64_t m_elements = 0; ///< of a buffer
};

} // namespace headroom::techniques
