// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryBackend.h"
#include "core/tensor/Torch.h"

#include <functional>
#include <string>

namespace headroom::tensor {

/// Host memory that techniques use on purpose.
enum class HostMemory { Pageable, Pinned };

/// While it lives, what this thread allocates on the CPU or on meta is host memory of a model: accounted for in the
/// host pool, apart from the device's. So a technique that moves bytes to the host can be measured on the CPU, and
/// simulated.
class HostMemoryScope {
public:
    explicit HostMemoryScope(HostMemory kind);
    ~HostMemoryScope();
    HostMemoryScope(const HostMemoryScope&) = delete;
    HostMemoryScope& operator=(const HostMemoryScope&) = delete;

    /// Of this thread, now; null: none.
    static const HostMemory* current();

private:
    const HostMemory* m_outer;
    HostMemory m_kind;
};

/// What an allocator asks of its backend: memory of the host within this thread's scope, otherwise of the device.
MemoryBackend::Handle allocateScoped(MemoryBackend& backend, Bytes bytes);

/// A tensor in host memory, and of which kind it really is.
struct HostTensor {
    at::Tensor tensor;
    HostMemory kind = HostMemory::Pageable;
    std::string reason; ///< why it is pageable although pinned memory was asked for; else empty
};

/// Uninitialised, contiguous, in the host memory of a model on `device`: pinned where that is asked for and possible.
/// On `cpu` and on simulated devices pinned memory is emulated: counted as pinned, ordinary otherwise.
HostTensor emptyOnHost(at::IntArrayRef sizes, c10::ScalarType dtype, c10::Device device, HostMemory kind);

/// How pinned memory is taken: throws where there is none.
using PinnedAllocation = std::function<at::Tensor(at::IntArrayRef sizes, const at::TensorOptions& options)>;

/// While it lives, pinned memory is taken in another way, on every device and thread: so a system that refuses it can
/// be played. Scopes do not nest.
class PinnedAllocationScope {
public:
    explicit PinnedAllocationScope(PinnedAllocation allocation);
    ~PinnedAllocationScope();
    PinnedAllocationScope(const PinnedAllocationScope&) = delete;
    PinnedAllocationScope& operator=(const PinnedAllocationScope&) = delete;
};

} // namespace headroom::tensor
