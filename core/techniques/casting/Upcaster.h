// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/WorkingCopies.h"
#include "core/techniques/casting/CastUnits.h"
#include "core/tensor/Torch.h"

#include <memory>
#include <vector>

namespace headroom::techniques {

/// Memory that upcast copies lie in one after the other, instead of memory of their own each time.
///
/// One buffer, or two where the next copies are made while others are in use. Taken when it is first needed, given back
/// by `release`. Where all are in use, copies get memory of their own.
class UpcastScratch {
public:
    explicit UpcastScratch(std::size_t buffers);

    /// Copies that lie in a buffer, which is theirs while this lives.
    class Lease;

    /// Uninitialised contiguous tensors in the shapes of `tensors`. A buffer that has to be taken for it gets at least
    /// `elements`.
    Lease take(const std::vector<at::Tensor>& tensors, c10::ScalarType type, std::int64_t elements);

    /// Elements that copies of the tensors need, each at an address that kernels like.
    static std::int64_t elementsFor(const std::vector<at::Tensor>& tensors, c10::ScalarType type);

    /// Gives memory back that is not in use.
    void release();

private:
    struct Buffer {
        at::Tensor memory;
        bool isTaken = false;
    };

    std::vector<std::shared_ptr<Buffer>> m_buffers;
};

class UpcastScratch::Lease {
public:
    Lease() = default;
    Lease(std::vector<at::Tensor> copies, std::shared_ptr<Buffer> buffer);
    ~Lease();
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&& other) noexcept;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    const std::vector<at::Tensor>& copies() const { return m_copies; }

private:
    void giveBack() noexcept;

    std::vector<at::Tensor> m_copies;
    std::shared_ptr<Buffer> m_buffer; ///< null: the copies have memory of their own
};

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
