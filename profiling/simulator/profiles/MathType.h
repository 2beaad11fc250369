// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headroom::simulator {

/// The arithmetic that an op runs in. Tf32 is float32 data in tensor cores.
enum class MathType { Float64, Float32, Tf32, Float16, Bfloat16, Float8 };

inline constexpr std::size_t kMathTypes = 6;

/// "float64", "float32", "tf32", "float16", "bfloat16", "float8".
const char* nameOf(MathType type);

/// The same, in the order of the enumeration.
std::vector<std::string> mathTypeNames();

} // namespace headroom::simulator
