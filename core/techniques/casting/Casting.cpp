// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/casting/Casting.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/layers/Embedding.h"
#include "core/tensor/DeviceContext.h"

namespace headroom::techniques {
namespace {

using Granularity = config::CastingNotation::Granularity;
using Storage = config::CastingNotation::Storage;
using Load = config::CastingOptions::Load;

c10::ScalarType storageType(Storage storage)
{
    switch (storage) {
    case Storage::E5m2:
        return at::kFloat8_e5m2;
    case Storage::BFloat16:
        return at::kBFloat16;
    case Storage::Float16:
        return at::kHalf;
    case Storage::None:
    case Storage::E4m3:
        break;
    }
    return at::kFloat8_e4m3fn;
}

CastRules rulesOf(const config::CastingNotation& casting, const config::CastingOptions& options,
    const config::Configuration& configuration)
{
    const config::ModelFamily& family = *config::findModel(configuration.model, "model.name").family;
    CastRules rules;
    rules.storage = storageType(casting.storage);
    rules.compute = tensor::scalarType(options.compute.value_or(configuration.workload.dtype));
    rules.granularity = casting.granularity;
    rules.skipPatterns = config::castingSkipPatterns(casting, options, family);
    rules.skipClasses = options.skipClasses;
    return rules;
}

// Blocks of a model of the zoo; any other module has none.
std::vector<torch::nn::Module*> blocksOf(torch::nn::Module& module)
{
    auto* model = dynamic_cast<models::Model*>(&module);
    return model == nullptr ? std::vector<torch::nn::Module*>() : model->blocks();
}

const char* wordsFor(Granularity granularity)
{
    switch (granularity) {
    case Granularity::Layer:
        return "layer by layer";
    case Granularity::Group:
        return "group by group";
    case Granularity::Block:
        return "block by block";
    case Granularity::Model:
        break;
    }
    return "all at once";
}

} // namespace

Casting::Casting(const config::TechniqueSetting& setting, const config::Configuration& configuration)
    : m_casting(config::parseCasting(setting.notation, "techniques.casting"))
    , m_options(config::castingOptions(setting.options))
    , m_workloadType(tensor::scalarType(configuration.workload.dtype))
    , m_rules(rulesOf(m_casting, m_options, configuration))
    , m_trained(configuration.workload.step == config::StepKind::Inference ? CastRules::Trained::CastToo
                                                                           : CastRules::Trained::LeftAlone)
{
}

models::ModuleLoaded Casting::loadHook()
{
    if (isOff() || m_options.load != Load::Direct)
        return {};
    return [this](const std::string& path, torch::nn::Module& module) { storeLoaded(path, module); };
}

// The root comes first, with all its modules. What is not trained is not known yet: what is loaded is the base.
void Casting::planLoading(torch::nn::Module& model)
{
    m_loading.clear();
    for (CastUnit& unit : castUnits(model, blocksOf(model), m_rules))
        for (CastModule& module : unit.modules)
            m_loading[module.module] = std::move(module);
}

void Casting::storeLoaded(const std::string& path, torch::nn::Module& module)
{
    if (path.empty())
        planLoading(module);
    if (const auto found = m_loading.find(&module); found != m_loading.end())
        m_stored += store(found->second, m_rules.storage);
}

// Of a model whose weights are all trained none is cast; of one without modules to cast none can be.
void Casting::requireUnits(models::Model& model) const
{
    if (castUnits(model, blocksOf(model), m_rules).empty())
        throw UsageError("finds no weights to cast: "
                + std::string(m_casting.granularity == Granularity::Group
                        ? "no feed-forward or embedding of time steps is a module of its own"
                        : "there is no Linear, convolution or embedding that no pattern skips"),
            "techniques.casting", "another granularity, other patterns, off");
}

StepHooks Casting::apply(models::Model& model)
{
    if (isOff())
        return {};
    m_loading.clear();
    CastRules rules = m_rules;
    rules.trained = m_trained;
    const std::vector<CastUnit> units = castUnits(model, blocksOf(model), rules);
    if (units.empty())
        requireUnits(model);
    {
        const tensor::MemoryScope category(config::MemoryCategory::Weights);
        m_stored += store(units, rules.storage);
    }
    if (m_casting.granularity == Granularity::Model)
        for (const auto& module : model.modules())
            if (auto* embedding = dynamic_cast<models::Embedding*>(module.get()))
                embedding->giveIn(rules.compute);
    const UpcastOptions options{m_options.recomputeCasts ? BackwardCopies::CastAgain : BackwardCopies::Kept,
        m_options.prefetch ? UpcastAhead::Yes : UpcastAhead::No};
    m_layers = std::make_unique<LayerwiseCasting>(model, units, rules, options, m_count);
    return stepHooks();
}

// Where the whole model computes in another type than the workload's, so do its inputs.
StepHooks Casting::stepHooks()
{
    StepHooks hooks{
        .beginStep = [this] { *m_count = {}; }, .microStepDone = [this](const at::Tensor&) { m_layers->release(); }};
    if (m_casting.granularity == Granularity::Model && m_rules.compute != m_workloadType)
        hooks.prepareInputs = [this](models::Inputs& inputs) { castInputs(inputs); };
    return hooks;
}

void Casting::castInputs(models::Inputs& inputs) const
{
    const tensor::MemoryScope technique(config::kCastingKey);
    const tensor::MemoryScope category(config::MemoryCategory::Inputs);
    for (auto& [name, input] : inputs)
        if (input.scalar_type() == m_workloadType)
            input = input.to(m_rules.compute);
}

Counters Casting::counters() const
{
    return {{"layers_cast", m_stored.layers}, {"stored_bytes", m_stored.bytes}, {"casts", m_count->casts},
        {"cast_bytes", m_count->castBytes}, {"stream_syncs", m_count->streamSyncs},
        {"values_clipped", m_stored.clipped}};
}

bool Casting::countRepeated(const RepeatedBlock& block)
{
    m_count->casts += block.counted.at("casts");
    m_count->castBytes += block.counted.at("cast_bytes");
    m_count->streamSyncs += block.counted.at("stream_syncs");
    return true;
}

std::string Casting::effective() const
{
    if (isOff())
        return "off";
    if (m_stored.layers == 0 && m_count->casts == 0)
        return "nothing cast";
    std::string text = (m_stored.layers == 0 ? std::string("weights as they were, ")
                                             : std::to_string(m_stored.layers) + " layers stored as ")
        + std::string(c10::toString(m_rules.storage)) + ", upcast to " + c10::toString(m_rules.compute) + " "
        + wordsFor(m_casting.granularity);
    if (m_options.prefetch)
        text += ", the next ones ahead";
    if (m_trained == CastRules::Trained::LeftAlone && m_options.recomputeCasts)
        text += ", again in the backward pass";
    if (m_stored.clipped > 0)
        text += "; " + std::to_string(m_stored.clipped) + " values clipped";
    return text;
}

} // namespace headroom::techniques
