// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/Model.h"
#include "core/models/layers/Linear.h"

namespace headroom::models {

/// What a model is beside, if its output are logits over a vocabulary: the product of a head with the last hidden
/// states.
class LanguageModel {
public:
    virtual ~LanguageModel() = default;

    /// A forward whose last product is computed for one piece of each sequence after the other: logits [batch, piece,
    /// vocabulary] in the order of the sequence. Pieces have ceil(tokens / chunks) tokens, the last one what is left.
    /// Joined, they are the logits of Model::forward. 1 chunk is that forward.
    virtual std::vector<at::Tensor> logitsInChunks(const Inputs& inputs, std::int64_t chunks) = 0;

    /// The same forward without its last product: what `head` is multiplied with, [batch, tokens, width].
    virtual at::Tensor lastHiddenStates(const Inputs& inputs) = 0;
    virtual Linear& head() = 0;
};

} // namespace headroom::models
