// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryBackend.h"
#include "core/tensor/Torch.h"

#include <memory>
#include <optional>

namespace headroom::tensor {

/// While it lives, a backend accounts for every storage on LibTorch's meta device.
///
/// Meta storages have a size and a lifetime but no bytes. LibTorch looks up its meta allocator at each call, so ours
/// replaces it (c10::SetAllocator, priority 1). When an op resizes a meta storage, LibTorch asks no allocator: our own
/// kernel for resize_ does, allocating the new bytes before the old ones are freed, as on real devices. Storages may
/// outlive the scope: each keeps its backend alive.
/// Scopes do not nest; one thread opens and closes them.
class MetaMemory {
public:
    explicit MetaMemory(std::shared_ptr<MemoryBackend> backend);
    ~MetaMemory();
    MetaMemory(const MetaMemory&) = delete;
    MetaMemory& operator=(const MetaMemory&) = delete;
};

/// What the backend knows the tensor's storage by; nothing if no backend accounts for it.
std::optional<MemoryBackend::Handle> metaHandleOf(const at::Tensor& tensor);

/// A storage for memory that the backend has handed out already; released when the storage dies.
c10::Storage metaStorage(std::shared_ptr<MemoryBackend> backend, MemoryBackend::Handle handle, Bytes bytes);

/// Passes a label change to the backend of a meta storage; does nothing if no backend accounts for it.
void relabelMetaStorage(const c10::DataPtr& data, const LabelChange& change);

} // namespace headroom::tensor
