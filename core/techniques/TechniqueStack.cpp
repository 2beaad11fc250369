// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/TechniqueStack.h"

#include "core/config/Error.h"
#include "core/techniques/Checkpointing.h"
#include "core/techniques/SplitFfn.h"

namespace headroom::techniques {
namespace {

template <typename T> TechniqueFactory factory(const char* key)
{
    return {key, [](const config::TechniqueSetting& setting) { return std::make_unique<T>(setting); }};
}

} // namespace

const std::vector<TechniqueFactory>& techniqueFactories()
{
    static const std::vector<TechniqueFactory> factories{
        factory<SplitFfn>("split_ffn"), factory<Checkpointing>("checkpointing")};
    return factories;
}

TechniqueStack::TechniqueStack(const config::Configuration& configuration)
{
    const auto reasons = config::conflicts(configuration);
    if (!reasons.empty())
        throw UsageError(reasons.front(), "techniques");
    for (const TechniqueFactory& technique : techniqueFactories())
        m_techniques.emplace_back(technique.key, technique.make(configuration.techniques.at(technique.key)));
}

void TechniqueStack::apply(models::Model& model)
{
    for (const auto& [key, technique] : m_techniques)
        technique->apply(model);
}

void TechniqueStack::beginStep()
{
    for (const auto& [key, technique] : m_techniques)
        technique->beginStep();
}

std::map<std::string, Counters> TechniqueStack::counters() const
{
    std::map<std::string, Counters> result;
    for (const auto& [key, technique] : m_techniques)
        result[key] = technique->counters();
    return result;
}

std::map<std::string, std::string> TechniqueStack::effective() const
{
    std::map<std::string, std::string> result;
    for (const auto& [key, technique] : m_techniques)
        result[key] = technique->effective();
    return result;
}

} // namespace headroom::techniques
