// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/MemoryOwner.h"

#include "core/base/Error.h"

#include <algorithm>
#include <utility>

namespace headroom::trace {

std::string placeOf(const MemoryOwner& owner)
{
    const std::string place = owner.source.empty() ? owner.module : owner.module + "@" + owner.source;
    return owner.frames.empty() ? place : place + "\n" + owner.frames;
}

void setPlace(MemoryOwner& owner, std::string_view place)
{
    const std::size_t line = std::min(place.find('\n'), place.size());
    owner.frames = place.substr(std::min(line + 1, place.size()));
    place = place.substr(0, line);
    const std::size_t at = std::min(place.find('@'), place.size());
    owner.module = place.substr(0, at);
    owner.source = place.substr(std::min(at + 1, place.size()));
}

OwnerTable::OwnerTable()
    : OwnerTable(std::vector<MemoryOwner>(1))
{
}

OwnerTable::OwnerTable(std::vector<MemoryOwner> owners)
    : m_owners(std::move(owners))
{
    if (m_owners.empty() || m_owners.front() != MemoryOwner{})
        throw UsageError("a table of owners without the unknown one", "owner 0", "category unknown, no module");
    for (OwnerId id = 0; id < m_owners.size(); ++id)
        m_ids.emplace(m_owners[id], id);
}

OwnerId OwnerTable::idOf(const MemoryOwner& owner)
{
    const auto [found, isNew] = m_ids.emplace(owner, static_cast<OwnerId>(m_owners.size()));
    if (isNew)
        m_owners.push_back(owner);
    return found->second;
}

const MemoryOwner& OwnerTable::of(OwnerId id) const
{
    return m_owners[id < m_owners.size() ? id : kUnknownOwner];
}

} // namespace headroom::trace
