// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/Model.h"
#include "core/models/blocks/T5Block.h"

namespace headroom::models {

/// Hugging Face's T5EncoderModel of T5 v1.1. Parameters have upstream's names; the token embedding occurs once, as
/// `shared`.
///
/// Inputs: `input_ids` [batch, tokens], integers; optional: `attention_mask` [batch, tokens] (1: keep). Output [batch,
/// tokens, d_model].
class T5Encoder : public Model {
public:
    T5Encoder(const config::ValueMap& fields, const at::TensorOptions& options);

    at::Tensor forward(const Inputs& inputs) override;
    std::vector<FeedForward*> feedForwards() override;
    std::vector<torch::nn::Module*> blocks() override;

private:
    at::Tensor runBlocks(at::Tensor hidden, const at::Tensor& mask, at::Tensor& bias);

    double m_dropout;
    std::shared_ptr<Embedding> m_embedding;
    std::vector<std::shared_ptr<T5Block>> m_blocks;
    std::shared_ptr<RmsNorm> m_norm;
};

/// Random tokens of the workload's shapes: full-length texts, without padding.
Inputs t5EncoderInputs(const config::Configuration& configuration, const at::TensorOptions& options);

} // namespace headroom::models
