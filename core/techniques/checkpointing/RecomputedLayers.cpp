// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/checkpointing/RecomputedLayers.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Field.h"
#include "core/models/layers/Linear.h"

#include <algorithm>

namespace headroom::techniques {
namespace {

std::string pathOf(models::Model& model, const torch::nn::Module* module)
{
    for (const auto& item : model.named_modules({}, /*include_self=*/false))
        if (item.value().get() == module)
            return item.key();
    return {};
}

void addOnce(std::vector<std::string>& names, const std::string& name)
{
    if (std::ranges::find(names, name) == names.end())
        names.push_back(name);
}

bool isPartOf(const std::string& name, const std::string& path)
{
    return path.find(name) != std::string::npos;
}

} // namespace

RecomputedLayers::RecomputedLayers(models::Model& model, const std::vector<std::string>& names)
    : m_shapes(static_cast<std::size_t>(model.blockCount()))
{
    if (names.empty())
        return;
    collect(model);
    for (const std::string& name : names)
        choose(name);
}

void RecomputedLayers::collect(models::Model& model)
{
    const std::vector<torch::nn::Module*> blocks = model.blocks();
    for (std::size_t block = 0; block < blocks.size(); ++block) {
        const std::string path = pathOf(model, blocks[block]);
        for (const auto& item : blocks[block]->named_modules({}, /*include_self=*/false)) {
            const std::string full = path + "." + item.key();
            if (const auto* linear = dynamic_cast<const models::Linear*>(item.value().get()))
                m_layers.push_back({static_cast<std::int64_t>(block), full, item.key(),
                    {linear->weight.size(1), linear->weight.size(0)}});
            else
                m_otherModules.push_back(full);
        }
    }
}

void RecomputedLayers::choose(const std::string& name)
{
    bool isFound = false;
    for (const Layer& layer : m_layers)
        if (isPartOf(name, layer.path)) {
            m_shapes[static_cast<std::size_t>(layer.block)].push_back(layer.shape);
            addOnce(m_chosen, layer.pathInBlock);
            isFound = true;
        }
    if (isFound)
        return;
    const auto other =
        std::ranges::find_if(m_otherModules, [&](const std::string& path) { return isPartOf(name, path); });
    std::vector<std::string> valid;
    for (const Layer& layer : m_layers)
        addOnce(valid, layer.pathInBlock);
    throw UsageError("\"" + name + "\" is part of no linear layer's path in the blocks"
            + (other == m_otherModules.end() ? "" : "; " + *other + " is no linear layer"),
        "techniques.checkpointing.force_recompute", "parts of " + joined(valid));
}

const std::vector<OperandShape>& RecomputedLayers::shapesOf(std::int64_t block) const
{
    return m_shapes.at(static_cast<std::size_t>(block));
}

std::vector<std::string> RecomputedLayers::caught() const
{
    std::vector<std::string> paths;
    for (const Layer& layer : m_layers)
        if (const auto& shapes = shapesOf(layer.block); std::ranges::find(shapes, layer.shape) != shapes.end()
            && std::ranges::find(m_chosen, layer.pathInBlock) == m_chosen.end())
            addOnce(paths, layer.pathInBlock);
    return paths;
}

std::string RecomputedLayers::text() const
{
    if (m_chosen.empty())
        return {};
    const std::vector<std::string> others = caught();
    return joined(m_chosen) + (others.empty() ? "" : "; with them, of the same shape, " + joined(others));
}

} // namespace headroom::techniques
