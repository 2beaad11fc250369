// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/RotaryEmbedding.h"

#include <vector>

namespace headroom::models {

/// Tables [tokens, 1, sum of axes], to be applied to [batch, tokens, heads, channels]. For each axis of width d: angle
/// j = position * 10000^(-2j / d), computed in float64, its cosine and sine in float32, each twice; the axes follow one
/// another. ids: [tokens, axes].
RotaryTables fluxRotaryTables(const at::Tensor& ids, const std::vector<std::int64_t>& axes);

} // namespace headroom::models
