// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// Digits of plain numbers, the same in every locale. Numbers with a unit are formatted by core/base/Quantities.h.
///
/// One rule: three significant digits in a sentence, on a label or in a cell of its own; four in a column, where all
/// numbers get as many decimals as the smallest one needs. A number is rounded before its digits are counted: 9.996 is
/// "10.0".
inline constexpr int kTextDigits = 3;
inline constexpr int kColumnDigits = 4;

/// "10.8", "0.0452", "12345" for three digits: at least that many significant digits, and no exponent where people
/// would not write one. "0" for zero, "unknown" for NaN and infinities.
std::string significant(double value, int digits = kTextDigits);

/// Decimals with which the smallest of these positive values has `digits` significant ones; 0 to 9.
int decimalsFor(const std::vector<std::optional<double>>& values, int digits = kColumnDigits);

/// The value with that many decimals: "1.680".
std::string fixed(double value, int decimals);

/// The same for people who compare a column: thousands are grouped where the number is too long to be counted at a
/// glance: "15,512,345".
std::string inColumn(double value, int decimals);

/// The shortest text that reads back as the same number, with a decimal point in every locale.
std::string exact(double value);

/// "1.00e-07"; "0" for zero.
std::string deviation(double value);

} // namespace headroom
