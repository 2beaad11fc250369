// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

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

} // namespace headroom::tensor
