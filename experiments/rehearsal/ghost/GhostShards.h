// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "experiments/rehearsal/ghost/GhostLayout.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// A safetensors file of a ghost: its name, the tensors in it and where each begins.
struct GhostShard {
    std::string file;
    std::vector<GhostTensor> tensors;
    Bytes dataBytes = 0;
};

/// How the tensors of a checkpoint are dealt to files: one after the other, a new file where the next one would make it
/// larger than `most`, as huggingface_hub does it. Files are STEM.safetensors, or STEM-00001-of-00004.safetensors.
/// Throws UsageError at `where` for tensors that come to more than 64 bits.
std::vector<GhostShard> dealToShards(
    const std::vector<GhostTensor>& tensors, const std::string& stem, Bytes most, const std::string& where);

/// "F32" for "float32"; throws UsageError at `where` for a type in which weights do not come.
std::string safetensorsTypeOf(const std::string& torchName, const std::string& where);

Bytes ghostTensorBytes(const GhostTensor& tensor, const std::string& where);
std::int64_t ghostTensorElements(const GhostTensor& tensor, const std::string& where);

/// The beginning of a shard: 8 bytes for the length, little endian, and JSON with name, type, shape and place of each
/// tensor, those of wider types first, then by name, as upstream's library writes them.
std::string ghostHeader(const GhostShard& shard, const std::string& where);

/// STEM.safetensors.index.json: which tensor is in which file.
std::string ghostIndex(const std::vector<GhostShard>& shards, const std::string& where);

} // namespace headroom::experiments
