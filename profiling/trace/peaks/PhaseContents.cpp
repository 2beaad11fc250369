// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/PhaseContents.h"

#include <algorithm>
#include <limits>

namespace headroom::trace {

PhaseContents::PhaseContents(std::span<const PhaseSpan> phases, const OwnerTable& owners)
    : m_phases(phases)
    , m_owners(owners.all())
{
    for (const PhaseSpan& phase : phases) {
        m_byBegin.push_back(m_contents.size());
        m_contents.push_back({.phase = phase, .allocated = {0, phase.beginNs}, .categories = {}});
    }
    m_reachedAt.resize(m_contents.size());
    std::ranges::stable_sort(m_byBegin, {}, [&](std::size_t i) { return phases[i].beginNs; });
}

void PhaseContents::visit(const EventBlockHeader& header, std::span<const AllocatorEvent> events)
{
    m_now.settle(header.before.allocated);
    for (const AllocatorEvent& event : events) {
        moveTo(event.timeNs);
        m_now.apply(event, m_owners);
        m_moves += event.action == Action::Relabelled ? 0 : 1;
        for (const std::size_t phase : m_open)
            look(phase, event.timeNs);
    }
}

void PhaseContents::look(std::size_t phase, std::int64_t timeNs)
{
    PhaseContent& content = m_contents[phase];
    if (m_now.allocated > content.allocated.bytes) {
        content.allocated = {m_now.allocated, timeNs};
        m_reachedAt[phase] = m_moves;
    }
    if (m_reachedAt[phase] == m_moves)
        content.categories = m_now.categories;
}

std::vector<PhaseContent> PhaseContents::take()
{
    moveTo(std::numeric_limits<std::int64_t>::max());
    return std::move(m_contents);
}

void PhaseContents::moveTo(std::int64_t timeNs)
{
    for (; m_next < m_byBegin.size() && m_phases[m_byBegin[m_next]].beginNs <= timeNs; ++m_next) {
        PhaseContent& content = m_contents[m_byBegin[m_next]];
        m_open.push_back(m_byBegin[m_next]);
        content.allocated.bytes = m_now.allocated;
        content.categories = m_now.categories;
        m_reachedAt[m_byBegin[m_next]] = m_moves;
    }
    std::erase_if(m_open, [&](std::size_t phase) { return m_phases[phase].endNs <= timeNs; });
}

} // namespace headroom::trace
