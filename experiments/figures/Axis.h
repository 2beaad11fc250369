// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace headroom::figures {

enum class Scale {
    Linear,
    Logarithmic,
    Category, ///< one tick a row at 0, 1, 2, ..., the first row at the top
};

struct Tick {
    double value = 0;
    std::string text;

    bool operator==(const Tick&) const = default;
};

/// An axis with its range and ticks resolved: whoever draws it has nothing left to decide.
struct Axis {
    std::string label; ///< with the unit: "Peak reserved (GiB)"
    Scale scale = Scale::Linear;
    double low = 0;
    double high = 1;
    std::vector<Tick> ticks; ///< in ascending order, all in [low, high]

    /// Where a value lies: 0 at `low`, 1 at `high`.
    double fraction(double value) const;
    /// The value that lies there.
    double value(double fraction) const;

    bool operator==(const Axis&) const = default;
};

/// Ticks at multiples of 1, 2 or 5 times a power of ten, two at least and at most `most` (>= 2) of them, within [low,
/// high].
/// Of a logarithmic axis: 1, 2 and 5 of each decade, or only the decades, whichever are at most `most`; where that
/// gives fewer than two, the ticks of a linear axis.
std::vector<Tick> niceTicks(Scale scale, double low, double high, std::size_t most);

inline constexpr std::size_t kUsualTicks = 8;

/// An axis that shows all values (finite; not all need be different) with room around them. A linear one begins at
/// zero unless the values fill less than the upper 60 % of it. A logarithmic one needs positive values.
Axis axisFor(std::string label, Scale scale, std::span<const double> values);
/// The same, beginning at zero in any case: for bars and areas, whose length is what is seen.
Axis axisFromZero(std::string label, std::span<const double> values);
Axis categoryAxis(std::string label, std::span<const std::string> rows);

/// Logarithmic when the values (positive) span more than a factor of 30.
Scale suitableScale(std::span<const double> values);

} // namespace headroom::figures
