// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"
#include "core/weights/WeightFiles.h"

namespace headroom::tensor {

/// Largest shard that diffusers writes by default: 10 GB.
inline constexpr Bytes kDefaultShardBytes = 10'000'000'000;

/// Writes `config.json`: a flat map, keys sorted. Throws FileError.
void writeModelConfig(const std::filesystem::path& folder, const config::ValueMap& entries);
/// Its entries that are scalars or lists of them; what nests deeper is left out. Throws FileError.
config::ValueMap readModelConfig(const std::filesystem::path& folder);

/// Writes weights as diffusers does: `diffusion_pytorch_model.safetensors`, or where they are more than `maxShardBytes`
/// shards `diffusion_pytorch_model-00001-of-0000N.safetensors` in the given order with an index. A tensor larger than
/// that is a shard of its own. Weights of another number of shards that lie in the folder are removed. Creates the
/// folder. Throws FileError, and UsageError where a shard would be of less than a byte.
void writeWeights(
    const std::filesystem::path& folder, const NamedTensors& weights, Bytes maxShardBytes = kDefaultShardBytes);

} // namespace headroom::tensor
