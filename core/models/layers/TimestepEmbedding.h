// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/Linear.h"

namespace headroom::models {

/// Which half of the sinusoids comes first: upstream's flip_sin_to_cos, or not.
enum class SinusoidOrder { CosinesFirst, SinesFirst };

/// Sinusoids of `timesteps` [n], float32 [n, channels]: cosines and sines of t * 10000^(-j / half) for j = 0 .. half -
/// 1 with half = channels / 2. The shift is subtracted from the divisor of the exponents.
at::Tensor sinusoids(const at::Tensor& timesteps, std::int64_t channels, std::int64_t shift = 0,
    SinusoidOrder order = SinusoidOrder::CosinesFirst);

/// Linear, SiLU, Linear: diffusers' TimestepEmbedding. Parameters linear_1, linear_2. [n, in] to [n, out].
class TimestepEmbedding : public torch::nn::Module {
public:
    TimestepEmbedding(std::int64_t in, std::int64_t out, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& sample) const;

private:
    std::shared_ptr<Linear> m_first;
    std::shared_ptr<Linear> m_second;
};

/// Linear, GELU (tanh), Linear: diffusers' PixArtAlphaTextProjection. Parameters linear_1, linear_2.
class TextProjection : public torch::nn::Module {
public:
    TextProjection(std::int64_t in, std::int64_t out, const at::TensorOptions& options);

    at::Tensor forward(const at::Tensor& caption) const;

private:
    std::shared_ptr<Linear> m_first;
    std::shared_ptr<Linear> m_second;
};

/// What adaptive norms are conditioned on.
struct TimestepModulation {
    at::Tensor modulation; ///< [n, parameters * width]
    at::Tensor embedded; ///< [n, width]
};

/// diffusers' AdaLayerNormSingle: a time step's embedding, and a Linear of its SiLU that computes `parameters` vectors.
/// Parameters emb.timestep_embedder.linear_1, emb.timestep_embedder.linear_2, linear.
class AdaptiveNormSource : public torch::nn::Module {
public:
    AdaptiveNormSource(
        std::int64_t channels, std::int64_t width, std::int64_t parameters, const at::TensorOptions& options);

    /// timesteps: [n], any type; computed in float32, then in `dtype`.
    TimestepModulation forward(const at::Tensor& timesteps, at::ScalarType dtype) const;

private:
    std::int64_t m_channels;
    std::shared_ptr<TimestepEmbedding> m_embedding;
    std::shared_ptr<Linear> m_linear;
};

} // namespace headroom::models
