// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <stdexcept>

namespace headroom::simulator {

/// The state in which a request failed, after all returnable memory had been returned.
struct OutOfMemoryFacts {
    Bytes requestedBytes = 0; ///< what was asked for
    Bytes segmentBytes = 0; ///< what the device was asked for in the last attempt
    Bytes freeDeviceBytes = 0; ///< what the device (or the memory fraction) still had
    Bytes missingBytes = 0; ///< how much more would have been enough for this request
    Bytes allocatedBytes = 0;
    Bytes reservedBytes = 0;
};

/// A request did not fit. This is an outcome of a trial and therefore not a headroom::Error.
class OutOfMemory : public std::runtime_error {
public:
    explicit OutOfMemory(const OutOfMemoryFacts& facts);

    const OutOfMemoryFacts& facts() const noexcept { return m_facts; }

private:
    OutOfMemoryFacts m_facts;
};

} // namespace headroom::simulator
