// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/SegmentAddresses.h"
#include "profiling/simulator/profiles/ComputeCapability.h"
#include "profiling/simulator/profiles/Sourced.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>

namespace headroom::simulator {

/// Which allocator a simulated device has: CachingAllocator or ExactAllocator.
enum class AllocatorKind { Caching, Exact };

/// The arithmetic that an op runs in. Tf32 is float32 data in tensor cores.
enum class MathType { Float64, Float32, Tf32, Float16, Bfloat16, Float8 };

inline constexpr std::size_t kMathTypes = 6;

/// "float64", "float32", "tf32", "float16", "bfloat16", "float8".
const char* nameOf(MathType type);

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

struct SpeedProfile {
    /// Dense operations per second, a multiply-add counted as two; nullopt if the hardware has no units for the type.
    std::array<std::optional<Sourced<double>>, kMathTypes> peakFlops;
    Sourced<double> bandwidthBytesPerSecond;
    Sourced<double> hostLinkBytesPerSecond; ///< one direction
    Sourced<double> kernelLaunchSeconds; ///< host time to enqueue one kernel
    Sourced<double> kernelFloorSeconds; ///< device time of the shortest kernel
    Sourced<double> flopsFraction; ///< the fraction of the peak that large kernels reach
    Sourced<double> bandwidthFraction;
};

/// The hardware of a simulated device, from one file of resources/devices. Every constant has its source; none was
/// fitted to a published result. A caching device has all parts; an exact one may have none.
struct DeviceProfile {
    std::string name;
    std::string title;
    AllocatorKind kind = AllocatorKind::Caching;
    /// Of the platform that the card is in: native Linux unless the file says otherwise. Has no meaning for an exact
    /// device.
    config::SegmentAddresses segmentAddresses = config::SegmentAddresses::Linux;
    std::optional<ComputeProfile> compute;
    std::optional<MemoryProfile> memory;
    std::optional<SpeedProfile> speed; ///< nullopt: speed cannot be predicted

    /// Throws UsageError (unknown or missing key, wrong type; file, line, key, found, valid) or FileError.
    static DeviceProfile load(const std::filesystem::path& file);
};

} // namespace headroom::simulator
