// SPDX-License-Identifier: Apache-2.0
#pragma once

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

} // namespace headroom::techniques
