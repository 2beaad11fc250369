// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/AccountedMemory.h"

namespace headroom::collectors {

/// Bytes of a simulated device that are held for the lifetime of this object. Not copyable; `bytes` > 0.
class HeldBytes {
public:
    HeldBytes(std::shared_ptr<AccountedMemory> memory, Bytes bytes)
        : m_memory(std::move(memory))
        , m_handle(m_memory->allocate(bytes))
    {
    }
    ~HeldBytes() { m_memory->release(m_handle); }
    HeldBytes(const HeldBytes&) = delete;
    HeldBytes& operator=(const HeldBytes&) = delete;

private:
    std::shared_ptr<AccountedMemory> m_memory;
    tensor::MemoryBackend::Handle m_handle;
};

} // namespace headroom::collectors
