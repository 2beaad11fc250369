// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/memory/MemoryLabel.h"

#include <cstdint>

namespace headroom::tensor {

enum class HostMemory;

/// Accounts for the memory of tensors: notified of every storage's allocation and release.
///
/// Called from any thread; implementations lock. An allocation is refused by throwing before memory is taken.
class MemoryBackend {
public:
    using Handle = std::uint64_t;

    virtual ~MemoryBackend() = default;

    /// A storage of `bytes` (> 0) is requested. The handle is passed to `release` when the storage dies.
    virtual Handle allocate(Bytes bytes) = 0;
    virtual void release(Handle handle) noexcept = 0;

    /// A storage of a model's host memory (HostMemoryScope) is requested; released like any other. A backend without a
    /// separate host account counts it as device memory.
    virtual Handle allocateHost(HostMemory, Bytes bytes) { return allocate(bytes); }

    /// The owner of a live storage has changed (MemoryAttribution).
    virtual void relabel(Handle, const LabelChange&) noexcept { }
};

} // namespace headroom::tensor
