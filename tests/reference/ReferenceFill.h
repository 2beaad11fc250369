// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"
#include "tests/support/torch/TestDevice.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::reference {

/// Seeds of the model inputs of the reference values.
inline constexpr std::uint32_t kHiddenSeed = 9001;
inline constexpr std::uint32_t kTextSeed = 9002;
inline constexpr std::uint32_t kPooledSeed = 9003;

/// The rule's number in [0, 1) for a flat index and a seed: exact integers modulo 2^32, the same on every machine.
constexpr double unitValue(std::uint32_t index, std::uint32_t seed)
{
    std::uint32_t h = 2654435761U * index + 40503U * seed + 12345U;
    h ^= h >> 16;
    h *= 2246822519U;
    h ^= h >> 13;
    h *= 3266489917U;
    h ^= h >> 16;
    return h / 4294967296.0;
}

constexpr bool isNear(double value, double published)
{
    const double difference = value - published;
    return difference < 1e-10 && difference > -1e-10;
}

// Published beside the rule: an implementation that does not reproduce them is another rule.
static_assert(isNear(unitValue(0, 0), 0.4381263081));
static_assert(isNear(unitValue(1, 0), 0.02400483191));
static_assert(isNear(unitValue(2, 0), 0.01918312395));
static_assert(isNear(unitValue(3, 0), 0.2336332577));
static_assert(isNear(unitValue(0, kHiddenSeed), 0.03854376497));
static_assert(isNear(unitValue(1, kHiddenSeed), 0.4112975309));

/// `offset` + `amplitude` * r with r in [-1, 1), each element rounded to float32; on the test device.
inline at::Tensor filled(at::IntArrayRef shape, std::uint32_t seed, double amplitude = 1.0, double offset = 0.0)
{
    at::Tensor tensor = at::empty(shape, at::kFloat);
    float* values = tensor.mutable_data_ptr<float>();
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
        const double r = 2.0 * unitValue(static_cast<std::uint32_t>(i), seed) - 1.0;
        values[i] = static_cast<float>(offset + amplitude * r);
    }
    return tensor.to(testDevice());
}

/// Fills every parameter: the seed is its place among the names sorted bytewise; amplitude 0.2 for one dimension (plus
/// 1 where the name ends in "weight"), else 1.5 / sqrt(elements per row).
inline void fillParameters(torch::nn::Module& module)
{
    const torch::NoGradGuard noGradients;
    auto named = module.named_parameters().pairs();
    std::sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::uint32_t seed = 0; seed < named.size(); ++seed) {
        const auto& [name, parameter] = named[seed];
        const bool isVector = parameter.dim() == 1;
        const double rows = static_cast<double>(parameter.size(0));
        const double amplitude = isVector ? 0.2 : 1.5 / std::sqrt(static_cast<double>(parameter.numel()) / rows);
        const double offset = isVector && name.ends_with("weight") ? 1.0 : 0.0;
        parameter.copy_(filled(parameter.sizes(), seed, amplitude, offset));
    }
}

} // namespace headroom::reference
