// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::recordings {

/// Sizes of the decoder that recordings and printed peaks of several people are of, with their names for them.
struct LanguageModelShape {
    std::int64_t width = 768;
    std::int64_t inner = 3072;
    std::int64_t layers = 12;
    std::int64_t heads = 12;
    std::int64_t context = 128;
    std::int64_t batch = 4;
    std::int64_t vocabulary = 10000;
};

/// A decoder, written from its description: norms by root mean square, rotary embedding, three matrices in a
/// feed-forward, no biases, scores kept, untied head. Each product is an einsum. What a local of the Python original
/// holds, a local holds here, and what Python lets go within an expression goes there too, as that decides about
/// memory.
class LanguageModel {
public:
    LanguageModel(const LanguageModelShape& shape, const at::TensorOptions& options);

    /// Logits of token ids [batch, context].
    at::Tensor forward(const at::Tensor& tokens) const;

    /// Mean cross entropy of logits, in the steps of the recorded original.
    static at::Tensor loss(const at::Tensor& logits, const at::Tensor& targets);
    /// The same as LibTorch has it.
    static at::Tensor fusedLoss(const at::Tensor& logits, const at::Tensor& targets);

    /// In the order of the original.
    const std::vector<at::Tensor>& parameters() const { return m_parameters; }

private:
    struct Layer {
        at::Tensor query, key, value, output, up, down, gate, attentionNorm, feedForwardNorm;
    };

    at::Tensor parameter(at::IntArrayRef sizes);
    at::Tensor block(const Layer& layer, const at::Tensor& x) const;
    at::Tensor attention(const Layer& layer, const at::Tensor& x) const;
    at::Tensor perHead(const at::Tensor& x) const;
    at::Tensor rotated(const at::Tensor& x) const;

    LanguageModelShape m_shape;
    at::TensorOptions m_options;
    std::vector<at::Tensor> m_parameters;
    at::Tensor m_embedding;
    std::vector<Layer> m_layers;
    at::Tensor m_finalNorm;
    at::Tensor m_head;
    at::Tensor m_angles; ///< cosines and sines [2, context, half of a head]
};

/// AdamW as the original has it, an expression a line: temporaries for each parameter, state in float32.
class ElementwiseAdamW {
public:
    explicit ElementwiseAdamW(std::vector<at::Tensor> parameters);

    void clearGradients();
    void step();

private:
    struct State {
        at::Tensor mean, square;
    };

    static State advanced(const State& before, const at::Tensor& gradient);
    static void update(at::Tensor data, const State& state);

    std::vector<at::Tensor> m_parameters;
    std::vector<State> m_states;
};

} // namespace headroom::recordings
