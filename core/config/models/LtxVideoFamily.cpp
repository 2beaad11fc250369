// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/LtxVideoFamily.h"

#include "core/config/models/ClosedForms.h"
#include "core/config/models/FfnStackFamily.h"

namespace headroom::config {
namespace {

constexpr std::int64_t kFeedForwardFactor = 4;
// One pair of channels for each axis of the rotary embedding.
constexpr std::int64_t kSmallestWidth = 6;

std::int64_t ltxProjectionRows(const ValueMap& fields)
{
    return kFeedForwardFactor * ltxInnerWidth(fields) * (isGated(fields.at("activation_fn").text()) ? 2 : 1);
}

std::int64_t ltxAttentionParameters(const ValueMap& fields)
{
    const std::int64_t dim = ltxInnerWidth(fields);
    const std::int64_t norms = 2 * dim;
    return norms + 3 * linearParameters(dim, dim, fields.at("attention_bias").boolean())
        + linearParameters(dim, dim, fields.at("attention_out_bias").boolean());
}

std::int64_t ltxBlockParameters(const ValueMap& fields)
{
    const std::int64_t dim = ltxInnerWidth(fields);
    const std::int64_t norms = fields.at("norm_elementwise_affine").boolean() ? 2 * dim : 0;
    const std::int64_t feedForward =
        linearParameters(dim, ltxProjectionRows(fields)) + linearParameters(kFeedForwardFactor * dim, dim);
    return norms + 2 * ltxAttentionParameters(fields) + feedForward + 6 * dim;
}

std::int64_t ltxParameters(const ValueMap& fields)
{
    const std::int64_t dim = ltxInnerWidth(fields);
    const std::int64_t timeEmbedding =
        linearParameters(kLtxTimestepChannels, dim) + linearParameters(dim, dim) + linearParameters(dim, 6 * dim);
    const std::int64_t caption =
        linearParameters(integerOf(fields, "caption_channels"), dim) + linearParameters(dim, dim);
    return 2 * dim + linearParameters(integerOf(fields, "in_channels"), dim) + timeEmbedding + caption
        + integerOf(fields, "num_layers") * ltxBlockParameters(fields)
        + linearParameters(dim, integerOf(fields, "out_channels"));
}

std::int64_t ltxVideoTokens(const ValueMap& shapes)
{
    return integerOf(shapes, "batch") * ltxLatent(shapes).tokens();
}

std::int64_t ltxTextTokens(const ValueMap& shapes)
{
    return integerOf(shapes, "batch") * integerOf(shapes, "text_tokens");
}

// Scores and values, for all heads.
double ltxAttentionFlops(const ValueMap& fields, const ValueMap& shapes, std::int64_t keys)
{
    return 2 * productFlops(ltxVideoTokens(shapes), ltxInnerWidth(fields), keys);
}

double ltxBlockFlops(const ValueMap& fields, const ValueMap& shapes)
{
    const std::int64_t dim = ltxInnerWidth(fields);
    const std::int64_t tokens = ltxVideoTokens(shapes);
    const double self =
        4 * productFlops(tokens, dim, dim) + ltxAttentionFlops(fields, shapes, ltxLatent(shapes).tokens());
    const double cross = 2 * productFlops(tokens, dim, dim) + 2 * productFlops(ltxTextTokens(shapes), dim, dim)
        + ltxAttentionFlops(fields, shapes, integerOf(shapes, "text_tokens"));
    return self + cross + productFlops(tokens, dim, ltxProjectionRows(fields))
        + productFlops(tokens, kFeedForwardFactor * dim, dim);
}

// Products of the forward pass whose input needs no gradient: those whose input is the batch.
double ltxEntryFlops(const ValueMap& fields, const ValueMap& shapes)
{
    const std::int64_t dim = ltxInnerWidth(fields);
    return productFlops(ltxVideoTokens(shapes), integerOf(fields, "in_channels"), dim)
        + productFlops(ltxTextTokens(shapes), integerOf(fields, "caption_channels"), dim)
        + productFlops(integerOf(shapes, "batch"), kLtxTimestepChannels, dim);
}

// The backward pass computes two products for each of the forward pass, or one if the input needs no gradient.
double ltxFlopsPerStep(const ValueMap& fields, const ValueMap& shapes, StepKind step)
{
    const std::int64_t dim = ltxInnerWidth(fields);
    const std::int64_t batch = integerOf(shapes, "batch");
    const double entry = ltxEntryFlops(fields, shapes);
    const double forward = entry + productFlops(batch, dim, dim) + productFlops(batch, dim, 6 * dim)
        + productFlops(ltxTextTokens(shapes), dim, dim)
        + static_cast<double>(integerOf(fields, "num_layers")) * ltxBlockFlops(fields, shapes)
        + productFlops(ltxVideoTokens(shapes), dim, integerOf(fields, "out_channels"));
    return step == StepKind::Inference ? forward : 3 * forward - entry;
}

std::vector<std::string> ltxLinears(const ValueMap& fields)
{
    std::vector<std::string> paths{"proj_in", "time_embed.emb.timestep_embedder.linear_1",
        "time_embed.emb.timestep_embedder.linear_2", "time_embed.linear", "caption_projection.linear_1",
        "caption_projection.linear_2"};
    for (std::int64_t block = 0; block < integerOf(fields, "num_layers"); ++block) {
        const std::string prefix = "transformer_blocks." + std::to_string(block) + ".";
        for (const char* attention : {"attn1", "attn2"})
            for (const char* projection : {".to_q", ".to_k", ".to_v", ".to_out.0"})
                paths.push_back(prefix + attention + projection);
        paths.push_back(prefix + "ff.net.0.proj");
        paths.push_back(prefix + "ff.net.2");
    }
    paths.push_back("proj_out");
    return paths;
}

std::vector<Problem> ltxFieldProblems(const ValueMap& fields)
{
    std::vector<Problem> found;
    const std::int64_t dim = ltxInnerWidth(fields);
    if (const Value& given = fields.at("cross_attention_dim"); !given.isNull() && given.integer() != dim)
        found.push_back(fieldProblem(fields, "cross_attention_dim",
            " differs from num_attention_heads * attention_head_dim = " + std::to_string(dim)
                + ", the width of the projected text"));
    if (dim % 2 != 0 || dim < kSmallestWidth)
        found.emplace_back("num_attention_heads * attention_head_dim = " + std::to_string(dim)
                + " must be even and at least 6, for the rotary embedding of three axes",
            "model.attention_head_dim");
    return found;
}

std::vector<Problem> ltxProblems(const ValueMap& fields, const ValueMap& shapes)
{
    std::vector<Problem> found = ltxFieldProblems(fields);
    for (const char* side : {"height", "width"})
        requireStep(shapes, side, kLtxSpatialRatio, 0, found);
    requireStep(shapes, "frames", kLtxTemporalRatio, 1, found);
    return found;
}

// The upper limits keep all counts of parameters, bytes and tokens far inside 64 bits.
std::vector<Field> ltxFields()
{
    return {
        countField("in_channels", 128, "channels of a latent token", 65536),
        countField("out_channels", 128, "channels of the output", 65536),
        countField("patch_size", 1, "scales the rotary coordinates in space; tokens come packed", 64),
        countField("patch_size_t", 1, "scales the rotary coordinates in time; tokens come packed", 64),
        countField("num_attention_heads", 32, "attention heads", 1024),
        countField("attention_head_dim", 64, "channels of one head", 1024),
        {.name = "cross_attention_dim",
            .type = FieldType::Integer,
            .defaultValue = {},
            .help = "width of the projected text; heads times head channels if not given, the only width that works",
            .minimum = 1,
            .maximum = 1048576},
        countField("num_layers", 28, "transformer blocks", 4096),
        {.name = "activation_fn",
            .type = FieldType::Choice,
            .defaultValue = "gelu-approximate",
            .help = "activation of the feed-forwards",
            .choices = activationKinds()},
        {.name = "qk_norm",
            .type = FieldType::Choice,
            .defaultValue = "rms_norm_across_heads",
            .help = "normalisation of queries and keys",
            .choices = {"rms_norm_across_heads"}},
        flagField("norm_elementwise_affine", false, "weights of the blocks' two norms"),
        {.name = "norm_eps",
            .type = FieldType::Real,
            .defaultValue = 1e-6,
            .help = "epsilon of the blocks' norms",
            .minimum = 0,
            .maximum = 1},
        countField("caption_channels", 4096, "channels of a text token", 65536),
        flagField("attention_bias", true, "biases of the query, key and value projections"),
        flagField("attention_out_bias", true, "bias of the attention's output projection"),
    };
}

std::vector<Field> ltxShapes()
{
    return {
        countField("batch", 1, "videos per step", 65536),
        countField("frames", 81, "frames of the video: one more than a multiple of 8", 65536),
        countField("height", 512, "height in pixels: a multiple of 32", 65536),
        countField("width", 768, "width in pixels: a multiple of 32", 65536),
        countField("text_tokens", 128, "text tokens per video", 1048576),
    };
}

std::vector<ModelVariant> ltxVariants()
{
    return {
        {"ltx-video-2b", "LTX-Video 0.9, 2B parameters", {}, {}},
        {"ltx-video-13b", "LTX-Video 0.9.7 and 0.9.8, 13B parameters",
            {{"attention_head_dim", 128}, {"num_layers", 48}}, {{"frames", 161}, {"width", 704}, {"text_tokens", 256}}},
        {"ltx-video-tiny", "LTX-Video for tests (2 layers, 2 heads of 8 channels)",
            {{"in_channels", 4}, {"out_channels", 4}, {"num_attention_heads", 2}, {"attention_head_dim", 8},
                {"num_layers", 2}, {"caption_channels", 12}},
            {{"batch", 2}, {"frames", 9}, {"height", 96}, {"width", 128}, {"text_tokens", 5}}},
    };
}

// A width need not be given if it is the only one that works.
void leaveOutDerivedWidth(ValueMap& fields, const ValueMap&, const std::string&)
{
    Value& width = fields.at("cross_attention_dim");
    if (width == Value(ltxInnerWidth(fields)))
        width = {};
}

UpstreamClass transformer()
{
    UpstreamClass transformer;
    transformer.name = "LTXVideoTransformer3DModel";
    transformer.defaults = {{"cross_attention_dim", 2048}};
    transformer.settle = leaveOutDerivedWidth;
    return transformer;
}

// The tokens' positions follow from the video's extents, or are given for each token.
std::string extentProblem(const ValueMap&, const std::set<std::string>& given)
{
    for (const char* extent : {"num_frames", "height", "width"})
        if (!given.contains(extent) && !given.contains("video_coords"))
            return std::string("has no tensor \"") + extent + "\", nor \"video_coords\" in place of it";
    return {};
}

// diffusers' LTXVideoTransformer3DModel.
UpstreamFamily ltxVideoUpstream()
{
    using enum UpstreamInput::Presence;
    return {.classes = {transformer()},
        .inputs = {{"hidden_states"}, {"encoder_hidden_states"}, {"timestep", InputForm::AsGiven},
            {"encoder_attention_mask", InputForm::Activation, Optional},
            {"num_frames", InputForm::HostNumbers, Optional}, {"height", InputForm::HostNumbers, Optional},
            {"width", InputForm::HostNumbers, Optional},
            {"rope_interpolation_scale", InputForm::HostNumbers, Optional, 3},
            {"video_coords", InputForm::AsGiven, Optional}},
        .inputProblem = extentProblem};
}

} // namespace

std::int64_t ltxInnerWidth(const ValueMap& fields)
{
    return integerOf(fields, "num_attention_heads") * integerOf(fields, "attention_head_dim");
}

LtxLatent ltxLatent(const ValueMap& shapes)
{
    return {(integerOf(shapes, "frames") - 1) / kLtxTemporalRatio + 1, integerOf(shapes, "height") / kLtxSpatialRatio,
        integerOf(shapes, "width") / kLtxSpatialRatio};
}

ModelFamily ltxVideoFamily()
{
    ModelFamily family;
    family.name = "ltx-video";
    family.title = "LTX-Video transformer";
    family.fields = FieldSet(ltxFields());
    family.shapes = FieldSet(ltxShapes());
    family.variants = ltxVariants();
    // Upstream's configs/ltxv-*.yaml: precision: "bfloat16".
    family.publishedDtype = Dtype::BFloat16;
    family.shapeWords = {"batch {batch}", "{frames} frames of {height} x {width}"};
    family.castingSkipPatterns = {"norm"};
    family.fieldProblems = ltxFieldProblems;
    family.problems = ltxProblems;
    family.parameters = ltxParameters;
    family.flopsPerStep = ltxFlopsPerStep;
    family.tokensPerStep = ltxVideoTokens;
    family.blocks = [](const ValueMap& f) { return static_cast<int>(integerOf(f, "num_layers")); };
    family.feedForwardWidths = [](const ValueMap& f) {
        return std::vector<std::int64_t>{kFeedForwardFactor * ltxInnerWidth(f)};
    };
    family.linears = ltxLinears;
    family.adapterTargets = {"to_q", "to_k", "to_v", "to_out.0"};
    family.feedForwardTokens = ltxVideoTokens;
    family.upstream = ltxVideoUpstream();
    return family;
}

} // namespace headroom::config
