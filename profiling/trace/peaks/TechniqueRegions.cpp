// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/TechniqueRegions.h"

#include <algorithm>
#include <set>

namespace headroom::trace {
namespace {

bool isWithin(const std::string& module, const std::string& whole)
{
    return module.starts_with(whole) && (module.size() == whole.size() || module[whole.size()] == '.');
}

bool isWithinAny(const std::string& module, const std::set<std::string>& wholes)
{
    return std::ranges::any_of(wholes, [&](const std::string& whole) { return isWithin(module, whole); });
}

void raiseTo(std::optional<Peak>& peak, Bytes bytes, std::int64_t timeNs)
{
    if (!peak || bytes > peak->bytes)
        peak = Peak{bytes, timeNs};
}

} // namespace

TechniqueRegions::TechniqueRegions(const OwnerTable& owners)
{
    std::map<std::string, std::set<std::string>> modules;
    for (const MemoryOwner& owner : owners.all())
        if (!owner.technique.empty()) {
            std::set<std::string>& own = modules[owner.technique];
            if (!owner.module.empty())
                own.insert(owner.module);
        }
    m_places.resize(owners.all().size());
    for (const auto& [technique, own] : modules) {
        for (std::size_t i = 0; i < owners.all().size(); ++i) {
            if (owners.all()[i].technique == technique)
                m_places[i].own.push_back(m_techniques.size());
            if (isWithinAny(owners.all()[i].module, own))
                m_places[i].module.push_back(m_techniques.size());
        }
        m_techniques.push_back(technique);
    }
    m_regions.resize(m_techniques.size());
}

void TechniqueRegions::apply(const AllocatorEvent& event, Bytes allocated)
{
    if (event.action != Action::Alloc || event.owner >= m_places.size())
        return;
    for (const std::size_t technique : m_places[event.owner].own)
        raiseTo(m_regions[technique].ownHighest, allocated, event.timeNs);
    for (const std::size_t technique : m_places[event.owner].module)
        raiseTo(m_regions[technique].moduleHighest, allocated, event.timeNs);
}

std::map<std::string, TechniqueRegion> TechniqueRegions::take() const
{
    std::map<std::string, TechniqueRegion> regions;
    for (std::size_t i = 0; i < m_techniques.size(); ++i)
        regions[m_techniques[i]] = m_regions[i];
    return regions;
}

} // namespace headroom::trace
