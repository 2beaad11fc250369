// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::models {

/// Cosines and sines of a rotary embedding; undefined if there is none.
struct RotaryTables {
    at::Tensor cosines;
    at::Tensor sines;

    bool defined() const { return cosines.defined(); }
};

/// Rotates the pairs (2m, 2m + 1) of the last dimension: x * cos + rotated(x) * sin with rotated(x) = (-x[2m+1],
/// x[2m]), in float32, converted back to x's type. x: [batch, tokens, ..., width]; tables are broadcast to it.
at::Tensor applyRotary(const at::Tensor& x, const RotaryTables& tables);

/// The same in Wan's steps, for each head: [batch, tokens, heads, channels], tables are broadcast to it. Products are
/// in the promoted type of x and the tables; each half of the pairs is written into the result when it is ready.
at::Tensor applyRotaryToHeads(const at::Tensor& x, const RotaryTables& tables);

/// Tables of language models for channel pairs (i, i + channels / 2) with angles position * theta^(-2i / channels);
/// both halves are equal. positions: [..., tokens], integers; result [..., tokens, channels]. Frequencies and angles
/// are float32 whatever the `dtype` of the returned tables.
RotaryTables halvesRotaryTables(const at::Tensor& positions, std::int64_t channels, double theta, at::ScalarType dtype);

/// Rotates the pairs (i, i + channels / 2) of the last dimension: x * cos + (-second half, first half) * sin, in x's
/// type if the tables have it. Tables are broadcast to x.
at::Tensor applyRotaryToHalves(const at::Tensor& x, const RotaryTables& tables);

} // namespace headroom::models
