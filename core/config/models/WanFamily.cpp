// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/WanFamily.h"

#include "core/config/models/ClosedForms.h"

namespace headroom::config {
namespace {

// Two channels for each axis of the rotary embedding.
constexpr std::int64_t kSmallestHead = 6;
constexpr std::int64_t kPatchVolume = kWanPatch * kWanPatch;

std::int64_t wanAttentionParameters(std::int64_t dim)
{
    return 4 * linearParameters(dim, dim) + 2 * dim;
}

// Parameters of the norm before the attention to the text; the other norms have none.
std::int64_t normParameters(const ValueMap& fields)
{
    return fields.at("cross_attn_norm").boolean() ? 2 * wanInnerWidth(fields) : 0;
}

std::int64_t wanBlockParameters(const ValueMap& fields)
{
    const std::int64_t dim = wanInnerWidth(fields);
    const std::int64_t inner = integerOf(fields, "ffn_dim");
    return kWanModulations * dim + normParameters(fields) + 2 * wanAttentionParameters(dim)
        + linearParameters(dim, inner) + linearParameters(inner, dim);
}

std::int64_t timeEmbedderParameters(const ValueMap& fields)
{
    const std::int64_t dim = wanInnerWidth(fields);
    return linearParameters(integerOf(fields, "freq_dim"), dim) + linearParameters(dim, dim);
}

std::int64_t wanParameters(const ValueMap& fields)
{
    const std::int64_t dim = wanInnerWidth(fields);
    const std::int64_t text = linearParameters(integerOf(fields, "text_dim"), dim) + linearParameters(dim, dim);
    const std::int64_t patches = linearParameters(kPatchVolume * integerOf(fields, "in_channels"), dim);
    return patches + timeEmbedderParameters(fields) + linearParameters(dim, kWanModulations * dim) + text
        + integerOf(fields, "num_layers") * wanBlockParameters(fields) + 2 * dim
        + linearParameters(dim, kPatchVolume * integerOf(fields, "out_channels"));
}

std::int64_t wanVideoTokens(const ValueMap& shapes)
{
    return integerOf(shapes, "batch") * wanLatent(shapes).tokens();
}

std::int64_t wanTextTokens(const ValueMap& shapes)
{
    return integerOf(shapes, "batch") * integerOf(shapes, "text_tokens");
}

double wanBlockFlops(const ValueMap& fields, const ValueMap& shapes)
{
    const std::int64_t dim = wanInnerWidth(fields);
    const std::int64_t tokens = wanVideoTokens(shapes);
    const auto attention = [&](std::int64_t keys) { return 2 * productFlops(tokens, dim, keys); };
    const double self = 4 * productFlops(tokens, dim, dim) + attention(wanLatent(shapes).tokens());
    const double cross = 2 * productFlops(tokens, dim, dim) + 2 * productFlops(wanTextTokens(shapes), dim, dim)
        + attention(integerOf(shapes, "text_tokens"));
    return self + cross + 2 * productFlops(tokens, dim, integerOf(fields, "ffn_dim"));
}

// Products of the forward pass whose input needs no gradient: those whose input is the batch.
double wanEntryFlops(const ValueMap& fields, const ValueMap& shapes)
{
    const std::int64_t dim = wanInnerWidth(fields);
    return productFlops(wanVideoTokens(shapes), kPatchVolume * integerOf(fields, "in_channels"), dim)
        + productFlops(wanTextTokens(shapes), integerOf(fields, "text_dim"), dim)
        + productFlops(integerOf(shapes, "batch"), integerOf(fields, "freq_dim"), dim);
}

// The backward pass computes two products for each of the forward pass, or one if the input needs no gradient.
double wanFlopsPerStep(const ValueMap& fields, const ValueMap& shapes, StepKind step)
{
    const std::int64_t dim = wanInnerWidth(fields);
    const std::int64_t batch = integerOf(shapes, "batch");
    const double entry = wanEntryFlops(fields, shapes);
    const double forward = entry + productFlops(batch, dim, dim) + productFlops(batch, dim, kWanModulations * dim)
        + productFlops(wanTextTokens(shapes), dim, dim)
        + static_cast<double>(integerOf(fields, "num_layers")) * wanBlockFlops(fields, shapes)
        + productFlops(wanVideoTokens(shapes), dim, kPatchVolume * integerOf(fields, "out_channels"));
    return step == StepKind::Inference ? forward : 3 * forward - entry;
}

std::vector<std::string> wanLinears(const ValueMap& fields)
{
    const std::string condition = "condition_embedder.";
    std::vector<std::string> paths;
    for (const char* name : {"time_embedder.linear_1", "time_embedder.linear_2", "time_proj", "text_embedder.linear_1",
             "text_embedder.linear_2"})
        paths.push_back(condition + name);
    for (std::int64_t block = 0; block < integerOf(fields, "num_layers"); ++block) {
        const std::string prefix = "blocks." + std::to_string(block) + ".";
        for (const char* attention : {"attn1", "attn2"})
            for (const char* projection : {".to_q", ".to_k", ".to_v", ".to_out.0"})
                paths.push_back(prefix + attention + projection);
        paths.push_back(prefix + "ffn.net.0.proj");
        paths.push_back(prefix + "ffn.net.2");
    }
    paths.push_back("proj_out");
    return paths;
}

// Refuses fields of models that take an image in addition to the text.
void refuseImages(const ValueMap& fields, std::vector<Problem>& reasons)
{
    for (const char* name : {"image_dim", "added_kv_proj_dim", "pos_embed_seq_len"})
        if (!fields.at(name).isNull())
            reasons.push_back(fieldProblem(fields, name, " is of an image-to-video model, which is not supported",
                "text-to-video models, without it"));
}

void refuseWidths(const ValueMap& fields, std::vector<Problem>& reasons)
{
    if (fields.at("patch_size") != Value(Value::List{1, kWanPatch, kWanPatch}))
        reasons.push_back(fieldProblem(fields, "patch_size", " is not supported", "[1, 2, 2]"));
    const std::int64_t head = integerOf(fields, "attention_head_dim");
    if (head % 2 != 0 || head < kSmallestHead)
        reasons.push_back(fieldProblem(
            fields, "attention_head_dim", " must be even and at least 6, for the rotary embedding of three axes"));
    if (integerOf(fields, "freq_dim") % 2 != 0)
        reasons.push_back(fieldProblem(fields, "freq_dim", " must be even, for as many sines as cosines"));
}

void refuseExtents(const ValueMap& fields, const ValueMap& shapes, std::vector<Problem>& reasons)
{
    constexpr std::int64_t kSide = kWanSpatialRatio * kWanPatch;
    for (const char* side : {"height", "width"})
        requireStep(shapes, side, kSide, 0, reasons);
    requireStep(shapes, "frames", kWanTemporalRatio, 1, reasons);
    const WanLatent latent = wanLatent(shapes);
    const std::int64_t positions = integerOf(fields, "rope_max_seq_len");
    if (latent.frames > positions || latent.height / kWanPatch > positions || latent.width / kWanPatch > positions)
        reasons.push_back(fieldProblem(fields, "rope_max_seq_len",
            " is less than the " + std::to_string(latent.frames) + " x " + std::to_string(latent.height / kWanPatch)
                + " x " + std::to_string(latent.width / kWanPatch) + " tokens of the video"));
}

std::vector<Problem> wanFieldProblems(const ValueMap& fields)
{
    std::vector<Problem> reasons;
    refuseImages(fields, reasons);
    refuseWidths(fields, reasons);
    return reasons;
}

std::vector<Problem> wanProblems(const ValueMap& fields, const ValueMap& shapes)
{
    std::vector<Problem> reasons = wanFieldProblems(fields);
    refuseExtents(fields, shapes, reasons);
    return reasons;
}

// The upper limits keep all counts of parameters, bytes and tokens far inside 64 bits.
std::vector<Field> wanFields()
{
    return {
        {.name = "patch_size",
            .type = FieldType::IntegerList,
            .defaultValue = Value::List{1, kWanPatch, kWanPatch},
            .help = "latent positions of a token in time, height and width; 1, 2, 2 is supported"},
        countField("num_attention_heads", 40, "attention heads", 1024),
        countField("attention_head_dim", 128, "channels of one head", 1024),
        countField("in_channels", 16, "channels of the latent video", 65536),
        countField("out_channels", 16, "channels of the output", 65536),
        countField("text_dim", 4096, "channels of a text token", 65536),
        countField("freq_dim", 256, "width of the sinusoidal time-step embedding", 65536),
        countField("ffn_dim", 13824, "inner width of the feed-forwards", 1048576),
        countField("num_layers", 40, "transformer blocks", 4096),
        flagField("cross_attn_norm", true, "norm with weights before the attention to the text"),
        {.name = "qk_norm",
            .type = FieldType::Choice,
            .defaultValue = "rms_norm_across_heads",
            .help = "normalisation of queries and keys",
            .choices = {"rms_norm_across_heads"}},
        {.name = "eps",
            .type = FieldType::Real,
            .defaultValue = 1e-6,
            .help = "epsilon of all norms",
            .minimum = 0,
            .maximum = 1},
        optionalCountField("image_dim", "of image-to-video models, which are not supported", 65536),
        optionalCountField("added_kv_proj_dim", "of image-to-video models, which are not supported", 65536),
        countField("rope_max_seq_len", 1024, "positions of the rotary tables on each axis", 65536),
        optionalCountField("pos_embed_seq_len", "of image-to-video models, which are not supported", 65536),
        flagField("keep_in_fp32_modules", true,
            "in bfloat16 and float16: keep the time embedder, the scale and shift tables, the blocks' norms and the "
            "rotary "
            "tables in float32, as upstream loads them"),
    };
}

std::vector<Field> wanShapes()
{
    return {
        countField("batch", 1, "videos per step", 65536),
        countField("frames", 81, "frames of the video: one more than a multiple of 4", 65536),
        countField("height", 480, "height in pixels: a multiple of 16", 65536),
        countField("width", 832, "width in pixels: a multiple of 16", 65536),
        countField("text_tokens", 512, "text tokens per video", 1048576),
    };
}

std::vector<ModelVariant> wanVariants()
{
    return {
        {"wan-2.1-1.3b", "Wan 2.1 text-to-video, 1.3B parameters",
            {{"num_attention_heads", 12}, {"ffn_dim", 8960}, {"num_layers", 30}}, {}},
        {"wan-2.1-14b", "Wan 2.1 text-to-video, 14B parameters", {}, {}},
        {"wan-tiny", "Wan 2.1 for tests (2 layers, 2 heads of 12 channels)",
            {{"num_attention_heads", 2}, {"attention_head_dim", 12}, {"in_channels", 4}, {"out_channels", 4},
                {"text_dim", 16}, {"freq_dim", 32}, {"ffn_dim", 40}, {"num_layers", 2}, {"rope_max_seq_len", 32}},
            {{"batch", 2}, {"frames", 5}, {"height", 48}, {"width", 64}, {"text_tokens", 5}}, {"wan-2.1-tiny"}},
    };
}

// diffusers' WanTransformer3DModel, text to video.
// Some published files contain a norm that no forward reads.
UpstreamFamily wanUpstream()
{
    UpstreamClass transformer;
    transformer.name = "WanTransformer3DModel";
    return {.classes = {transformer},
        .inputs = {{"hidden_states"}, {"timestep", InputForm::AsGiven}, {"encoder_hidden_states"}},
        .weights = {.ignored = {R"(attn2\.norm_added_q\.)"}}};
}

} // namespace

std::int64_t wanInnerWidth(const ValueMap& fields)
{
    return integerOf(fields, "num_attention_heads") * integerOf(fields, "attention_head_dim");
}

WanLatent wanLatent(const ValueMap& shapes)
{
    return {(integerOf(shapes, "frames") - 1) / kWanTemporalRatio + 1, integerOf(shapes, "height") / kWanSpatialRatio,
        integerOf(shapes, "width") / kWanSpatialRatio};
}

std::int64_t wanParametersInFloat32(const ValueMap& fields)
{
    if (!fields.at("keep_in_fp32_modules").boolean())
        return 0;
    const std::int64_t dim = wanInnerWidth(fields);
    return timeEmbedderParameters(fields) + 2 * dim
        + integerOf(fields, "num_layers") * (kWanModulations * dim + normParameters(fields));
}

ModelFamily wanFamily()
{
    ModelFamily family;
    family.name = "wan";
    family.title = "Wan 2.1 text-to-video transformer";
    family.fields = FieldSet(wanFields());
    family.shapes = FieldSet(wanShapes());
    family.variants = wanVariants();
    // Upstream's wan/configs/shared_config.py: param_dtype = torch.bfloat16, regardless of the type in a weight file.
    family.publishedDtype = Dtype::BFloat16;
    family.shapeWords = {"batch {batch}", "{frames} frames of {height} x {width}"};
    family.castingSkipPatterns = {"rope", "time_embedder", "scale_shift_table", "norm1", "norm2", "norm3",
        "patch_embedding", "condition_embedder", "norm"};
    family.adapterTargets = {"to_q", "to_k", "to_v", "to_out.0"};
    family.fieldProblems = wanFieldProblems;
    family.problems = wanProblems;
    family.parameters = wanParameters;
    family.parametersInFloat32 = [](const ValueMap& fields, Dtype dtype) {
        return dtype == Dtype::BFloat16 || dtype == Dtype::Float16 ? wanParametersInFloat32(fields) : 0;
    };
    family.flopsPerStep = wanFlopsPerStep;
    family.tokensPerStep = wanVideoTokens;
    family.blocks = [](const ValueMap& f) { return static_cast<int>(integerOf(f, "num_layers")); };
    family.feedForwardWidths = [](const ValueMap& f) { return std::vector<std::int64_t>{integerOf(f, "ffn_dim")}; };
    family.linears = wanLinears;
    family.feedForwardTokens = wanVideoTokens;
    family.upstream = wanUpstream();
    return family;
}

} // namespace headroom::config
