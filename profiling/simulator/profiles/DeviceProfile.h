// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/SegmentAddresses.h"
#include "profiling/simulator/profiles/ComputeCapability.h"
#include "profiling/simulator/profiles/MathType.h"
#include "profiling/simulator/profiles/MeasuredRates.h"
#include "profiling/simulator/profiles/Sourced.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>

namespace headroom::simulator {

/// Which allocator a simulated device has: CachingAllocator or ExactAllocator.
enum class AllocatorKind { Caching, Exact };

struct ComputeProfile {
    Sourced<ComputeCapability> capability;
    Sourced<std::int64_t> multiprocessors;
    Sourced<std::int64_t> threadsPerMultiprocessor; ///< that can be resident at once
};

struct MemoryProfile {
    Sourced<Bytes> totalBytes; ///< of the card
    Sourced<Bytes> usableBytes; ///< what the driver offers to processes together (cudaMemGetInfo's total)
    Sourced<Bytes> contextBytes; ///< what the CUDA context of one process takes of that
};

/// What CUDA says of a card beside its memory. Programs decide by it: Triton, cuBLAS' callers, launchers of kernels.
struct CardProfile {
    Sourced<std::string> name; ///< as the driver reports it
    Sourced<std::int64_t> blocksPerMultiprocessor; ///< that can be resident at once
    Sourced<std::int64_t> warpSize;
    Sourced<Bytes> sharedBytesPerBlock; ///< without opting in to more
    Sourced<Bytes> sharedBytesPerBlockOptIn;
    Sourced<Bytes> sharedBytesPerMultiprocessor;
    Sourced<std::int64_t> registersPerBlock; ///< of 32 bits
    Sourced<std::int64_t> registersPerMultiprocessor;
    Sourced<Bytes> l2Bytes;
    Sourced<std::int64_t> memoryBusBits;
    Sourced<std::int64_t> clockKilohertz;
    Sourced<std::int64_t> memoryClockKilohertz;
};

/// Memory that a process has not touched yet costs time when it is written for the first time. What the process has
/// freed it keeps, up to a limit, and larger blocks not at all.
struct FreshMemoryProfile {
    Sourced<double> bytesPerSecond; ///< of the first touch
    Sourced<Bytes> keptBytes; ///< free memory that the process keeps
    Sourced<Bytes> largestKeptBlockBytes; ///< larger blocks come from the system each time
};

struct SpeedProfile {
    /// Dense operations per second, a multiply-add counted as two; nullopt if the hardware has no units for the type.
    std::array<std::optional<Sourced<double>>, kMathTypes> peakFlops;
    Sourced<double> bandwidthBytesPerSecond;
    Sourced<double> hostLinkBytesPerSecond; ///< one direction, host memory pinned
    std::optional<Sourced<double>> pageableLinkBytesPerSecond; ///< blocking copies; nullopt: as pinned ones
    Sourced<double> kernelLaunchSeconds; ///< host time to enqueue one kernel; on an exact device, of any op
    /// Host time that autograd takes for an op that it records, its part of the backward pass included; nullopt: none.
    std::optional<Sourced<double>> autogradSeconds;
    Sourced<double> kernelFloorSeconds; ///< device time of the shortest kernel
    Sourced<double> flopsFraction; ///< the fraction of the peak that large kernels reach
    Sourced<double> bandwidthFraction;
    MeasuredRates rates; ///< where there are any for a kind of op, they decide instead of the peaks
    std::optional<FreshMemoryProfile> freshMemory; ///< nullopt: costs nothing
    std::optional<Sourced<std::int64_t>> threads; ///< of the processor that was measured
};

/// The hardware of a simulated device, from one file of resources/devices or of `headroom calibrate`. Every constant
/// has its source; none was fitted to a published result. A caching device has all parts; an exact one may have none.
struct DeviceProfile {
    std::string name;
    std::string title;
    AllocatorKind kind = AllocatorKind::Caching;
    /// Of the platform that the card is in: native Linux unless the file says otherwise. Has no meaning for an exact
    /// device.
    config::SegmentAddresses segmentAddresses = config::SegmentAddresses::Linux;
    std::optional<ComputeProfile> compute;
    std::optional<MemoryProfile> memory;
    std::optional<CardProfile> card; ///< nullopt: the card cannot be rehearsed
    std::optional<SpeedProfile> speed; ///< nullopt: speed cannot be predicted

    /// Throws UsageError (unknown or missing key, wrong type; file, line, key, found, valid) or FileError.
    static DeviceProfile load(const std::filesystem::path& file);
    /// The same for a text that is or will be the content of `file`.
    static DeviceProfile parse(const std::string& text, const std::filesystem::path& file);
};

} // namespace headroom::simulator
