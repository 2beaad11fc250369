// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/profiles/MathType.h"

#include <array>

namespace headroom::simulator {

namespace {

constexpr std::array<const char*, kMathTypes> kMathTypeNames = {
    "float64", "float32", "tf32", "float16", "bfloat16", "float8"};

} // namespace

const char* nameOf(MathType type)
{
    return kMathTypeNames.at(static_cast<std::size_t>(type));
}

std::vector<std::string> mathTypeNames()
{
    return {kMathTypeNames.begin(), kMathTypeNames.end()};
}

} // namespace headroom::simulator
