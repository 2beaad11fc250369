// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"

namespace headroom::config {

/// The field that says that attention gets copies of shared key and value heads.
inline constexpr const char* kRepeatKeyValues = "repeat_kv";

/// Llama 2 and 3, decoder only (Hugging Face's LlamaForCausalLM), fields by upstream's names.
ModelFamily llamaFamily();

/// The field that says whether the projections of queries, keys and values are one Linear.
inline constexpr const char* kFusedProjections = "fused_qkv";

/// head_dim, or hidden_size / num_attention_heads if that is not given.
std::int64_t llamaHeadDim(const ValueMap& fields);

} // namespace headroom::config
