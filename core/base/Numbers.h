// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/base/Statistics.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// Decimals with which the smallest of these positive values has `digits` significant ones; 0 to 9.
int decimalsFor(const std::vector<std::optional<double>>& values, int digits);

std::string fixed(double value, int decimals);

/// Four significant digits: "1.680", "0.01250", "1523".
std::string rate(double value);

/// "92 %"
std::string percent(double ratio);

/// The shortest text that reads back as the same number, with a point whatever the locale.
std::string exact(double value);

/// "1.00e-07"; "0" for none.
std::string deviation(double value);

} // namespace headroom::report
