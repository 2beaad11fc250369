// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/T5EncoderFamily.h"

#include "core/base/Error.h"
#include "core/config/models/ClosedForms.h"

namespace headroom::config {
namespace {

std::int64_t attentionWidth(const ValueMap& fields)
{
    return integerOf(fields, "num_heads") * integerOf(fields, "d_kv");
}

std::int64_t t5Parameters(const ValueMap& fields)
{
    const std::int64_t width = integerOf(fields, "d_model");
    const std::int64_t norms = 2 * width;
    const std::int64_t block = norms + 4 * width * attentionWidth(fields) + 3 * width * integerOf(fields, "d_ff");
    const std::int64_t positions = integerOf(fields, "relative_attention_num_buckets") * integerOf(fields, "num_heads");
    return integerOf(fields, "vocab_size") * width + integerOf(fields, "num_layers") * block + positions + width;
}

std::int64_t t5Tokens(const ValueMap& shapes)
{
    return integerOf(shapes, "batch") * integerOf(shapes, "sequence_length");
}

// The backward pass computes two products for each of the forward pass: the first block's input needs a gradient too,
// for the embedding.
double t5FlopsPerStep(const ValueMap& fields, const ValueMap& shapes, StepKind step)
{
    const std::int64_t width = integerOf(fields, "d_model");
    const std::int64_t all = t5Tokens(shapes);
    const double attention = 2 * productFlops(all, attentionWidth(fields), integerOf(shapes, "sequence_length"));
    const double block = 4 * productFlops(all, width, attentionWidth(fields)) + attention
        + 3 * productFlops(all, width, integerOf(fields, "d_ff"));
    const double forward = static_cast<double>(integerOf(fields, "num_layers")) * block;
    return step == StepKind::Inference ? forward : 3 * forward;
}

std::vector<std::string> t5Linears(const ValueMap& fields)
{
    std::vector<std::string> paths;
    for (std::int64_t block = 0; block < integerOf(fields, "num_layers"); ++block)
        for (const char* name : {"0.SelfAttention.q", "0.SelfAttention.k", "0.SelfAttention.v", "0.SelfAttention.o",
                 "1.DenseReluDense.wi_0", "1.DenseReluDense.wi_1", "1.DenseReluDense.wo"})
            paths.push_back("encoder.block." + std::to_string(block) + ".layer." + name);
    return paths;
}

// Each sign has half of the buckets, and half of those are for single distances.
std::vector<Problem> t5FieldProblems(const ValueMap& fields)
{
    std::vector<Problem> found;
    const std::int64_t buckets = integerOf(fields, "relative_attention_num_buckets");
    const std::int64_t farthest = integerOf(fields, "relative_attention_max_distance");
    if (buckets % 4 != 0)
        found.push_back(fieldProblem(fields, "relative_attention_num_buckets", " is no multiple of 4"));
    else if (farthest <= buckets / 4)
        found.push_back(fieldProblem(fields, "relative_attention_max_distance",
            " must be above a quarter of relative_attention_num_buckets = " + std::to_string(buckets)
                + ", the distances with a bucket of their own"));
    return found;
}

// The upper limits keep all counts of parameters, bytes and tokens far inside 64 bits.
std::vector<Field> t5Fields()
{
    return {
        countField("vocab_size", 32128, "tokens of the vocabulary", 4194304),
        countField("d_model", 4096, "width of the hidden states", 131072),
        countField("d_kv", 64, "channels of one head", 4096),
        countField("d_ff", 10240, "inner width of the feed-forwards", 1048576),
        countField("num_layers", 24, "transformer blocks", 4096),
        countField("num_heads", 64, "attention heads", 1024),
        countField("relative_attention_num_buckets", 32, "number of distance buckets, for both signs together", 65536),
        countField("relative_attention_max_distance", 128, "distance from which on all share one bucket", 1048576),
        realField("dropout_rate", 0.1, "drop probability in training", 0, 1),
        realField("layer_norm_epsilon", 1e-6, "epsilon of the norms", 0, 1),
        realField("initializer_factor", 1.0, "factor on the standard deviations of fresh weights", 0, 100),
        {.name = "feed_forward_proj",
            .type = FieldType::Choice,
            .defaultValue = "gated-gelu",
            .help = "activation of the feed-forwards",
            .choices = {"gated-gelu"}},
        flagField("keep_in_fp32_modules", true,
            "the feed-forwards' wo in float32 in a model of float16, as upstream loads it"),
    };
}

std::vector<Field> t5Shapes()
{
    return {
        countField("batch", 1, "texts per step", 1048576),
        countField("sequence_length", 512, "tokens per text", 1048576),
    };
}

std::vector<ModelVariant> t5Variants()
{
    return {
        {"t5-v1.1-xxl", "Encoder of T5 v1.1 XXL, the text encoder of many diffusion models", {}, {}},
        {"t5-v1.1-tiny", "T5 v1.1 encoder for tests (2 blocks, 4 heads of 4 channels)",
            {{"vocab_size", 48}, {"d_model", 16}, {"d_kv", 4}, {"d_ff", 24}, {"num_layers", 2}, {"num_heads", 4},
                {"relative_attention_num_buckets", 8}, {"relative_attention_max_distance", 16}, {"dropout_rate", 0.0}},
            {{"batch", 2}, {"sequence_length", 6}}, {"t5-tiny", "t5-v1.1-xxl-tiny"}},
    };
}

// A file without the key means the feed-forward of the first version.
void requireGate(ValueMap&, const ValueMap& entries, const std::string& where)
{
    if (!entries.contains("feed_forward_proj"))
        throw UsageError("found nothing, which means relu", where + ": feed_forward_proj", "gated-gelu");
}

UpstreamClass encoderIn(const char* name)
{
    UpstreamClass encoder;
    encoder.name = name;
    encoder.defaults = {{"d_model", 512}, {"d_kv", 64}, {"d_ff", 2048}, {"num_layers", 6}, {"num_heads", 8}};
    encoder.harmless = {"classifier_dropout", "decoder_start_token_id", "dtype", "eos_token_id", "is_encoder_decoder",
        "n_positions", "num_decoder_layers", "output_past", "pad_token_id", "scale_decoder_outputs",
        "task_specific_params", "tie_word_embeddings", "torch_dtype", "transformers_version", "use_cache"};
    encoder.fixed = {{"dense_act_fn", {"gelu_new"}}, {"is_decoder", {false}}, {"is_gated_act", {true}}};
    encoder.settle = requireGate;
    return encoder;
}

// transformers' T5EncoderModel, of version 1.1.
// The full model contains the encoder; its files also have the decoder, and the embedding under several names.
UpstreamFamily t5EncoderUpstream()
{
    using enum UpstreamInput::Presence;
    return {.classes = {encoderIn("T5EncoderModel"), encoderIn("T5ForConditionalGeneration")},
        .inputs = {{"input_ids", InputForm::AsGiven}, {"attention_mask", InputForm::AsGiven, Optional}},
        .weights = {.aliases = {{"encoder.embed_tokens.weight", "shared.weight"}},
            .ignored = {R"(^decoder\.)", R"(^lm_head\.)"}}};
}

} // namespace

std::int64_t t5ParametersInFloat32(const ValueMap& fields)
{
    return fields.at("keep_in_fp32_modules").boolean()
        ? integerOf(fields, "num_layers") * integerOf(fields, "d_ff") * integerOf(fields, "d_model")
        : 0;
}

ModelFamily t5EncoderFamily()
{
    ModelFamily family;
    family.name = "t5-encoder";
    family.title = "T5 v1.1 text encoder";
    family.fields = FieldSet(t5Fields());
    family.shapes = FieldSet(t5Shapes());
    family.variants = t5Variants();
    // The file of google/t5-v1_1-xxl: 4 bytes for each of 11.1 billion parameters, decoder included.
    family.publishedDtype = Dtype::Float32;
    family.shapeWords = {"batch {batch}", "texts of {sequence_length}"};
    family.castingSkipPatterns = {"wo"};
    family.fieldProblems = t5FieldProblems;
    family.problems = [](const ValueMap& f, const ValueMap&) { return t5FieldProblems(f); };
    family.parameters = t5Parameters;
    family.parametersInFloat32 = [](const ValueMap& fields, Dtype dtype) {
        return dtype == Dtype::Float16 ? t5ParametersInFloat32(fields) : 0;
    };
    family.flopsPerStep = t5FlopsPerStep;
    family.tokensPerStep = t5Tokens;
    family.blocks = [](const ValueMap& f) { return static_cast<int>(integerOf(f, "num_layers")); };
    family.feedForwardWidths = [](const ValueMap& f) { return std::vector<std::int64_t>{integerOf(f, "d_ff")}; };
    family.linears = t5Linears;
    family.adapterTargets = {"SelfAttention.q", "SelfAttention.v"};
    family.feedForwardTokens = t5Tokens;
    family.upstream = t5EncoderUpstream();
    return family;
}

} // namespace headroom::config
