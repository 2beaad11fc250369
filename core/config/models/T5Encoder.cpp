// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/T5Encoder.h"

namespace headroom::config {
namespace {

std::int64_t integer(const ValueMap& map, const char* name)
{
    return map.at(name).integer();
}

std::int64_t attentionWidth(const ValueMap& fields)
{
    return integer(fields, "num_heads") * integer(fields, "d_kv");
}

std::int64_t parameters(const ValueMap& fields)
{
    const std::int64_t width = integer(fields, "d_model");
    const std::int64_t norms = 2 * width;
    const std::int64_t block = norms + 4 * width * attentionWidth(fields) + 3 * width * integer(fields, "d_ff");
    const std::int64_t positions = integer(fields, "relative_attention_num_buckets") * integer(fields, "num_heads");
    return integer(fields, "vocab_size") * width + integer(fields, "num_layers") * block + positions + width;
}

std::int64_t tokens(const ValueMap& shapes)
{
    return integer(shapes, "batch") * integer(shapes, "sequence_length");
}

double product(std::int64_t rows, std::int64_t in, std::int64_t out)
{
    return 2.0 * static_cast<double>(rows) * static_cast<double>(in) * static_cast<double>(out);
}

// Two products in the backward pass for each of the forward pass: the first block's input needs a gradient too, for the
// embedding.
double flopsPerStep(const ValueMap& fields, const ValueMap& shapes, StepKind step)
{
    const std::int64_t width = integer(fields, "d_model");
    const std::int64_t all = tokens(shapes);
    const double attention = 2 * product(all, attentionWidth(fields), integer(shapes, "sequence_length"));
    const double block =
        4 * product(all, width, attentionWidth(fields)) + attention + 3 * product(all, width, integer(fields, "d_ff"));
    const double forward = static_cast<double>(integer(fields, "num_layers")) * block;
    return step == StepKind::Inference ? forward : 3 * forward;
}

std::vector<std::string> linears(const ValueMap& fields)
{
    std::vector<std::string> paths;
    for (std::int64_t block = 0; block < integer(fields, "num_layers"); ++block)
        for (const char* name : {"0.SelfAttention.q", "0.SelfAttention.k", "0.SelfAttention.v", "0.SelfAttention.o",
                 "1.DenseReluDense.wi_0", "1.DenseReluDense.wi_1", "1.DenseReluDense.wo"})
            paths.push_back("encoder.block." + std::to_string(block) + ".layer." + name);
    return paths;
}

// Half of the buckets are for each sign, and half of those for single distances.
std::vector<std::string> problems(const ValueMap& fields, const ValueMap&)
{
    std::vector<std::string> found;
    const std::int64_t buckets = integer(fields, "relative_attention_num_buckets");
    const std::int64_t farthest = integer(fields, "relative_attention_max_distance");
    if (buckets % 4 != 0)
        found.push_back("relative_attention_num_buckets = " + std::to_string(buckets) + " is no multiple of 4");
    else if (farthest <= buckets / 4)
        found.push_back("relative_attention_max_distance = " + std::to_string(farthest)
            + " must be above a quarter of relative_attention_num_buckets = " + std::to_string(buckets)
            + ", the distances with a bucket of their own");
    return found;
}

Field count(const char* name, std::int64_t value, const char* help, std::int64_t maximum)
{
    return {.name = name,
        .type = FieldType::Integer,
        .defaultValue = value,
        .help = help,
        .minimum = 1,
        .maximum = static_cast<double>(maximum)};
}

Field real(const char* name, double value, const char* help, double maximum)
{
    return {
        .name = name, .type = FieldType::Real, .defaultValue = value, .help = help, .minimum = 0, .maximum = maximum};
}

// The upper ends keep every count of parameters, bytes and tokens far inside 64 bits.
std::vector<Field> fields()
{
    return {
        count("vocab_size", 32128, "tokens of the vocabulary", 4194304),
        count("d_model", 4096, "width of the hidden states", 131072),
        count("d_kv", 64, "channels of one head", 4096),
        count("d_ff", 10240, "inner width of the feed-forwards", 1048576),
        count("num_layers", 24, "transformer blocks", 4096),
        count("num_heads", 64, "attention heads", 1024),
        count("relative_attention_num_buckets", 32, "distances that are told apart, both signs together", 65536),
        count("relative_attention_max_distance", 128, "distance from which on all are one", 1048576),
        real("dropout_rate", 0.1, "drop probability in training", 1),
        real("layer_norm_epsilon", 1e-6, "epsilon of the norms", 1),
        real("initializer_factor", 1.0, "factor on the standard deviations of fresh weights", 100),
        {.name = "feed_forward_proj",
            .type = FieldType::Choice,
            .defaultValue = "gated-gelu",
            .help = "activation of the feed-forwards",
            .choices = {"gated-gelu"}},
    };
}

std::vector<Field> shapes()
{
    return {
        count("batch", 1, "texts per step", 1048576),
        count("sequence_length", 512, "tokens per text", 1048576),
    };
}

std::vector<ModelVariant> variants()
{
    return {
        {"t5-v1.1-xxl", "Encoder of T5 v1.1 XXL, the text encoder of many diffusion models", {}, {}},
        {"t5-v1.1-tiny", "T5 v1.1 encoder for tests (2 blocks, 4 heads of 4 channels)",
            {{"vocab_size", 48}, {"d_model", 16}, {"d_kv", 4}, {"d_ff", 24}, {"num_layers", 2}, {"num_heads", 4},
                {"relative_attention_num_buckets", 8}, {"relative_attention_max_distance", 16}, {"dropout_rate", 0.0}},
            {{"batch", 2}, {"sequence_length", 6}}},
    };
}

} // namespace

ModelFamily t5EncoderFamily()
{
    ModelFamily family;
    family.name = "t5-encoder";
    family.title = "T5 v1.1 text encoder";
    family.fields = FieldSet(fields());
    family.shapes = FieldSet(shapes());
    family.variants = variants();
    family.castingSkipPatterns = {"wo"};
    family.problems = problems;
    family.parameters = parameters;
    family.flopsPerStep = flopsPerStep;
    family.tokensPerStep = tokens;
    family.blocks = [](const ValueMap& f) { return static_cast<int>(integer(f, "num_layers")); };
    family.feedForwardWidths = [](const ValueMap& f) { return std::vector<std::int64_t>{integer(f, "d_ff")}; };
    family.linears = linears;
    family.adapterTargets = {"SelfAttention.q", "SelfAttention.v"};
    family.feedForwardTokens = tokens;
    return family;
}

} // namespace headroom::config
