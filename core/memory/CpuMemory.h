// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/memory/MemoryBackend.h"
#include "core/tensor/Torch.h"

#include <memory>
#include <new>

namespace headroom::tensor {

/// The system refused memory for a CPU tensor (no memory left, or a limit of the process).
class HostMemoryExhausted : public std::bad_alloc {
public:
    explicit HostMemoryExhausted(Bytes requestedBytes)
        : m_requestedBytes(requestedBytes)
    {
    }

    Bytes requestedBytes() const noexcept { return m_requestedBytes; }
    const char* what() const noexcept override { return "the system refused memory for a tensor"; }

private:
    Bytes m_requestedBytes;
};

/// While it lives, a backend accounts for every tensor storage on the CPU, including temporaries inside kernels.
///
/// Wraps LibTorch's CPU allocator. Not seen: scratch memory of oneDNN and BLAS (it is not tensor memory, and differs
/// between processors), thread stacks, memory that tensors borrow. Storages may outlive the scope: each keeps its
/// backend alive.
/// Scopes do not nest; one thread opens and closes them.
class CpuMemory {
public:
    explicit CpuMemory(std::shared_ptr<MemoryBackend> backend);
    ~CpuMemory();
    CpuMemory(const CpuMemory&) = delete;
    CpuMemory& operator=(const CpuMemory&) = delete;
};

/// Passes a label change to the backend of a CPU storage; does nothing if no backend accounts for it.
void relabelCpuStorage(const c10::DataPtr& data, const LabelChange& change);

} // namespace headroom::tensor
