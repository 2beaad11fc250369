// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/memory/MemoryLabel.h"

#include <cstdint>

namespace headroom::tensor {

enum class HostMemory;

/// Who accounts for the memory of tensors: told of every storage's birth and death.
///
/// Called from any thread; implementations lock. An allocation is refused by throwing, before memory is taken.
class MemoryBackend {
public:
    using Handle = std::uint64_t;

    virtual ~MemoryBackend() = default;

    /// A storage of `bytes` (> 0) is wanted. The handle is given back when it dies.
    virtual Handle allocate(Bytes bytes) = 0;
    virtual void release(Handle handle) noexcept = 0;

    /// A storage of a model's host memory (HostMemoryScope) is wanted; released like any other. Without an account of
    /// its own it is the device's.
    virtual Handle allocateHost(HostMemory, Bytes bytes) { return allocate(bytes); }

    /// Something became known of whose a live storage is (MemoryAttribution).
    virtual void relabel(Handle, const LabelChange&) noexcept { }
};

} // namespace headroom::tensor
