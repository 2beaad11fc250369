// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/MemoryBackend.h"

#include <memory>

namespace headroom::tensor {

/// While it lives, every tensor storage on the CPU is accounted for by a backend, temporaries inside kernels included.
///
/// Wraps LibTorch's CPU allocator. Not seen: scratch of oneDNN and BLAS (it is no tensor, and differs from processor to
/// processor), thread stacks, memory that tensors borrow. Storages may outlive the scope: each keeps its backend alive.
/// Scopes do not nest; one thread opens and closes them.
class CpuMemory {
public:
    explicit CpuMemory(std::shared_ptr<MemoryBackend> backend);
    ~CpuMemory();
    CpuMemory(const CpuMemory&) = delete;
    CpuMemory& operator=(const CpuMemory&) = delete;
};

} // namespace headroom::tensor
