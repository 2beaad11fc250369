// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/T5Encoder.h"

#include "core/memory/MemoryScopes.h"
#include "core/models/layers/Container.h"

#include <limits>

namespace headroom::models {
namespace {

double lowestOf(at::ScalarType type)
{
    switch (type) {
    case at::kDouble:
        return std::numeric_limits<double>::lowest();
    case at::kHalf:
        return std::numeric_limits<at::Half>::lowest();
    case at::kBFloat16:
        return std::numeric_limits<at::BFloat16>::lowest();
    default:
        return std::numeric_limits<float>::lowest();
    }
}

// Additive, broadcast over heads and queries. The lowest finite number, not minus infinity: with a completely masked
// text, attention is uniform.
at::Tensor t5AdditiveMask(const Inputs& inputs, at::ScalarType type)
{
    const at::Tensor given = optionalInput(inputs, "attention_mask");
    if (!given.defined())
        return {};
    const at::Tensor kept = given.unsqueeze(1).unsqueeze(1).to(type);
    return (1 - kept) * lowestOf(type);
}

} // namespace

T5Encoder::T5Encoder(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_dropout(fields.at("dropout_rate").real())
{
    m_embedding = register_module("shared",
        std::make_shared<Embedding>(fields.at("vocab_size").integer(), fields.at("d_model").integer(),
            fields.at("initializer_factor").real(), options));
    const auto encoder = register_module("encoder", std::make_shared<Container>());
    const auto blocks = encoder->register_module("block", std::make_shared<Container>());
    for (std::int64_t index = 0; index < fields.at("num_layers").integer(); ++index) {
        const auto table = index == 0 ? T5Attention::PositionTable::Own : T5Attention::PositionTable::None;
        m_blocks.push_back(
            blocks->register_module(std::to_string(index), std::make_shared<T5Block>(fields, table, options)));
    }
    m_norm = encoder->register_module("final_layer_norm", t5Norm(fields, options));
}

at::Tensor T5Encoder::forward(const Inputs& inputs)
{
    const tensor::ModuleScope scope(*this);
    // Variables of upstream's forward, which hold them until it ends.
    const at::Tensor embedded = m_embedding->forward(inputs.at("input_ids"));
    at::Tensor bias;
    const at::Tensor mask = t5AdditiveMask(inputs, embedded.scalar_type());
    at::Tensor hidden = at::dropout(embedded, m_dropout, is_training());
    hidden = runBlocks(std::move(hidden), mask, bias);
    hidden = m_norm->forward(hidden);
    return at::dropout(hidden, m_dropout, is_training());
}

// The first block computes the bias for all blocks.
at::Tensor T5Encoder::runBlocks(at::Tensor hidden, const at::Tensor& mask, at::Tensor& bias)
{
    for (std::size_t index = 0; index < m_blocks.size(); ++index) {
        const auto forward = [block = m_blocks[index]](
                                 const std::vector<at::Tensor>& in) { return block->forward(in[0], in[1], in[2]); };
        auto outputs =
            runBlock(static_cast<std::int64_t>(index), forward, {hidden, bias, bias.defined() ? at::Tensor() : mask});
        hidden = outputs[0];
        if (outputs.size() > 1)
            bias = outputs[1];
    }
    return hidden;
}

std::vector<torch::nn::Module*> T5Encoder::blocks()
{
    return modulesOf(m_blocks);
}

std::vector<FeedForward*> T5Encoder::feedForwards()
{
    return feedForwardsOf(m_blocks);
}

Inputs t5EncoderInputs(const config::Configuration& configuration, const at::TensorOptions& options)
{
    const auto& shapes = configuration.workload.shapes;
    return {{"input_ids",
        at::randint(configuration.modelFields.at("vocab_size").integer(),
            {shapes.at("batch").integer(), shapes.at("sequence_length").integer()}, options.dtype(at::kLong))}};
}

} // namespace headroom::models
