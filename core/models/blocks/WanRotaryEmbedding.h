// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/RotaryEmbedding.h"

#include <array>

namespace headroom::models {

/// Token counts of a video: frames, rows, columns.
using TokenGrid = std::array<std::int64_t, 3>;

/// Rotary tables of three axes for each head: time, height, width, in this order. Height and width have 2 * (headDim /
/// 6) channels each, time the rest. Frequencies 10000^(-2j / channels) in float64, each cosine and sine twice, rounded
/// to float32.
///
/// Buffers, created at construction and not saved: freqs_cos, freqs_sin [positions, headDim].
class WanRotaryEmbedding : public torch::nn::Module {
public:
    WanRotaryEmbedding(std::int64_t headDim, std::int64_t positions, const at::TensorOptions& options);

    /// Tables [1, tokens, 1, headDim], frame slowest.
    RotaryTables forward(const TokenGrid& grid) const;

private:
    at::Tensor ofGrid(const at::Tensor& table, const TokenGrid& grid) const;

    std::array<std::int64_t, 3> m_channels;
    at::Tensor m_cosines;
    at::Tensor m_sines;
};

} // namespace headroom::models
