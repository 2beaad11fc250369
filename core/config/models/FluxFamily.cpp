// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FluxFamily.h"

#include "core/config/models/ClosedForms.h"

#include <algorithm>
#include <numeric>

namespace headroom::config {
namespace {

// Number of vectors from a modulated norm's Linear: in a double block's norms, a single block's, the last one.
constexpr std::int64_t kDoubleVectors = 6;
constexpr std::int64_t kSingleVectors = 3;
constexpr std::int64_t kFluxOutputVectors = 2;
constexpr std::int64_t kStreams = 2;

// One for the time step, and one for the guidance if there is one.
std::int64_t sinusoidEmbeddings(const ValueMap& fields)
{
    return fields.at("guidance_embeds").boolean() ? 2 : 1;
}

std::int64_t embeddingParameters(const ValueMap& fields)
{
    const std::int64_t dim = fluxInnerWidth(fields);
    const std::int64_t second = linearParameters(dim, dim);
    return sinusoidEmbeddings(fields) * (linearParameters(kFluxTimestepChannels, dim) + second)
        + linearParameters(integerOf(fields, "pooled_projection_dim"), dim) + second
        + linearParameters(integerOf(fields, "joint_attention_dim"), dim)
        + linearParameters(integerOf(fields, "in_channels"), dim);
}

// Queries, keys, values and output of both streams, and one norm each for queries and keys.
std::int64_t doubleBlockParameters(const ValueMap& fields)
{
    const std::int64_t dim = fluxInnerWidth(fields);
    const std::int64_t inner = kFluxFeedForwardFactor * dim;
    return kStreams
        * (linearParameters(dim, kDoubleVectors * dim) + 2 * integerOf(fields, "attention_head_dim")
            + 4 * linearParameters(dim, dim) + linearParameters(dim, inner) + linearParameters(inner, dim));
}

std::int64_t singleBlockParameters(const ValueMap& fields)
{
    const std::int64_t dim = fluxInnerWidth(fields);
    const std::int64_t inner = kFluxFeedForwardFactor * dim;
    return linearParameters(dim, kSingleVectors * dim) + 2 * integerOf(fields, "attention_head_dim")
        + 3 * linearParameters(dim, dim) + linearParameters(dim, inner) + linearParameters(dim + inner, dim);
}

std::int64_t fluxParameters(const ValueMap& fields)
{
    const std::int64_t dim = fluxInnerWidth(fields);
    return embeddingParameters(fields) + integerOf(fields, "num_layers") * doubleBlockParameters(fields)
        + integerOf(fields, "num_single_layers") * singleBlockParameters(fields)
        + linearParameters(dim, kFluxOutputVectors * dim) + linearParameters(dim, fluxOutputWidth(fields));
}

std::int64_t imageTokens(const ValueMap& shapes)
{
    return integerOf(shapes, "batch") * fluxGrid(shapes).tokens();
}

std::int64_t fluxTextTokens(const ValueMap& shapes)
{
    return integerOf(shapes, "batch") * integerOf(shapes, "text_tokens");
}

std::int64_t fluxJointTokens(const ValueMap& shapes)
{
    return imageTokens(shapes) + fluxTextTokens(shapes);
}

// Queries, keys and values of all tokens; scores and their products with the values, for all heads.
double fluxAttentionFlops(const ValueMap& fields, const ValueMap& shapes)
{
    const std::int64_t dim = fluxInnerWidth(fields);
    const std::int64_t keys = fluxGrid(shapes).tokens() + integerOf(shapes, "text_tokens");
    return 3 * productFlops(fluxJointTokens(shapes), dim, dim) + 2 * productFlops(fluxJointTokens(shapes), dim, keys);
}

// In a single block the attention's output and the inner layer go through one Linear; that costs the same as an output
// projection and a second Linear of the feed-forward.
double fluxBlockFlops(const ValueMap& fields, const ValueMap& shapes, std::int64_t modulations)
{
    const std::int64_t dim = fluxInnerWidth(fields);
    const std::int64_t tokens = fluxJointTokens(shapes);
    return productFlops(integerOf(shapes, "batch"), dim, modulations * dim) + fluxAttentionFlops(fields, shapes)
        + productFlops(tokens, dim, dim) + 2 * productFlops(tokens, dim, kFluxFeedForwardFactor * dim);
}

// Products of the forward pass whose input needs no gradient: those whose input is the batch.
double fluxEntryFlops(const ValueMap& fields, const ValueMap& shapes)
{
    const std::int64_t dim = fluxInnerWidth(fields);
    const std::int64_t batch = integerOf(shapes, "batch");
    return productFlops(imageTokens(shapes), integerOf(fields, "in_channels"), dim)
        + productFlops(fluxTextTokens(shapes), integerOf(fields, "joint_attention_dim"), dim)
        + static_cast<double>(sinusoidEmbeddings(fields)) * productFlops(batch, kFluxTimestepChannels, dim)
        + productFlops(batch, integerOf(fields, "pooled_projection_dim"), dim);
}

double forwardFlops(const ValueMap& fields, const ValueMap& shapes)
{
    const std::int64_t dim = fluxInnerWidth(fields);
    const std::int64_t batch = integerOf(shapes, "batch");
    return fluxEntryFlops(fields, shapes)
        + static_cast<double>(sinusoidEmbeddings(fields) + 1) * productFlops(batch, dim, dim)
        + static_cast<double>(integerOf(fields, "num_layers"))
        * fluxBlockFlops(fields, shapes, kStreams * kDoubleVectors)
        + static_cast<double>(integerOf(fields, "num_single_layers")) * fluxBlockFlops(fields, shapes, kSingleVectors)
        + productFlops(batch, dim, kFluxOutputVectors * dim)
        + productFlops(imageTokens(shapes), dim, fluxOutputWidth(fields));
}

// For the last double block if no single block follows: nothing reads its text, so the layers that only produce that
// text (output projection, feed-forward) have no backward pass.
double unreadFlops(const ValueMap& fields, const ValueMap& shapes)
{
    const std::int64_t dim = fluxInnerWidth(fields);
    const std::int64_t tokens = fluxTextTokens(shapes);
    return integerOf(fields, "num_single_layers") > 0
        ? 0
        : productFlops(tokens, dim, dim) + 2 * productFlops(tokens, dim, kFluxFeedForwardFactor * dim);
}

// The backward pass computes two products for each of the forward pass, or one if the input needs no gradient.
double fluxFlopsPerStep(const ValueMap& fields, const ValueMap& shapes, StepKind step)
{
    const double forward = forwardFlops(fields, shapes);
    return step == StepKind::Inference ? forward
                                       : 3 * forward - fluxEntryFlops(fields, shapes) - 2 * unreadFlops(fields, shapes);
}

std::vector<std::string> embeddingLinears(const ValueMap& fields)
{
    std::vector<std::string> paths;
    for (const char* embedder : {"timestep_embedder", "guidance_embedder", "text_embedder"})
        if (embedder != std::string("guidance_embedder") || fields.at("guidance_embeds").boolean())
            for (const char* layer : {".linear_1", ".linear_2"})
                paths.push_back(std::string("time_text_embed.") + embedder + layer);
    paths.insert(paths.end(), {"context_embedder", "x_embedder"});
    return paths;
}

std::vector<std::string> fluxLinears(const ValueMap& fields)
{
    std::vector<std::string> paths = embeddingLinears(fields);
    const auto addBlocks = [&](const char* list, std::int64_t count, const std::vector<std::string>& layers) {
        for (std::int64_t block = 0; block < count; ++block)
            for (const std::string& layer : layers)
                paths.push_back(std::string(list) + "." + std::to_string(block) + "." + layer);
    };
    addBlocks("transformer_blocks", integerOf(fields, "num_layers"),
        {"norm1.linear", "norm1_context.linear", "attn.to_q", "attn.to_k", "attn.to_v", "attn.to_out.0",
            "attn.add_q_proj", "attn.add_k_proj", "attn.add_v_proj", "attn.to_add_out", "ff.net.0.proj", "ff.net.2",
            "ff_context.net.0.proj", "ff_context.net.2"});
    addBlocks("single_transformer_blocks", integerOf(fields, "num_single_layers"),
        {"norm.linear", "proj_mlp", "proj_out", "attn.to_q", "attn.to_k", "attn.to_v"});
    paths.insert(paths.end(), {"norm_out.linear", "proj_out"});
    return paths;
}

std::vector<std::int64_t> axesOf(const ValueMap& fields)
{
    std::vector<std::int64_t> axes;
    for (const Value& axis : fields.at("axes_dims_rope").list())
        axes.push_back(axis.integer());
    return axes;
}

void findAxesProblems(const ValueMap& fields, std::vector<Problem>& found)
{
    constexpr const char* name = "axes_dims_rope";
    const std::vector<std::int64_t> axes = axesOf(fields);
    const std::int64_t headDim = integerOf(fields, "attention_head_dim");
    const auto isOdd = [](std::int64_t axis) { return axis < 0 || axis % 2 != 0; };
    if (axes.size() != kFluxAxes)
        found.push_back(
            fieldProblem(fields, name, " has to name " + std::to_string(kFluxAxes) + " axes: index, row, column"));
    else if (std::any_of(axes.begin(), axes.end(), isOdd))
        found.push_back(fieldProblem(fields, name, " has to consist of even widths"));
    else if (std::accumulate(axes.begin(), axes.end(), std::int64_t{0}) != headDim)
        found.push_back(
            fieldProblem(fields, name, " does not add up to attention_head_dim = " + std::to_string(headDim)));
}

std::vector<Problem> fluxFieldProblems(const ValueMap& fields)
{
    std::vector<Problem> found;
    findAxesProblems(fields, found);
    if (integerOf(fields, "num_layers") + integerOf(fields, "num_single_layers") == 0)
        found.push_back(fieldProblem(fields, "num_layers", " and num_single_layers = 0 leave no block"));
    return found;
}

std::vector<Problem> fluxProblems(const ValueMap& fields, const ValueMap& shapes)
{
    std::vector<Problem> found = fluxFieldProblems(fields);
    for (const char* side : {"height", "width"})
        requireStep(shapes, side, kFluxPixelsPerToken, 0, found);
    return found;
}

std::vector<Field> fluxFields()
{
    return {
        countField("patch_size", 1, "side of a patch; tokens come packed, so it only widens the output", 64),
        countField("in_channels", 64, "channels of an image token", 65536),
        optionalCountField("out_channels", "channels of the output; in_channels if not given", 65536),
        countField("num_layers", 19, "double blocks, with a stream of image and one of text", 4096, 0),
        countField("num_single_layers", 38, "single blocks, with both streams in one", 4096, 0),
        countField("attention_head_dim", 128, "channels of one head", 1024),
        countField("num_attention_heads", 24, "attention heads", 1024),
        countField("joint_attention_dim", 4096, "channels of a text token", 65536),
        countField("pooled_projection_dim", 768, "channels of the pooled text", 65536),
        flagField("guidance_embeds", false, "an embedding of the guidance scale"),
        {.name = "axes_dims_rope",
            .type = FieldType::IntegerList,
            .defaultValue = Value::List{16, 56, 56},
            .help = "channels of a head that the rotary embedding turns by index, row and column"},
    };
}

std::vector<Field> fluxShapes()
{
    return {
        countField("batch", 1, "images per step", 65536),
        countField("height", 1024, "height in pixels: a multiple of 16", 65536),
        countField("width", 1024, "width in pixels: a multiple of 16", 65536),
        countField("text_tokens", 512, "text tokens per image", 1048576),
    };
}

std::vector<ModelVariant> fluxVariants()
{
    return {
        {"flux-dev", "FLUX.1-dev, 12B parameters", {{"guidance_embeds", true}}, {}},
        {"flux-schnell", "FLUX.1-schnell, 12B parameters, without guidance", {}, {{"text_tokens", 256}}},
        {"flux-tiny", "Flux for tests (2 double and 2 single blocks, 2 heads of 16 channels)",
            {{"in_channels", 4}, {"num_layers", 2}, {"num_single_layers", 2}, {"attention_head_dim", 16},
                {"num_attention_heads", 2}, {"joint_attention_dim", 12}, {"pooled_projection_dim", 10},
                {"guidance_embeds", true}, {"axes_dims_rope", Value::List{4, 4, 8}}},
            {{"batch", 2}, {"height", 48}, {"width", 64}, {"text_tokens", 5}}},
    };
}

// The number of channels need not be given if it equals the input's.
void leaveOutEqualChannels(ValueMap& fields, const ValueMap&, const std::string&)
{
    if (fields.at("out_channels") == fields.at("in_channels"))
        fields.at("out_channels") = {};
}

std::string guidanceProblem(const ValueMap& fields, const std::set<std::string>& given)
{
    const bool isEmbedded = fields.at("guidance_embeds").boolean();
    if (isEmbedded == given.contains("guidance"))
        return {};
    return isEmbedded ? "has no tensor \"guidance\", which the model embeds"
                      : "has a tensor \"guidance\", and the model embeds none (guidance_embeds is false)";
}

// diffusers' FluxTransformer2DModel.
UpstreamFamily fluxUpstream()
{
    using enum UpstreamInput::Presence;
    UpstreamClass transformer;
    transformer.name = "FluxTransformer2DModel";
    transformer.settle = leaveOutEqualChannels;
    return {.classes = {transformer},
        .inputs = {{"hidden_states"}, {"encoder_hidden_states"}, {"pooled_projections"},
            {"timestep", InputForm::AsGiven}, {"img_ids", InputForm::AsGiven}, {"txt_ids", InputForm::AsGiven},
            {"guidance", InputForm::AsGiven, Optional}},
        .inputProblem = guidanceProblem};
}

} // namespace

FluxGrid fluxGrid(const ValueMap& shapes)
{
    return {integerOf(shapes, "height") / kFluxPixelsPerToken, integerOf(shapes, "width") / kFluxPixelsPerToken};
}

std::int64_t fluxInnerWidth(const ValueMap& fields)
{
    return integerOf(fields, "num_attention_heads") * integerOf(fields, "attention_head_dim");
}

std::int64_t fluxOutputWidth(const ValueMap& fields)
{
    const std::int64_t patch = integerOf(fields, "patch_size");
    const Value& channels = fields.at("out_channels");
    return patch * patch * (channels.isNull() ? integerOf(fields, "in_channels") : channels.integer());
}

ModelFamily fluxFamily()
{
    ModelFamily family;
    family.name = "flux";
    family.title = "Flux transformer";
    family.fields = FieldSet(fluxFields());
    family.shapes = FieldSet(fluxShapes());
    family.variants = fluxVariants();
    // The tensors of flux1-dev.safetensors and flux1-schnell.safetensors are BF16.
    family.publishedDtype = Dtype::BFloat16;
    family.shapeWords = {"batch {batch}", "images of {height} x {width}"};
    family.castingSkipPatterns = {"pos_embed", "norm"};
    family.fieldProblems = fluxFieldProblems;
    family.problems = fluxProblems;
    family.parameters = fluxParameters;
    family.flopsPerStep = fluxFlopsPerStep;
    family.tokensPerStep = imageTokens;
    family.blocks = [](const ValueMap& f) {
        return static_cast<int>(integerOf(f, "num_layers") + integerOf(f, "num_single_layers"));
    };
    // For the double blocks only: a single block's inner layer is part of its projections.
    family.feedForwardWidths = [](const ValueMap& f) {
        return integerOf(f, "num_layers") == 0 ? std::vector<std::int64_t>{}
                                               : std::vector<std::int64_t>{kFluxFeedForwardFactor * fluxInnerWidth(f)};
    };
    family.linears = fluxLinears;
    family.adapterTargets = {"attn.to_k", "attn.to_q", "attn.to_v", "attn.to_out.0", "attn.add_k_proj",
        "attn.add_q_proj", "attn.add_v_proj", "attn.to_add_out", "ff.net.0.proj", "ff.net.2", "ff_context.net.0.proj",
        "ff_context.net.2"};
    // Image and text have separate feed-forwards: the result must divide both token counts.
    family.feedForwardTokens = [](const ValueMap& s) { return std::gcd(imageTokens(s), fluxTextTokens(s)); };
    family.upstream = fluxUpstream();
    return family;
}

} // namespace headroom::config
