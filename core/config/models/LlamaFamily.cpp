// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/LlamaFamily.h"

#include "core/base/Error.h"
#include "core/config/LossChunks.h"
#include "core/config/models/ClosedForms.h"

namespace headroom::config {
namespace {

std::int64_t queryWidth(const ValueMap& fields)
{
    return integerOf(fields, "num_attention_heads") * llamaHeadDim(fields);
}

std::int64_t keyWidth(const ValueMap& fields)
{
    return integerOf(fields, "num_key_value_heads") * llamaHeadDim(fields);
}

std::int64_t llamaBlockParameters(const ValueMap& fields)
{
    const std::int64_t hidden = integerOf(fields, "hidden_size");
    const std::int64_t inner = integerOf(fields, "intermediate_size");
    const bool attentionBias = fields.at("attention_bias").boolean();
    const bool mlpBias = fields.at("mlp_bias").boolean();
    const std::int64_t norms = 2 * hidden;
    return norms + linearParameters(hidden, queryWidth(fields), attentionBias)
        + 2 * linearParameters(hidden, keyWidth(fields), attentionBias)
        + linearParameters(queryWidth(fields), hidden, attentionBias) + 2 * linearParameters(hidden, inner, mlpBias)
        + linearParameters(inner, hidden, mlpBias);
}

std::int64_t llamaParameters(const ValueMap& fields)
{
    const std::int64_t hidden = integerOf(fields, "hidden_size");
    const std::int64_t vocabulary = hidden * integerOf(fields, "vocab_size");
    return 2 * vocabulary + integerOf(fields, "num_hidden_layers") * llamaBlockParameters(fields) + hidden;
}

std::int64_t llamaTokens(const ValueMap& shapes)
{
    return integerOf(shapes, "batch") * integerOf(shapes, "sequence_length");
}

// Scores and values are counted as whole products: as is customary, what the causal mask hides is included.
double llamaBlockFlops(const ValueMap& fields, const ValueMap& shapes)
{
    const std::int64_t hidden = integerOf(fields, "hidden_size");
    const std::int64_t all = llamaTokens(shapes);
    const double projections =
        2 * productFlops(all, hidden, queryWidth(fields)) + 2 * productFlops(all, hidden, keyWidth(fields));
    const double attention = 2 * productFlops(all, queryWidth(fields), integerOf(shapes, "sequence_length"));
    return projections + attention + 3 * productFlops(all, hidden, integerOf(fields, "intermediate_size"));
}

// The backward pass computes two products for each of the forward pass: the first block's input needs a gradient too,
// for the embedding.
double llamaFlopsPerStep(const ValueMap& fields, const ValueMap& shapes, StepKind step)
{
    const double forward = static_cast<double>(integerOf(fields, "num_hidden_layers")) * llamaBlockFlops(fields, shapes)
        + productFlops(llamaTokens(shapes), integerOf(fields, "hidden_size"), integerOf(fields, "vocab_size"));
    return step == StepKind::Inference ? forward : 3 * forward;
}

std::vector<std::string> llamaLinears(const ValueMap& fields)
{
    std::vector<std::string> names{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"};
    if (fields.at(kFusedProjections).boolean())
        names = {"self_attn.qkv_proj"};
    for (const char* name : {"self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"})
        names.emplace_back(name);
    std::vector<std::string> paths;
    for (std::int64_t block = 0; block < integerOf(fields, "num_hidden_layers"); ++block)
        for (const std::string& name : names)
            paths.push_back("model.layers." + std::to_string(block) + "." + name);
    paths.push_back("lm_head");
    return paths;
}

std::vector<Problem> llamaFieldProblems(const ValueMap& fields)
{
    std::vector<Problem> found;
    const std::int64_t hidden = integerOf(fields, "hidden_size");
    const std::int64_t heads = integerOf(fields, "num_attention_heads");
    const std::int64_t shared = integerOf(fields, "num_key_value_heads");
    if (heads % shared != 0)
        found.push_back(fieldProblem(
            fields, "num_key_value_heads", " does not divide num_attention_heads = " + std::to_string(heads)));
    if (fields.at("head_dim").isNull() && hidden % heads != 0)
        found.push_back(fieldProblem(fields, "num_attention_heads",
            " does not divide hidden_size = " + std::to_string(hidden) + ", and head_dim is not given"));
    else if (llamaHeadDim(fields) % 2 != 0)
        found.emplace_back("head_dim = " + std::to_string(llamaHeadDim(fields))
                + " (hidden_size / num_attention_heads if not given) must be even, for the rotary embedding's pairs",
            "model.head_dim");
    if (fields.at("tie_word_embeddings").boolean())
        found.push_back(
            fieldProblem(fields, "tie_word_embeddings", " is not supported: lm_head has a weight of its own"));
    return found;
}

// The upper limits keep all counts of parameters, bytes and tokens far inside 64 bits.
std::vector<Field> llamaFields()
{
    return {
        countField("hidden_size", 4096, "width of the hidden states", 131072),
        countField("intermediate_size", 11008, "inner width of the feed-forwards", 1048576),
        countField("num_hidden_layers", 32, "transformer blocks", 4096),
        countField("num_attention_heads", 32, "query heads", 1024),
        countField("num_key_value_heads", 32,
            "key and value heads, each shared by as many query heads as there are more", 1024),
        {.name = "head_dim",
            .type = FieldType::Integer,
            .defaultValue = {},
            .help = "channels of one head; hidden_size / num_attention_heads if not given",
            .minimum = 1,
            .maximum = 4096},
        countField("vocab_size", 32000, "tokens of the vocabulary", 4194304),
        {.name = "hidden_act",
            .type = FieldType::Choice,
            .defaultValue = "silu",
            .help = "function of the feed-forwards' gate",
            .choices = {"silu"}},
        realField("rope_theta", 10000, "base of the rotary embedding's wavelengths", 1, 1e12),
        realField("rms_norm_eps", 1e-5, "epsilon of the norms", 0, 1),
        flagField("attention_bias", false, "biases of the attention's four projections"),
        flagField(kFusedProjections, false,
            "one Linear (qkv_proj) for queries, keys and values, as in Phi-3's and LitGPT's models; upstream's files "
            "of "
            "weights have three"),
        flagField("mlp_bias", false, "biases of the feed-forwards' three Linears"),
        flagField(kRepeatKeyValues, false,
            "copies of key and value heads for each of their query heads, as older trainers make them; else attention "
            "shares them where there is no mask"),
        flagField("tie_word_embeddings", false, "one weight for embedding and head; not supported"),
        realField("initializer_range", 0.02, "standard deviation of fresh weights", 0, 10),
    };
}

std::vector<Field> llamaShapes()
{
    return {
        countField("batch", 1, "sequences per step", 1048576),
        countField("sequence_length", 4096, "tokens per sequence", 16777216),
        {.name = kLossChunks,
            .type = FieldType::Integer,
            .defaultValue = 1,
            .help = "pieces of each sequence for which a step that trains computes the last product and the "
                    "cross entropy, one after the other",
            .minimum = 1,
            .maximum = 16777216,
            .asksForTraining = [](const Value& chunks) { return chunks != Value(1); }},
        {.name = kFusedLoss,
            .type = FieldType::Boolean,
            .defaultValue = false,
            .help =
                "whether a step that trains computes the last product, the cross entropy and their gradients in one "
                "go, for some tokens after the other, and keeps no logits (fused linear cross entropy)",
            .asksForTraining = [](const Value& fused) { return fused.boolean(); }},
    };
}

std::vector<ModelVariant> llamaVariants()
{
    return {
        {"llama-2-7b", "Llama 2, 7B parameters", {}, {}},
        {"llama-2-13b", "Llama 2, 13B parameters",
            {{"hidden_size", 5120}, {"intermediate_size", 13824}, {"num_hidden_layers", 40},
                {"num_attention_heads", 40}, {"num_key_value_heads", 40}},
            {}},
        {"llama-3-8b", "Llama 3, 8B parameters, key and value heads shared by four",
            {{"intermediate_size", 14336}, {"num_key_value_heads", 8}, {"vocab_size", 128256},
                {"rope_theta", 500000.0}},
            {{"sequence_length", 8192}}},
        {"llama-tiny", "Llama for tests (2 blocks, 4 heads of 4 channels, 2 of keys and values)",
            {{"hidden_size", 16}, {"intermediate_size", 24}, {"num_hidden_layers", 2}, {"num_attention_heads", 4},
                {"num_key_value_heads", 2}, {"vocab_size", 48}},
            {{"batch", 2}, {"sequence_length", 6}}, {"llama-2-tiny", "llama-3-tiny"}},
    };
}

bool says(const ValueMap& entries, const char* key)
{
    const auto found = entries.find(key);
    return found != entries.end() && !found->second.isNull();
}

// If the number of key and value heads is missing, there is one for each query head. A head width that follows from the
// other fields need not be given.
void followHeads(ValueMap& fields, const ValueMap& entries, const std::string& where)
{
    const std::int64_t heads = fields.at("num_attention_heads").integer();
    if (!says(entries, "num_key_value_heads"))
        fields.at("num_key_value_heads") = heads;
    if (fields.at("hidden_size").integer() % heads == 0
        && fields.at("head_dim") == Value(fields.at("hidden_size").integer() / heads))
        fields.at("head_dim") = {};
    if (fields.at("tie_word_embeddings").boolean())
        throw UsageError("found true, which is not supported", where + ": tie_word_embeddings", "false");
}

// Old files have rope_theta beside the other keys, new ones in an object; some have both.
void requireOneTheta(const ValueMap& entries, const std::string& where)
{
    constexpr const char* kNew = "rope_parameters.rope_theta";
    const auto number = [](const Value& value) {
        return value.isInteger() ? static_cast<double>(value.integer()) : value.real();
    };
    if (says(entries, "rope_theta") && says(entries, kNew)
        && number(entries.at("rope_theta")) != number(entries.at(kNew)))
        throw UsageError(
            "found " + toToml(entries.at(kNew)) + " beside rope_theta = " + toToml(entries.at("rope_theta")),
            where + ": " + kNew, "the same number");
}

void settled(ValueMap& fields, const ValueMap& entries, const std::string& where)
{
    requireOneTheta(entries, where);
    followHeads(fields, entries, where);
}

UpstreamClass causalModel()
{
    UpstreamClass model;
    model.name = "LlamaForCausalLM";
    model.modelType = "llama";
    model.defaults = {{"rms_norm_eps", 1e-6}};
    model.renamed = {{"rope_parameters.rope_theta", "rope_theta"}};
    model.harmless = {"bos_token_id", "dtype", "eos_token_id", "max_position_embeddings", "pad_token_id", "torch_dtype",
        "transformers_version", "use_cache"};
    model.fixed = {{"attention_dropout", {0.0, 0}}, {"pretraining_tp", {1}}, {"rope_parameters.rope_type", {"default"}},
        {"rope_scaling", {Value()}}, {"rope_scaling.rope_type", {"default"}}, {"rope_scaling.type", {"default"}}};
    model.nullable = {"num_key_value_heads", "rope_parameters"};
    model.settle = settled;
    return model;
}

// transformers' LlamaForCausalLM.
UpstreamFamily llamaUpstream()
{
    using enum UpstreamInput::Presence;
    return {.classes = {causalModel()},
        .inputs = {{"input_ids", InputForm::AsGiven}, {"attention_mask", InputForm::AsGiven, Optional},
            {"position_ids", InputForm::AsGiven, Optional}},
        .weights = {.ignored = {R"(rotary_emb\.inv_freq$)"}}};
}

} // namespace

std::int64_t llamaHeadDim(const ValueMap& fields)
{
    const Value& given = fields.at("head_dim");
    return given.isNull() ? integerOf(fields, "hidden_size") / integerOf(fields, "num_attention_heads")
                          : given.integer();
}

ModelFamily llamaFamily()
{
    ModelFamily family;
    family.name = "llama";
    family.title = "Llama language model";
    family.fields = FieldSet(llamaFields());
    family.shapes = FieldSet(llamaShapes());
    family.variants = llamaVariants();
    // Meta's own files are bfloat16. The Hub's conversions of Llama 2 are float16, but transformers' page on them says
    // that they were trained in bfloat16 and should be trained in it, as float16 produces NaN.
    family.publishedDtype = Dtype::BFloat16;
    family.shapeWords = {"batch {batch}", "sequences of {sequence_length}"};
    family.losses.push_back(Loss::CrossEntropy);
    family.defaultLoss = Loss::CrossEntropy;
    family.fieldProblems = llamaFieldProblems;
    family.problems = [](const ValueMap& f, const ValueMap&) { return llamaFieldProblems(f); };
    family.parameters = llamaParameters;
    family.flopsPerStep = llamaFlopsPerStep;
    family.tokensPerStep = llamaTokens;
    family.blocks = [](const ValueMap& f) { return static_cast<int>(integerOf(f, "num_hidden_layers")); };
    family.feedForwardWidths = [](const ValueMap& f) {
        return std::vector<std::int64_t>{integerOf(f, "intermediate_size")};
    };
    family.linears = llamaLinears;
    family.adapterTargets = {"q_proj", "v_proj"};
    family.feedForwardTokens = llamaTokens;
    family.upstream = llamaUpstream();
    return family;
}

} // namespace headroom::config
