// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace headroom::simulator {

/// A constant of a profile with its source: a data sheet, a header, a measurement, or "estimated: ...".
template <typename T> struct Sourced {
    T value{};
    std::string source;
    /// Of a measurement: interquartile range of the repetitions, relative to their median.
    std::optional<double> spread{};
};

} // namespace headroom::simulator
