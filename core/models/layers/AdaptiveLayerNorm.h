// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Linear.h"

#include <vector>

namespace headroom::models {

/// x * (1 + scale) + shift, with scale and shift broadcast to x. If x is moved in, it is freed before the sum is
/// computed.
at::Tensor scaledAndShifted(at::Tensor x, const at::Tensor& scale, const at::Tensor& shift);

/// The same of x [batch, tokens, width], with scale and shift [batch, width].
at::Tensor modulated(at::Tensor x, const at::Tensor& scale, const at::Tensor& shift);

/// Layer norm over the last dimension without weights.
at::Tensor plainLayerNorm(const at::Tensor& x, double eps);

/// Which of an adaptive norm's vectors comes first.
enum class ModulationOrder { ShiftScale, ScaleShift };

struct AdaptiveNormResult {
    at::Tensor normed; ///< [batch, tokens, width]
    std::vector<at::Tensor> others; ///< the vectors after shift and scale, [batch, width]
};

/// Layer norm without weights, eps 1e-6, scaled and shifted by vectors that a Linear computes from the SiLU of an
/// embedding: diffusers' AdaLayerNormZero (six vectors), AdaLayerNormZeroSingle (three) and AdaLayerNormContinuous
/// (two, the scale first). Parameters: linear.
class AdaptiveLayerNorm : public torch::nn::Module {
public:
    AdaptiveLayerNorm(
        std::int64_t width, std::int64_t vectors, ModulationOrder order, const at::TensorOptions& options);

    /// x [batch, tokens, width], embedding [batch, width].
    AdaptiveNormResult forward(const at::Tensor& x, const at::Tensor& embedding) const;

private:
    std::int64_t m_vectors;
    ModulationOrder m_order;
    std::shared_ptr<Linear> m_linear;
};

} // namespace headroom::models
