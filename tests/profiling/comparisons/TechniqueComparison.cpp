// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/comparisons/TechniqueComparison.h"

#include "tests/core/config/TinyModels.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/support/Configurations.h"

#include <map>

namespace headroom::collectors {
namespace {

using config::Value;
using config::ValueMap;

/// One way to set a technique.
struct Choice {
    std::string notation;
    ValueMap options{};
};

// Something of every form. A technique that is not here fails the draw: it would never be compared.
const std::map<std::string, std::vector<Choice>>& choices()
{
    static const std::map<std::string, std::vector<Choice>> all{
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

const Notations kInference[]{{}, {{"casting", "e4m3"}}, {{"casting", "e5m2:group"}, {"split_ffn", "4"}},
    {{"offload", "block:1+stream"}}, {{"offload", "leaf"}, {"attention", "math"}}, {{"split_ffn", "tokens:2"}}};

config::Configuration configured(const config::ModelDescriptor& model, const ValueMap& workload, Notations techniques)
{
    if (!model.family->hasAttention)
        techniques.erase("attention");
    return configurationOf(model.name, techniques, {}, workload);
}

std::string wordsOf(const config::Configuration& configuration)
{
    std::string words =
        config::toText(configuration.workload.step) + ", " + config::toText(configuration.workload.dtype);
    for (const auto& [name, value] : configuration.workload.shapes)
        words += ", " + name + " " + config::toLabel(value);
    return words;
}

// The label with its parts between commas, as a bar would end the cell of a table.
std::string techniquesOf(const config::Configuration& configuration)
{
    std::string label = config::techniqueLabel(configuration);
    for (std::size_t at = label.find(" | "); at != std::string::npos; at = label.find(" | ", at))
        label.replace(at, 3, ", ");
    return label;
}

// Which no training step can: it takes a frozen base.
bool trainsCastWeights(const config::Configuration& configuration)
{
    return configuration.workload.step != config::StepKind::Inference
        && configuration.techniques.at("casting").notation != "off"
        && configuration.techniques.at("trainable").notation == "all";
}

Bytes hostBytes(const protocol::MemoryFigures& figures)
{
    return figures.hostPinned.value_or(0) + figures.hostPageable.value_or(0);
}

} // namespace

const std::vector<Notations>& trainingCombinations()
{
    static const std::vector<Notations> combinations{{}, {{"checkpointing", "all"}},
        {{"checkpointing", "every:2"}, {"split_ffn", "4"}},
        {{"casting", "e4m3"}, {"trainable", "lora:2"}, {"checkpointing", "all"}},
        {{"offload", "block:1"}, {"ema", "host"}, {"optimizer", "adamw"}},
        {{"checkpointing", "ops"}, {"attention", "math"}, {"split_ffn", "2:recompute"}}};
    return combinations;
}

config::Configuration CombinationDraw::plain(const std::string& model)
{
    const config::ModelDescriptor descriptor = config::findModel(model, "");
    config::Configuration configuration = config::defaultConfiguration(model, "");
    const char* const steps[]{"inference", "forward_backward", "train"};
    const char* const dtypes[]{"float32", "bfloat16"};
    const auto& losses = descriptor.family->losses;
    for (const char* count : {"num_layers", "num_single_layers", "num_hidden_layers"})
        if (configuration.modelFields.contains(count))
            configuration.modelFields[count] = static_cast<std::int64_t>(2 + below(3));
    ValueMap workload{{"step", steps[below(3)]}, {"dtype", dtypes[below(2)]}, {"batch", static_cast<int>(1 + below(2))},
        {"accumulate", static_cast<int>(1 + below(2))}, {"loss", config::toText(losses[below(losses.size())])}};
    if (model.starts_with("ffn-stack"))
        for (const auto& [name, value] : ValueMap{{"dim", 8 * static_cast<int>(2 + below(6))}, {"mult", 4}})
            configuration.modelFields[name] = value;
    if (descriptor.shapes.find("sequence_length") != nullptr)
        workload["sequence_length"] = 8 * static_cast<int>(2 + below(8));
    configuration.workload = workloadOf(model, workload);
    return configuration;
}

void CombinationDraw::turnOn(config::Configuration& configuration, const std::string& key)
{
    const auto& ways = choices().at(key);
    const Choice& choice = ways[below(ways.size())];
    choose(configuration, key, choice.notation, choice.options);
}

config::Configuration CombinationDraw::next()
{
    const std::vector<std::string> models = tinyModels();
    for (;;) {
        config::Configuration configuration = plain(models[below(models.size())]);
        for (const std::string& key : config::techniqueKeys())
            if (below(5) < 2)
                turnOn(configuration, key);
        if (!config::isBaseline(configuration) && config::conflicts(configuration).empty())
            return configuration;
    }
}

std::optional<config::Configuration> CombinationDraw::nextWith(
    const std::vector<std::string>& keys, const std::string& model)
{
    for (int attempt = 0; attempt < 200; ++attempt) {
        config::Configuration configuration = plain(model);
        for (const std::string& key : keys)
            turnOn(configuration, key);
        if (trainsCastWeights(configuration))
            choose(configuration, "trainable", "lora:2");
        if (config::conflicts(configuration).empty())
            return configuration;
    }
    return std::nullopt;
}

ComparedCombination compareCombination(const config::Configuration& configuration)
{
    ComparedCombination compared{configuration.model, wordsOf(configuration), techniquesOf(configuration)};
    const auto peakOn = [&](const char* device) {
        config::Trial trial = trialOfModel(configuration.model, device, {}, {});
        trial.configuration = configuration;
        const protocol::RepeatResult result = measured(trial);
        if (result.outcome != Outcome::Completed)
            compared.reason = std::string(device) + ": " + result.reason;
        return result.memory.peak;
    };
    const protocol::MemoryFigures real = peakOn("cpu");
    const protocol::MemoryFigures simulated = peakOn("sim:cpu");
    compared.measuredBytes = real.allocated.value_or(-1);
    compared.simulatedBytes = simulated.allocated.value_or(-1);
    compared.measuredHostBytes = hostBytes(real);
    compared.simulatedHostBytes = hostBytes(simulated);
    return compared;
}

std::vector<config::Configuration> familyCombinations()
{
    std::vector<config::Configuration> result;
    for (const std::string& name : tinyModels()) {
        const config::ModelDescriptor model = config::findModel(name, "");
        const std::string loss = config::toText(model.family->losses.back());
        for (const char* dtype : {"float32", "bfloat16"}) {
            for (const Notations& techniques : trainingCombinations())
                result.push_back(configured(model, {{"step", "train"}, {"dtype", dtype}, {"loss", loss}}, techniques));
            for (const Notations& techniques : kInference)
                result.push_back(configured(model, {{"step", "inference"}, {"dtype", dtype}}, techniques));
        }
    }
    return result;
}

std::vector<ComparedCombination> compareCombinations(unsigned seed, int count)
{
    CombinationDraw draw(seed);
    std::vector<ComparedCombination> result;
    for (int i = 0; i < count; ++i)
        result.push_back(compareCombination(draw.next()));
    return result;
}

} // namespace headroom::collectors
