// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/weights/WeightSource.h"

#include <map>

namespace headroom::models {

/// Weights by the rule of the reference values: exact integer arithmetic, the same on every machine.
///
/// The number for element i under seed k is h / 2^32 in [0, 1), with h = 2654435761 i + 40503 k + 12345 modulo 2^32,
/// mixed by xor with its shifts and by two products. A parameter's seed is its position among the names sorted
/// bytewise. Elements are amplitude * (2 u - 1), rounded to float32: amplitude 0.2 for one dimension (plus 1 if the
/// name ends in "weight"), else 1.5 / sqrt(elements per row).
class FilledWeights final : public WeightSource {
public:
    explicit FilledWeights(const torch::nn::Module& model);

    WeightMismatch compare(const torch::nn::Module&) const override { return {}; }
    void fill(const std::string& path, torch::nn::Module& module) const override;
    std::string name() const override { return "fill"; }

private:
    std::map<std::string, std::uint32_t> m_seeds; ///< by parameter
};

} // namespace headroom::models
