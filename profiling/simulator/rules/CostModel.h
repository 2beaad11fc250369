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
};

/// A roofline model: an op takes the time of its arithmetic or of its memory traffic, whichever is longer, at the
/// profile's fractions of the peaks, and at least the time of the shortest kernel per launch.
class CostModel {
public:
    explicit CostModel(SpeedProfile speed);

    /// Nullopt if the profile has no speed.
    static std::optional<CostModel> of(const DeviceProfile& device);

    double deviceSeconds(const OpCost& op) const;
    /// Host time to enqueue the op's kernels.
    double hostSeconds(const OpCost& op) const;
    /// The time of a copy between host and device.
    double copySeconds(Bytes bytes) const;

    /// Attainable operations per second. A type without units of its own runs at the speed of float32.
    double flopsPerSecond(MathType type) const;
    double bytesPerSecond() const;

private:
    SpeedProfile m_speed;
};

} // namespace headroom::simulator
