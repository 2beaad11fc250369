// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/CombinationDraw.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"

#include <utility>

namespace headroom::config {
namespace {

constexpr int kTinyUnit = 8;
constexpr int kMiddleUnit = 64;
// For one configuration: where none of so many works, none does.
constexpr int kMostDraws = 10000;
constexpr int kMostDrawsWith = 200;

/// One way to set a technique.
struct DrawnSetting {
    std::string notation;
    ValueMap options{};
};

// Something of every form. A technique that is not here fails the draw: it would never be compared.
const std::map<std::string, std::vector<DrawnSetting>>& drawnSettings()
{
    static const std::map<std::string, std::vector<DrawnSetting>> all{
        {"trainable", {{"lora:2"}, {"lora:4"}, {"none"}}},
        {"optimizer", {{"adamw"}, {"adamw:foreach"}, {"adamw:fused"}, {"sgd:foreach"}, {"sgd:fused"}}},
        {"casting",
            {{"e4m3"}, {"e5m2:group"}, {"e4m3:block"}, {"bf16:model"}, {"fp16"}, {"e4m3", {{"recompute_casts", true}}},
                {"e4m3:block", {{"prefetch", true}}}}},
        {"offload", {{"block:1"}, {"block:2"}, {"leaf"}, {"model"}, {"block:1+stream"}, {"leaf+stream"}}},
        {"split_ffn", {{"2"}, {"4"}, {"2:recompute"}, {"tokens:2"}, {"4", {{"accumulate", "out_of_place"}}}}},
        {"checkpointing",
            {{"all"}, {"every:2"}, {"except:2"}, {"blocks:0"}, {"ops"}, {"ops:mm/2"}, {"all+offload"},
                {"every:2+offload"}}},
        {"attention", {{"math"}, {"flash"}, {"efficient"}}},
        {"ema", {{"device"}, {"host"}, {"host:async"}, {"host:cpu"}}},
        {"loss_readback", {{"per_update"}, {"every_step"}}},
        {"input_transfer", {{"pageable"}, {"pinned"}}},
    };
    return all;
}

void chooseDrawn(Configuration& configuration, const std::string& key, const DrawnSetting& drawn)
{
    configuration.techniques[key] =
        makeSetting(findTechnique(key, ""), drawn.notation, drawn.options, "techniques." + key);
}

// Which no training step can: it takes a frozen base.
bool trainsCastWeights(const Configuration& configuration)
{
    return configuration.workload.step != StepKind::Inference
        && configuration.techniques.at("casting").notation != "off"
        && configuration.techniques.at("trainable").notation == "all";
}

bool isFeedForwardStack(const std::string& model)
{
    return model.starts_with("ffn-stack");
}

} // namespace

std::vector<std::string> tinyModels()
{
    std::vector<std::string> names;
    for (const std::string& name : modelNames())
        if (name.ends_with("-tiny"))
            names.push_back(name);
    return names;
}

std::vector<DrawnModel> tinyDraw()
{
    std::vector<DrawnModel> models;
    for (const std::string& name : tinyModels())
        models.push_back({name, {}, {}, kTinyUnit});
    return models;
}

std::vector<DrawnModel> middleDraw()
{
    return {
        {"ffn-stack", {}, {}, kMiddleUnit},
        {"ltx-video-2b", {{"num_attention_heads", 8}, {"caption_channels", 1024}},
            {{"frames", 17}, {"height", 256}, {"width", 384}}, kMiddleUnit},
        {"flux-dev", {{"num_attention_heads", 4}, {"joint_attention_dim", 1024}},
            {{"height", 256}, {"width", 256}, {"text_tokens", 64}}, kMiddleUnit},
        {"wan-2.1-1.3b", {{"num_attention_heads", 4}, {"ffn_dim", 2048}, {"text_dim", 1024}},
            {{"frames", 9}, {"height", 128}, {"width", 192}, {"text_tokens", 64}}, kMiddleUnit},
        {"cogvideox-2b", {{"num_attention_heads", 8}, {"text_embed_dim", 1024}},
            {{"frames", 9}, {"height", 96}, {"width", 128}}, kMiddleUnit},
        {"llama-2-7b",
            {{"hidden_size", 512}, {"intermediate_size", 1376}, {"num_attention_heads", 8}, {"num_key_value_heads", 8},
                {"vocab_size", 4096}},
            {}, kMiddleUnit},
        {"t5-v1.1-xxl", {{"d_model", 512}, {"d_ff", 1024}, {"num_heads", 8}, {"vocab_size", 4096}}, {}, kMiddleUnit},
    };
}

DrawnModel drawnModel(const std::string& name, const std::string& where)
{
    const ModelDescriptor model = findModel(name, where);
    return {model.name, {}, {}, model.name.ends_with("-tiny") ? kTinyUnit : 0};
}

CombinationDraw::CombinationDraw(unsigned seed, std::vector<DrawnModel> models)
    : m_random(seed)
    , m_models(std::move(models))
{
}

void CombinationDraw::drawFields(const DrawnModel& model, Configuration& configuration)
{
    for (const auto& [name, value] : model.fields)
        configuration.modelFields[name] = value;
    if (model.unit == 0)
        return;
    for (const char* count : {"num_layers", "num_single_layers", "num_hidden_layers"})
        if (configuration.modelFields.contains(count))
            configuration.modelFields[count] = static_cast<std::int64_t>(2 + below(3));
}

void CombinationDraw::drawWidths(const DrawnModel& model, Configuration& configuration)
{
    if (model.unit == 0 || !isFeedForwardStack(model.name))
        return;
    configuration.modelFields["dim"] = model.unit * static_cast<int>(2 + below(6));
    configuration.modelFields["mult"] = 4;
}

// The order of the draws is part of what a seed means. An exported model has one number format, and may lack a batch.
Workload CombinationDraw::drawWorkload(const DrawnModel& model)
{
    const ModelDescriptor descriptor = findModel(model.name, "");
    const char* const steps[]{"inference", "forward_backward", "train"};
    const char* const dtypes[]{"float32", "bfloat16"};
    const auto& losses = descriptor.family->losses;
    ValueMap workload = model.shapes;
    workload["step"] = steps[below(3)];
    workload["dtype"] = dtypes[below(2)];
    if (descriptor.family->hasFixedDtype)
        workload["dtype"] = toText(descriptor.publishedDtype);
    if (const auto batch = static_cast<int>(1 + below(2)); descriptor.shapes.find("batch") != nullptr)
        workload["batch"] = batch;
    workload["accumulate"] = static_cast<int>(1 + below(2));
    workload["loss"] = toText(losses[below(losses.size())]);
    return makeWorkload(workload, descriptor.shapes, "workload");
}

Configuration CombinationDraw::plain(const DrawnModel& model)
{
    Configuration configuration = defaultConfiguration(model.name, "");
    drawFields(model, configuration);
    configuration.workload = drawWorkload(model);
    drawWidths(model, configuration);
    ValueMap& shapes = configuration.workload.shapes;
    if (model.unit > 0 && shapes.contains("sequence_length"))
        shapes["sequence_length"] = model.unit * static_cast<int>(2 + below(8));
    return configuration;
}

void CombinationDraw::turnOn(Configuration& configuration, const std::string& key)
{
    const auto& ways = drawnSettings().at(key);
    chooseDrawn(configuration, key, ways[below(ways.size())]);
}

Configuration CombinationDraw::next()
{
    const std::vector<std::string> keys = techniqueKeys();
    for (int attempt = 0; attempt < kMostDraws; ++attempt) {
        Configuration configuration = plain(m_models[below(m_models.size())]);
        for (const std::string& key : keys)
            if (below(5) < 2)
                turnOn(configuration, key);
        if (!isBaseline(configuration) && conflicts(configuration).empty())
            return configuration;
    }
    throw UsageError(
        "no combination of techniques works with any of these models", "model.name", "models of `headroom models`");
}

std::optional<Configuration> CombinationDraw::nextWith(const std::vector<std::string>& keys, const std::string& model)
{
    const DrawnModel drawn = drawnModel(model, "");
    for (int attempt = 0; attempt < kMostDrawsWith; ++attempt) {
        Configuration configuration = plain(drawn);
        for (const std::string& key : keys)
            turnOn(configuration, key);
        if (trainsCastWeights(configuration))
            chooseDrawn(configuration, "trainable", {"lora:2"});
        if (conflicts(configuration).empty())
            return configuration;
    }
    return std::nullopt;
}

} // namespace headroom::config
