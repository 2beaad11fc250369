// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

#include <optional>

namespace headroom::simulator {

/// The work of one op.
struct OpCost {
    double flops = 0.0; ///< a multiply-add counted as two
    Bytes bytesRead = 0;
    Bytes bytesWritten = 0;
    MathType type = MathType::Float32;
    int launches = 1; ///< kernels; 0 for views
    Work work = Work::Elementwise;
    std::int64_t smallestDimension = 0; ///< of a product
    std::int64_t parts = 1; ///< tensors that an op on lists takes one after the other
    bool isRecorded = false; ///< by autograd

    bool operator==(const OpCost&) const = default;
};

/// Queued: the host enqueues work and continues. Inline: it computes itself, and returns when an op is done.
enum class Execution { Queued, Inline };

/// From which host memory a copy goes to the device, or to which one it comes.
enum class HostLink { Pinned, Pageable };

/// A roofline model: an op takes the time of its arithmetic or of its memory traffic, whichever is longer, at the
/// profile's fractions of the peaks, and at least the time of the shortest kernel per launch. For kinds of ops whose
/// rates were measured it takes the time of those.
class CostModel {
public:
    explicit CostModel(SpeedProfile speed, Execution execution = Execution::Queued);

    /// Nullopt if the profile has no speed.
    static std::optional<CostModel> of(const DeviceProfile& device);

    double deviceSeconds(const OpCost& op) const;
    /// Host time to enqueue the op's kernels; where the host computes, to reach any op, views included. Both with what
    /// autograd takes if that is known.
    double hostSeconds(const OpCost& op) const;
    /// The time of a copy between host and device.
    double copySeconds(Bytes bytes, HostLink link = HostLink::Pinned) const;
    Execution execution() const { return m_execution; }
    const std::optional<FreshMemoryProfile>& freshMemory() const { return m_speed.freshMemory; }

    /// Attainable operations per second. A type without units of its own runs at the speed of float32.
    double flopsPerSecond(MathType type) const;
    double bytesPerSecond() const;

private:
    std::optional<double> measuredSeconds(const OpCost& op) const;

    SpeedProfile m_speed;
    Execution m_execution;
};

} // namespace headroom::simulator
