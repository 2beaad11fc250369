// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/BlockPlaces.h"

#include "core/memory/MemoryAttribution.h"

#include <algorithm>

namespace headroom::collectors {

using tensor::MemoryAttribution;
using tensor::ModuleId;

BlockPlaces::BlockPlaces(models::Model& model)
    : m_blocks(model.blocks())
    , m_numbers(m_blocks.size())
    , m_modules(m_blocks.size())
{
}

tensor::MemoryLabel BlockPlaces::common(std::size_t block, tensor::MemoryLabel label)
{
    label.module = numberOf(block, label.module);
    return label;
}

tensor::MemoryLabel BlockPlaces::inBlock(std::size_t block, tensor::MemoryLabel label)
{
    label.module = moduleOf(block, label.module);
    return label;
}

ModuleId BlockPlaces::numberOf(std::size_t block, ModuleId module)
{
    const MemoryAttribution* attribution = MemoryAttribution::active();
    if (module == tensor::kNoModule || attribution == nullptr)
        return tensor::kNoModule;
    const auto [known, isNew] = m_numbers.at(block).emplace(module, tensor::kNoModule);
    if (!isNew)
        return known->second;
    const std::string& path = attribution->pathOf(module);
    const std::string& outer = attribution->pathOf(attribution->moduleOf(*m_blocks.at(block)));
    const bool isInBlock = !outer.empty() && (path == outer || path.starts_with(outer + "."));
    const Place place{isInBlock ? path.substr(outer.size()) : path, attribution->sourceOf(module), isInBlock};
    const auto found = std::ranges::find(m_places, place);
    if (found == m_places.end()) {
        m_places.push_back(place);
        m_samples.push_back(module);
        return known->second = static_cast<ModuleId>(m_places.size());
    }
    return known->second = static_cast<ModuleId>(found - m_places.begin() + 1);
}

ModuleId BlockPlaces::moduleOf(std::size_t block, ModuleId number)
{
    MemoryAttribution* attribution = MemoryAttribution::active();
    if (number == tensor::kNoModule || attribution == nullptr)
        return tensor::kNoModule;
    const auto [known, isNew] = m_modules.at(block).emplace(number, tensor::kNoModule);
    if (!isNew)
        return known->second;
    const Place& place = m_places.at(number - 1);
    const ModuleId sample = m_samples.at(number - 1);
    if (!place.isInBlock)
        return known->second = sample;
    const std::string& outer = attribution->pathOf(attribution->moduleOf(*m_blocks.at(block)));
    return known->second = attribution->counterpartOf(sample, outer + place.path);
}

} // namespace headroom::collectors
