// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::models {

/// Cosines and sines of a rotary embedding; undefined where there is none.
struct RotaryTables {
    at::Tensor cosines;
    at::Tensor sines;

    bool defined() const { return cosines.defined(); }
};

/// Turns the pairs (2m, 2m + 1) of the last dimension: x * cos + rotated(x) * sin with rotated(x) = (-x[2m+1], x[2m]),
/// in float32, cast back to x's type. x: [batch, tokens, ..., width]; tables broadcast to it.
at::Tensor applyRotary(const at::Tensor& x, const RotaryTables& tables);

/// The same in Wan's steps, for each head: [batch, tokens, heads, channels], tables broadcast to it. Products are in
/// the type that x and the tables promote to, each half of the pairs is written into the result as it is ready.
at::Tensor applyRotaryToHeads(const at::Tensor& x, const RotaryTables& tables);

/// Tables of language models: of channel pairs (i, i + channels / 2), whose angles are position * theta^(-2i /
/// channels), both halves alike. positions: [..., tokens], integers; result [..., tokens, channels]. Frequencies and
/// angles are float32 whatever `dtype` is, in which the tables are given.
RotaryTables halvesRotaryTables(const at::Tensor& positions, std::int64_t channels, double theta, at::ScalarType dtype);

/// Turns the pairs (i, i + channels / 2) of the last dimension: x * cos + (-second half, first half) * sin, in x's type
/// where the tables have it. Tables broadcast to x.
at::Tensor applyRotaryToHalves(const at::Tensor& x, const RotaryTables& tables);

} // namespace headroom::models
