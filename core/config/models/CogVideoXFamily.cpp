// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/CogVideoXFamily.h"

#include "core/config/models/ClosedForms.h"
#include "core/config/models/FfnStackFamily.h"

namespace headroom::config {
namespace {

// Vectors of a block's modulated norms: shift, scale and gate for video and text.
constexpr std::int64_t kNormVectors = 6;
constexpr std::int64_t kCogVideoXOutputVectors = 2;
// Valid widths for positional encodings: each eighth must have an even number of channels.
constexpr std::int64_t kWidthStep = 16;

bool isRotary(const ValueMap& fields)
{
    return fields.at("use_rotary_positional_embeddings").boolean();
}

// Numbers in a patch of the input and of the output.
std::int64_t patchNumbers(const ValueMap& fields, const char* channels)
{
    return integerOf(fields, channels) * kCogVideoXPatch * kCogVideoXPatch;
}

std::int64_t layerNormParameters(const ValueMap& fields)
{
    return fields.at("norm_elementwise_affine").boolean() ? 2 * cogVideoXInnerWidth(fields) : 0;
}

std::int64_t cogVideoXProjectionRows(const ValueMap& fields)
{
    const std::int64_t inner = kCogVideoXFeedForwardFactor * cogVideoXInnerWidth(fields);
    return isGated(fields.at("activation_fn").text()) ? 2 * inner : inner;
}

std::int64_t cogVideoXBlockParameters(const ValueMap& fields)
{
    const std::int64_t dim = cogVideoXInnerWidth(fields);
    const std::int64_t norm =
        linearParameters(integerOf(fields, "time_embed_dim"), kNormVectors * dim) + layerNormParameters(fields);
    const std::int64_t attention = 3 * linearParameters(dim, dim, fields.at("attention_bias").boolean())
        + linearParameters(dim, dim) + 4 * integerOf(fields, "attention_head_dim");
    const std::int64_t feedForward = linearParameters(dim, cogVideoXProjectionRows(fields))
        + linearParameters(kCogVideoXFeedForwardFactor * dim, dim);
    return 2 * norm + attention + feedForward;
}

std::int64_t cogVideoXParameters(const ValueMap& fields)
{
    const std::int64_t dim = cogVideoXInnerWidth(fields);
    const std::int64_t time = integerOf(fields, "time_embed_dim");
    const std::int64_t embeddings =
        linearParameters(patchNumbers(fields, "in_channels"), dim, fields.at("patch_bias").boolean())
        + linearParameters(integerOf(fields, "text_embed_dim"), dim) + linearParameters(dim, time)
        + linearParameters(time, time);
    const std::int64_t head = 2 * layerNormParameters(fields) + linearParameters(time, kCogVideoXOutputVectors * dim)
        + linearParameters(dim, patchNumbers(fields, "out_channels"));
    return embeddings + integerOf(fields, "num_layers") * cogVideoXBlockParameters(fields) + head;
}

std::int64_t cogVideoXVideoTokens(const ValueMap& shapes)
{
    return integerOf(shapes, "batch") * cogVideoXLatent(shapes).tokens();
}

std::int64_t cogVideoXTextTokens(const ValueMap& shapes)
{
    return integerOf(shapes, "batch") * integerOf(shapes, "text_tokens");
}

std::int64_t cogVideoXJointTokens(const ValueMap& shapes)
{
    return cogVideoXVideoTokens(shapes) + cogVideoXTextTokens(shapes);
}

double cogVideoXBlockFlops(const ValueMap& fields, const ValueMap& shapes)
{
    const std::int64_t dim = cogVideoXInnerWidth(fields);
    const std::int64_t batch = integerOf(shapes, "batch");
    const std::int64_t tokens = cogVideoXJointTokens(shapes);
    const double modulations = 2 * productFlops(batch, integerOf(fields, "time_embed_dim"), kNormVectors * dim);
    const double attention = 4 * productFlops(tokens, dim, dim) + 2 * productFlops(tokens, dim, tokens / batch);
    return modulations + attention + productFlops(tokens, dim, cogVideoXProjectionRows(fields))
        + productFlops(tokens, kCogVideoXFeedForwardFactor * dim, dim);
}

// Products of the forward pass whose input needs no gradient: those whose input is the batch.
double cogVideoXEntryFlops(const ValueMap& fields, const ValueMap& shapes)
{
    const std::int64_t dim = cogVideoXInnerWidth(fields);
    return productFlops(cogVideoXVideoTokens(shapes), patchNumbers(fields, "in_channels"), dim)
        + productFlops(cogVideoXTextTokens(shapes), integerOf(fields, "text_embed_dim"), dim)
        + productFlops(integerOf(shapes, "batch"), dim, integerOf(fields, "time_embed_dim"));
}

// The backward pass computes two products for each of the forward pass, or one if the input needs no gradient.
double cogVideoXFlopsPerStep(const ValueMap& fields, const ValueMap& shapes, StepKind step)
{
    const std::int64_t dim = cogVideoXInnerWidth(fields);
    const std::int64_t time = integerOf(fields, "time_embed_dim");
    const std::int64_t batch = integerOf(shapes, "batch");
    const double entry = cogVideoXEntryFlops(fields, shapes);
    const double forward = entry + productFlops(batch, time, time)
        + static_cast<double>(integerOf(fields, "num_layers")) * cogVideoXBlockFlops(fields, shapes)
        + productFlops(batch, time, kCogVideoXOutputVectors * dim)
        + productFlops(cogVideoXVideoTokens(shapes), dim, patchNumbers(fields, "out_channels"));
    return step == StepKind::Inference ? forward : 3 * forward - entry;
}

std::vector<std::string> cogVideoXLinears(const ValueMap& fields)
{
    std::vector<std::string> paths{"patch_embed.text_proj", "time_embedding.linear_1", "time_embedding.linear_2"};
    for (std::int64_t block = 0; block < integerOf(fields, "num_layers"); ++block)
        for (const char* layer : {"norm1.linear", "attn1.to_q", "attn1.to_k", "attn1.to_v", "attn1.to_out.0",
                 "norm2.linear", "ff.net.0.proj", "ff.net.2"})
            paths.push_back("transformer_blocks." + std::to_string(block) + "." + layer);
    paths.insert(paths.end(), {"norm_out.linear", "proj_out"});
    return paths;
}

void findUnsupportedFields(const ValueMap& fields, std::vector<Problem>& found)
{
    const auto refuse = [&](const char* name, const Value& supported) {
        if (fields.at(name) != supported)
            found.push_back(
                fieldProblem(fields, name, " is not supported", supported.isNull() ? "left out" : toToml(supported)));
    };
    refuse("patch_size", kCogVideoXPatch);
    refuse("patch_size_t", {});
    refuse("temporal_compression_ratio", kCogVideoXTemporalRatio);
    refuse("ofs_embed_dim", {});
    refuse("use_learned_positional_embeddings", false);
}

void findPositionProblems(const ValueMap& fields, std::vector<Problem>& found)
{
    const std::int64_t width = isRotary(fields) ? integerOf(fields, "attention_head_dim") : cogVideoXInnerWidth(fields);
    if (width % kWidthStep != 0)
        found.emplace_back(
            std::string(isRotary(fields) ? "attention_head_dim" : "num_attention_heads * attention_head_dim") + " = "
                + std::to_string(width) + " is no multiple of " + std::to_string(kWidthStep)
                + ", as positions of three axes need",
            "model.attention_head_dim");
}

void findShapeProblems(const ValueMap& fields, const ValueMap& shapes, std::vector<Problem>& found)
{
    if (!isRotary(fields) && integerOf(shapes, "text_tokens") != integerOf(fields, "max_text_seq_length"))
        found.push_back(shapeProblem(shapes, "text_tokens",
            " differs from max_text_seq_length = " + std::to_string(integerOf(fields, "max_text_seq_length"))
                + ", for which the positions are made"));
    const std::int64_t side = kCogVideoXSpatialRatio * kCogVideoXPatch;
    for (const char* name : {"height", "width"})
        requireStep(shapes, name, side, 0, found);
    requireStep(shapes, "frames", kCogVideoXTemporalRatio, 1, found);
}

std::vector<Problem> cogVideoXFieldProblems(const ValueMap& fields)
{
    std::vector<Problem> found;
    findUnsupportedFields(fields, found);
    findPositionProblems(fields, found);
    if (integerOf(fields, "freq_shift") >= cogVideoXInnerWidth(fields) / 2)
        found.push_back(fieldProblem(
            fields, "freq_shift", " leaves no frequency of the " + std::to_string(cogVideoXInnerWidth(fields) / 2)));
    return found;
}

std::vector<Problem> cogVideoXProblems(const ValueMap& fields, const ValueMap& shapes)
{
    std::vector<Problem> found = cogVideoXFieldProblems(fields);
    findShapeProblems(fields, shapes, found);
    return found;
}

Field cogVideoXChoice(const char* name, const char* value, const char* help, std::vector<std::string> choices)
{
    return {
        .name = name, .type = FieldType::Choice, .defaultValue = value, .help = help, .choices = std::move(choices)};
}

std::vector<Field> widthFields()
{
    return {
        countField("num_attention_heads", 30, "attention heads", 1024),
        countField("attention_head_dim", 64, "channels of one head", 1024),
        countField("in_channels", 16, "channels of the latent video", 65536),
        countField("out_channels", 16, "channels of the output", 65536),
        flagField("flip_sin_to_cos", true, "cosines of the time step before its sines"),
        countField("freq_shift", 0, "taken off the number of the time step's frequencies", 65536, 0),
        countField("time_embed_dim", 512, "channels of the time step's embedding", 65536),
        optionalCountField("ofs_embed_dim", "an embedding of image-to-video models, which are not supported", 65536),
        countField("text_embed_dim", 4096, "channels of a text token", 65536),
        countField("num_layers", 30, "transformer blocks", 4096),
        realField("dropout", 0, "drop probability of the embedded tokens and in the feed-forwards", 0, 1),
        flagField("attention_bias", true, "biases of the query, key and value projections"),
        cogVideoXChoice("activation_fn", "gelu-approximate", "activation of the feed-forwards", activationKinds()),
        cogVideoXChoice("timestep_activation_fn", "silu", "activation of the time step's embedding", {"silu"}),
        flagField("norm_elementwise_affine", true, "weights of the norms"),
        realField("norm_eps", 1e-5, "epsilon of the norms", 0, 1),
    };
}

std::vector<Field> positionFields()
{
    return {
        countField("sample_width", 90, "width of the latent video that the model was made for", 65536),
        countField("sample_height", 60, "height of the latent video that the model was made for", 65536),
        countField("sample_frames", 49, "frames of the video that the model was made for", 65536),
        countField("patch_size", 2, "side of a patch; 2 is supported", 64),
        optionalCountField("patch_size_t", "latent frames of a patch, of version 1.5, which is not supported", 64),
        countField("temporal_compression_ratio", 4, "frames per latent frame after the first; 4 is supported", 64),
        countField("max_text_seq_length", 226, "text tokens that positions are made for", 1048576),
        realField("spatial_interpolation_scale", 1.875, "divides the positions in space", 1e-6, 1e6),
        realField("temporal_interpolation_scale", 1.0, "divides the positions in time", 1e-6, 1e6),
        flagField("use_rotary_positional_embeddings", false,
            "rotary embeddings of the video; positions are added to the tokens otherwise"),
        flagField(
            "use_learned_positional_embeddings", false, "positions of image-to-video models, which are not supported"),
        flagField("patch_bias", true, "bias of the convolution of patches"),
    };
}

std::vector<Field> cogVideoXFields()
{
    std::vector<Field> all = widthFields();
    for (Field& field : positionFields())
        all.push_back(std::move(field));
    return all;
}

std::vector<Field> cogVideoXShapes()
{
    return {
        countField("batch", 1, "videos per step", 65536),
        countField("frames", 49, "frames of the video: one more than a multiple of 4", 65536),
        countField("height", 480, "height in pixels: a multiple of 16", 65536),
        countField("width", 720, "width in pixels: a multiple of 16", 65536),
        countField("text_tokens", 226, "text tokens per video", 1048576),
    };
}

std::vector<ModelVariant> cogVideoXVariants()
{
    const Value rotary(true);
    return {
        {"cogvideox-2b", "CogVideoX, 2B parameters, positions added to the tokens", {}, {}, {}, Dtype::Float16},
        {"cogvideox-5b", "CogVideoX, 5B parameters, rotary positions",
            {{"num_attention_heads", 48}, {"num_layers", 42}, {"use_rotary_positional_embeddings", rotary}}, {}},
        {"cogvideox-tiny", "CogVideoX for tests (2 layers, 2 heads of 16 channels)",
            {{"num_attention_heads", 2}, {"attention_head_dim", 16}, {"in_channels", 4}, {"out_channels", 4},
                {"time_embed_dim", 10}, {"text_embed_dim", 12}, {"num_layers", 2}, {"sample_width", 8},
                {"sample_height", 6}, {"sample_frames", 5}, {"max_text_seq_length", 5},
                {"use_rotary_positional_embeddings", rotary}},
            {{"batch", 2}, {"frames", 5}, {"height", 48}, {"width", 64}, {"text_tokens", 5}}},
    };
}

// diffusers' CogVideoXTransformer3DModel.
UpstreamFamily cogVideoXUpstream()
{
    using enum UpstreamInput::Presence;
    UpstreamClass transformer;
    transformer.name = "CogVideoXTransformer3DModel";
    return {.classes = {transformer},
        .inputs = {{"hidden_states"}, {"encoder_hidden_states"}, {"timestep", InputForm::AsGiven},
            {"image_rotary_emb", InputForm::AsGiven, Optional, 2}}};
}

} // namespace

std::int64_t cogVideoXInnerWidth(const ValueMap& fields)
{
    return integerOf(fields, "num_attention_heads") * integerOf(fields, "attention_head_dim");
}

CogVideoXLatent cogVideoXLatent(const ValueMap& shapes)
{
    return {(integerOf(shapes, "frames") - 1) / kCogVideoXTemporalRatio + 1,
        integerOf(shapes, "height") / kCogVideoXSpatialRatio, integerOf(shapes, "width") / kCogVideoXSpatialRatio};
}

CogVideoXLatent cogVideoXSample(const ValueMap& fields)
{
    return {(integerOf(fields, "sample_frames") - 1) / kCogVideoXTemporalRatio + 1, integerOf(fields, "sample_height"),
        integerOf(fields, "sample_width")};
}

ModelFamily cogVideoXFamily()
{
    ModelFamily family;
    family.name = "cogvideox";
    family.title = "CogVideoX transformer";
    family.fields = FieldSet(cogVideoXFields());
    family.shapes = FieldSet(cogVideoXShapes());
    family.variants = cogVideoXVariants();
    // Upstream's README, "Fine-tuning Precision": BF16 for 5B, FP16 for 2B (below); the files match.
    family.publishedDtype = Dtype::BFloat16;
    family.shapeWords = {"batch {batch}", "{frames} frames of {height} x {width}"};
    family.castingSkipPatterns = {"patch_embed", "norm"};
    family.fieldProblems = cogVideoXFieldProblems;
    family.problems = cogVideoXProblems;
    family.parameters = cogVideoXParameters;
    family.flopsPerStep = cogVideoXFlopsPerStep;
    family.tokensPerStep = cogVideoXVideoTokens;
    family.blocks = [](const ValueMap& f) { return static_cast<int>(integerOf(f, "num_layers")); };
    family.feedForwardWidths = [](const ValueMap& f) {
        return std::vector<std::int64_t>{kCogVideoXFeedForwardFactor * cogVideoXInnerWidth(f)};
    };
    family.linears = cogVideoXLinears;
    family.adapterTargets = {"to_q", "to_k", "to_v", "to_out.0"};
    family.feedForwardTokens = cogVideoXJointTokens;
    family.upstream = cogVideoXUpstream();
    return family;
}

} // namespace headroom::config
