// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryBackend.h"
#include "core/tensor/Torch.h"

#include <memory>

namespace headroom::tensor {

/// While it lives, every storage on LibTorch's meta device is accounted for by a backend.
///
/// Meta storages have a size and a lifetime but no bytes. LibTorch fetches its meta allocator at each call, so ours
/// replaces it (c10::SetAllocator, priority 1). A storage that an op resizes asks no allocator there: a kernel for
/// resize_ does it in its place, the new bytes before the old ones go, as on real devices. Storages may outlive the
/// scope: each keeps its backend alive.
/// Scopes do not nest; one thread opens and closes them.
class MetaMemory {
public:
    explicit MetaMemory(std::shared_ptr<MemoryBackend> backend);
    ~MetaMemory();
    MetaMemory(const MetaMemory&) = delete;
    MetaMemory& operator=(const MetaMemory&) = delete;
};

/// Tells the backend of a meta storage what became known of it; nothing where none accounts for it.
void relabelMetaStorage(const c10::DataPtr& data, const LabelChange& change);

} // namespace headroom::tensor
