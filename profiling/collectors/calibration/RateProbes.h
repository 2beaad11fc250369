// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Calibration.h"
#include "core/tensor/Torch.h"
#include "profiling/collectors/calibration/Rotation.h"
#include "profiling/simulator/profiles/MeasuredRates.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::collectors {

/// A call whose rate is measured.
struct PreparedProbe {
    std::function<void()> call;
    /// Operations of the call, if what it runs is not seen on this thread.
    std::optional<double> operations = std::nullopt;
};

/// One kind of op in one type, called in several sizes. The calls walk through copies of their inputs, so that large
/// ones come from memory as in a step, not from a cache that the last call has filled.
struct RateProbe {
    simulator::Work work = simulator::Work::Elementwise;
    simulator::MathType type = simulator::MathType::Float32; ///< as the simulator counts the op
    std::string how; ///< "mm of [64, n] and [n, n]"
    std::int64_t smallestDimension = 0;
    std::vector<std::int64_t> sizes; ///< ascending; what each means only `prepare` knows
    std::function<PreparedProbe(std::int64_t)> prepare;
};

/// Where and how far probes go.
struct ProbeScope {
    c10::Device device{c10::kCPU};
    std::vector<c10::ScalarType> types; ///< of products and attention; traffic is measured in the first two
    protocol::CalibrationEffort effort = protocol::CalibrationEffort::Full;
};

std::vector<RateProbe> arithmeticProbes(const ProbeScope& scope);
std::vector<RateProbe> trafficProbes(const ProbeScope& scope);

} // namespace headroom::collectors
