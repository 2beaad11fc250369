// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryBackend.h"
#include "core/tensor/Torch.h"

#include <functional>
#include <string>

namespace headroom::tensor {

/// Host memory that techniques use deliberately.
enum class HostMemory { Pageable, Pinned };

/// While it lives, this thread's allocations on the CPU or on meta are host memory of a model, accounted for in the
/// host pool, separately from the device's. So a technique that moves bytes to the host can be measured on the CPU and
/// simulated.
class HostMemoryScope {
public:
    explicit HostMemoryScope(HostMemory kind);
    ~HostMemoryScope();
    HostMemoryScope(const HostMemoryScope&) = delete;
    HostMemoryScope& operator=(const HostMemoryScope&) = delete;

    /// This thread's current one; null: none.
    static const HostMemory* current();

private:
    const HostMemory* m_outer;
    HostMemory m_kind;
};

/// What an allocator requests from its backend: host memory within this thread's scope, otherwise device memory.
MemoryBackend::Handle allocateScoped(MemoryBackend& backend, Bytes bytes);

/// A tensor in host memory, and the kind of memory that it really has.
struct HostTensor {
    at::Tensor tensor;
    HostMemory kind = HostMemory::Pageable;
    std::string reason; ///< why it is pageable although pinned memory was requested; otherwise empty
};

/// Uninitialised, contiguous, in the host memory of a model on `device`: pinned if requested and possible. On `cpu` and
/// on simulated devices pinned memory is emulated: counted as pinned, but ordinary memory.
HostTensor emptyOnHost(at::IntArrayRef sizes, c10::ScalarType dtype, c10::Device device, HostMemory kind);

/// How pinned memory is allocated: throws if there is none.
using PinnedAllocation = std::function<at::Tensor(at::IntArrayRef sizes, const at::TensorOptions& options)>;

/// While it lives, pinned memory is allocated by this function, on every device and thread, to imitate a system that
/// refuses it. Scopes do not nest.
class PinnedAllocationScope {
public:
    explicit PinnedAllocationScope(PinnedAllocation allocation);
    ~PinnedAllocationScope();
    PinnedAllocationScope(const PinnedAllocationScope&) = delete;
    PinnedAllocationScope& operator=(const PinnedAllocationScope&) = delete;
};

} // namespace headroom::tensor
