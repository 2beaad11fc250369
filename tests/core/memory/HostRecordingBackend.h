// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/HostMemory.h"
#include "tests/core/memory/RecordingBackend.h"

namespace headroom::tensor {

/// An account for the device and one for each kind of host memory.
class HostRecordingBackend final : public MemoryBackend {
public:
    Handle allocate(Bytes bytes) override { return 4 * device.allocate(bytes); }
    Handle allocateHost(HostMemory kind, Bytes bytes) override
    {
        return kind == HostMemory::Pinned ? 4 * pinned.allocate(bytes) + 1 : 4 * pageable.allocate(bytes) + 2;
    }
    void release(Handle handle) noexcept override
    {
        RecordingBackend* const accounts[]{&device, &pinned, &pageable};
        accounts[handle % 4]->release(handle / 4);
    }

    RecordingBackend device, pinned, pageable;
};

} // namespace headroom::tensor
