// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstdint>

namespace headroom::collectors {

/// The memory fraction with which LibTorch's CUDA allocator takes exactly `limitBytes` from a device of `totalBytes`
/// (cudaDeviceProp::totalGlobalMem). It multiplies in doubles and cuts off the fraction of a byte, so that the plain
/// quotient is one byte short for one limit in twenty. 1, which is no limit, where the limit is the device's memory or
/// more.
double memoryFraction(Bytes limitBytes, Bytes totalBytes);

/// Limits what LibTorch's CUDA allocator takes from a device, and puts the former limit back in the end. A stricter one
/// (per_process_memory_fraction in PYTORCH_ALLOC_CONF) stays.
class MemoryLimit {
public:
    /// The device must be open.
    MemoryLimit(int device, Bytes limitBytes, Bytes totalBytes);
    ~MemoryLimit();
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    std::int8_t m_device;
    double m_former;
};

} // namespace headroom::collectors
