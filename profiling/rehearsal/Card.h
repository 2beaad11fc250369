// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace headroom::rehearsal {

/// The card that is not there, as its description says it: a text file of lines "key value", written by whoever starts
/// the process, named by the environment variable HEADROOM_CARD. Every process of a rehearsal reads the same file.
/// A key that is missing or unknown ends the process with a sentence that names it: nothing about a card is guessed.
struct Card {
    std::string name; ///< as CUDA says it: "NVIDIA H100 80GB HBM3"
    int count = 1; ///< how many of them a process sees
    int capabilityMajor = 0;
    int capabilityMinor = 0;
    std::size_t totalBytes = 0; ///< what cudaMemGetInfo calls total
    std::size_t contextBytes = 0; ///< of a process, outside of what it allocates itself
    std::size_t hostBytes = 0; ///< the most of pinned and managed host memory; 0: no limit
    int multiprocessors = 0;
    int threadsPerMultiprocessor = 0;
    int blocksPerMultiprocessor = 0;
    int warpSize = 0;
    std::size_t sharedBytesPerBlock = 0;
    std::size_t sharedBytesPerBlockOptIn = 0;
    std::size_t sharedBytesPerMultiprocessor = 0;
    int registersPerBlock = 0;
    int registersPerMultiprocessor = 0;
    std::size_t l2Bytes = 0;
    int memoryBusBits = 0;
    int clockKilohertz = 0;
    int memoryClockKilohertz = 0;
    bool ascendingSegments = false; ///< where the driver puts segments: see simulator::SegmentPlacement
    double kernelSeconds = 0; ///< how long a kernel takes of which nothing better is known
    double bytesPerSecond = 0; ///< device memory, for copies and fills
    double hostLinkBytesPerSecond = 0;
};

/// Whether HEADROOM_CARD is set. Without it this process has no device, as on a machine without one.
bool hasCard();

/// Read once, when it is first asked for; only where hasCard().
const Card& card();

} // namespace headroom::rehearsal
