// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/OutOfMemory.h"

#include <fmt/format.h>

namespace headroom::simulator {

OutOfMemory::OutOfMemory(const OutOfMemoryFacts& facts)
    : std::runtime_error(fmt::format("out of memory: {} bytes requested, {} tried, {} free, {} missing "
                                     "({} allocated, {} reserved)",
          facts.requestedBytes, facts.segmentBytes, facts.freeDeviceBytes, facts.missingBytes, facts.allocatedBytes,
          facts.reservedBytes))
    , m_facts(facts)
{
}

} // namespace headroom::simulator
