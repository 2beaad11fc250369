// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headroom::cli {

/// A float32 tensor without LibTorch.
struct PlainTensor {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

using PlainTensors = std::map<std::string, PlainTensor>;

/// The bytes of a safetensors file.
std::string safetensorsOf(const PlainTensors& tensors);

/// Pseudo-random numbers in [-scale, scale), the same for the same seed.
PlainTensor noise(std::vector<std::int64_t> shape, unsigned seed, double scale = 1);

/// Two feed-forwards of width 16 one after the other (GELU, then the next), as the model `ffn-stack-tiny` with
/// activation_fn = gelu has them, written from the formula in float64.
PlainTensors stackWeights();
PlainTensor stackOutput(const PlainTensors& weights, const PlainTensor& input);

} // namespace headroom::cli
