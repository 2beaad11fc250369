// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace headroom::experiments {

/// What measurements say about the error of a device's predictions: relative, without a sign, as large as
/// `kErrorBoundShare` of the trials of a stored validation (`headroom validate`) kept. nullopt: that validation does
/// not say.
struct ErrorBound {
    std::optional<double> allocated{};
    std::optional<double> reserved{};
    std::optional<double> stepTime{};
    std::string basis{}; ///< "95.0 % of 200 trials on cpu, LibTorch 2.11.0, 2026-11-23, validations/cpu.json"

    bool operator==(const ErrorBound&) const = default;
};

/// The share of a validation's trials that were within the bound.
inline constexpr double kErrorBoundShare = 0.95;

} // namespace headroom::experiments
