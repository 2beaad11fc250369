// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/LanguageModel.h"
#include "core/models/blocks/LlamaBlock.h"
#include "core/models/layers/Embedding.h"

namespace headroom::models {

/// Hugging Face's LlamaForCausalLM. Parameters have upstream's names.
///
/// Inputs: `input_ids` [batch, tokens], integers; optional: `attention_mask` [batch, tokens] (1: keep), for padding;
/// `position_ids` [batch or 1, tokens], integers, by default the positions in the sequence. Output: logits [batch,
/// tokens, vocab_size].
class Llama : public Model, public LanguageModel {
public:
    Llama(const config::ValueMap& fields, const at::TensorOptions& options);

    at::Tensor forward(const Inputs& inputs) override;
    std::vector<at::Tensor> logitsInChunks(const Inputs& inputs, std::int64_t chunks) override;
    at::Tensor lastHiddenStates(const Inputs& inputs) override;
    Linear& head() override { return *m_head; }
    std::vector<FeedForward*> feedForwards() override;
    std::vector<torch::nn::Module*> blocks() override;

private:
    at::Tensor normedStates(const Inputs& inputs);
    LlamaBlockContext blockContext(const Inputs& inputs, const at::Tensor& positions, at::ScalarType dtype) const;
    at::Tensor runBlocks(at::Tensor hidden, const LlamaBlockContext& context);
    std::vector<at::Tensor> headProducts(const at::Tensor& hidden, std::int64_t chunks) const;

    std::int64_t m_headDim;
    double m_theta;
    std::shared_ptr<Embedding> m_embedding;
    std::vector<std::shared_ptr<LlamaBlock>> m_blocks;
    std::shared_ptr<RmsNorm> m_norm;
    std::shared_ptr<Linear> m_head;
};

/// Random tokens of the workload's shapes: whole sequences, without padding.
Inputs llamaInputs(const config::Configuration& configuration, const at::TensorOptions& options);

} // namespace headroom::models
