// SPDX-License-Identifier: Apache-2.0
#include "core/models/families/Llama.h"

#include "core/config/models/LlamaFamily.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/layers/Container.h"

namespace headroom::models {
namespace {

// For each query, the keys at its own or earlier positions that are not padding: [batch, 1, tokens, tokens].
at::Tensor keptKeys(const at::Tensor& padding)
{
    const at::Tensor kept = padding.to(at::kBool);
    const at::Tensor places = at::arange(kept.size(1), kept.options().dtype(at::kLong));
    return at::logical_and(places.unsqueeze(1) >= places, kept.unsqueeze(1).unsqueeze(1));
}

at::Tensor positionsOf(const Inputs& inputs)
{
    const at::Tensor given = optionalInput(inputs, "position_ids");
    const at::Tensor& ids = inputs.at("input_ids");
    if (given.defined())
        return given;
    const at::Tensor places = at::arange(ids.size(1), ids.options().dtype(at::kLong));
    return (places + 0).unsqueeze(0); // upstream adds the number of tokens that a cache has
}

} // namespace

Llama::Llama(const config::ValueMap& fields, const at::TensorOptions& options)
    : m_headDim(config::llamaHeadDim(fields))
    , m_theta(fields.at("rope_theta").real())
{
    const std::int64_t vocabulary = fields.at("vocab_size").integer();
    const std::int64_t hidden = fields.at("hidden_size").integer();
    const double deviation = fields.at("initializer_range").real();
    const auto decoder = register_module("model", std::make_shared<Container>());
    m_embedding =
        decoder->register_module("embed_tokens", std::make_shared<Embedding>(vocabulary, hidden, deviation, options));
    const auto layers = decoder->register_module("layers", std::make_shared<Container>());
    for (std::int64_t index = 0; index < fields.at("num_hidden_layers").integer(); ++index)
        m_blocks.push_back(
            layers->register_module(std::to_string(index), std::make_shared<LlamaBlock>(fields, options)));
    m_norm = decoder->register_module("norm", llamaNorm(fields, options));
    m_head = register_module("lm_head", std::make_shared<Linear>(hidden, vocabulary, Bias::Off, options));
    startLinearsNormal(*this, deviation);
}

at::Tensor Llama::forward(const Inputs& inputs)
{
    return logitsInChunks(inputs, 1).front();
}

std::vector<at::Tensor> Llama::logitsInChunks(const Inputs& inputs, std::int64_t chunks)
{
    const tensor::ModuleScope scope(*this);
    return headProducts(normedStates(inputs), chunks);
}

at::Tensor Llama::lastHiddenStates(const Inputs& inputs)
{
    const tensor::ModuleScope scope(*this);
    return normedStates(inputs);
}

// Embedded tokens and positions are variables of upstream's forward, which hold them until it ends.
at::Tensor Llama::normedStates(const Inputs& inputs)
{
    const at::Tensor embedded = m_embedding->forward(inputs.at("input_ids"));
    const at::Tensor positions = positionsOf(inputs);
    const LlamaBlockContext context = blockContext(inputs, positions, embedded.scalar_type());
    const at::Tensor hidden = runBlocks(embedded, context);
    return m_norm->forward(hidden);
}

// A single piece is no view: its gradient would be put together once more.
std::vector<at::Tensor> Llama::headProducts(const at::Tensor& hidden, std::int64_t chunks) const
{
    if (chunks == 1)
        return {m_head->forward(hidden)};
    std::vector<at::Tensor> logits;
    for (const at::Tensor& piece : hidden.chunk(chunks, 1))
        logits.push_back(m_head->forward(piece));
    return logits;
}

LlamaBlockContext Llama::blockContext(const Inputs& inputs, const at::Tensor& positions, at::ScalarType dtype) const
{
    LlamaBlockContext context;
    context.rotary = halvesRotaryTables(positions.unsqueeze(1), m_headDim, m_theta, dtype);
    if (const at::Tensor padding = optionalInput(inputs, "attention_mask"); padding.defined())
        context.mask = keptKeys(padding);
    return context;
}

at::Tensor Llama::runBlocks(at::Tensor hidden, const LlamaBlockContext& context)
{
    for (std::size_t index = 0; index < m_blocks.size(); ++index) {
        const auto forward = [block = m_blocks[index]](const std::vector<at::Tensor>& in) {
            return std::vector<at::Tensor>{block->forward(in[0], {{in[1], in[2]}, in[3]})};
        };
        hidden = runBlock(static_cast<std::int64_t>(index), forward,
            {hidden, context.rotary.cosines, context.rotary.sines, context.mask})[0];
    }
    return hidden;
}

std::vector<torch::nn::Module*> Llama::blocks()
{
    return modulesOf(m_blocks);
}

std::vector<FeedForward*> Llama::feedForwards()
{
    return feedForwardsOf(m_blocks);
}

Inputs llamaInputs(const config::Configuration& configuration, const at::TensorOptions& options)
{
    const auto& shapes = configuration.workload.shapes;
    return {{"input_ids",
        at::randint(configuration.modelFields.at("vocab_size").integer(),
            {shapes.at("batch").integer(), shapes.at("sequence_length").integer()}, options.dtype(at::kLong))}};
}

} // namespace headroom::models
