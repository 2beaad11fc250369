// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

#include <optional>

namespace headroom::simulator {

/// What one op does.
struct OpCost {
    double flops = 0.0; ///< a multiply-add counted as two
    Bytes bytesRead = 0;
    Bytes bytesWritten = 0;
    MathType type = MathType::Float32;
    int launches = 1; ///< kernels; 0 for views
};

/// A roofline: an op takes as long as its arithmetic or its memory traffic, whichever is slower, at the fractions of
/// the peaks that the profile names, and no less than the shortest kernel per launch.
class CostModel {
public:
    explicit CostModel(SpeedProfile speed);

    /// None where the profile has no speed.
    static std::optional<CostModel> of(const DeviceProfile& device);

    double deviceSeconds(const OpCost& op) const;
    /// Host time to enqueue the op's kernels.
    double hostSeconds(const OpCost& op) const;
    /// Of a copy between host and device.
    double copySeconds(Bytes bytes) const;

    /// Attainable operations per second. A type without units of its own runs at float32's speed.
    double flopsPerSecond(MathType type) const;
    double bytesPerSecond() const;

private:
    SpeedProfile m_speed;
};

} // namespace headroom::simulator
