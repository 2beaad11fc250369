// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cuda/MemoryLimit.h"

#include <c10/cuda/CUDACachingAllocator.h>

#include <algorithm>
#include <cmath>

namespace headroom::collectors {
namespace {

namespace caching = c10::cuda::CUDACachingAllocator;

// As the allocator computes it.
Bytes allowedBytes(double fraction, Bytes totalBytes)
{
    return static_cast<Bytes>(static_cast<std::size_t>(fraction * static_cast<double>(totalBytes)));
}

// The allocator tells the quotient, which may be a byte short when it is set again.
double formerFraction(std::int8_t device, Bytes totalBytes)
{
    const double told = caching::getMemoryFraction(device);
    if (told >= 1.0)
        return 1.0;
    return memoryFraction(std::llround(told * static_cast<double>(totalBytes)), totalBytes);
}

} // namespace

double memoryFraction(Bytes limitBytes, Bytes totalBytes)
{
    if (limitBytes >= totalBytes)
        return 1.0;
    double fraction = static_cast<double>(limitBytes) / static_cast<double>(totalBytes);
    while (allowedBytes(fraction, totalBytes) < limitBytes)
        fraction = std::nextafter(fraction, 1.0);
    return fraction;
}

MemoryLimit::MemoryLimit(int device, Bytes limitBytes, Bytes totalBytes)
    : m_device(static_cast<std::int8_t>(device))
    , m_former(formerFraction(m_device, totalBytes))
{
    caching::setMemoryFraction(std::min(m_former, memoryFraction(limitBytes, totalBytes)), m_device);
}

// Only a fraction outside of 0 to 1 and an unknown device are refused, which this one was neither when it was set.
MemoryLimit::~MemoryLimit()
{
    caching::setMemoryFraction(m_former, m_device);
}

} // namespace headroom::collectors
