// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/comparisons/TechniqueComparison.h"

#include "core/config/catalogue/Catalogue.h"
#include "tests/core/config/TinyModels.h"
#include "tests/profiling/comparisons/TrialRun.h"
#include "tests/support/Configurations.h"

#include <map>

namespace headroom::collectors {
namespace {

using config::ValueMap;

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
