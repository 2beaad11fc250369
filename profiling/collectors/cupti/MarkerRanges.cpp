// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/MarkerRanges.h"

#include <utility>

namespace headroom::collectors::cupti {
namespace {

constexpr std::int64_t kNeverEnded = -1;

} // namespace

void MarkerRanges::begin(trace::MarkerRecord range)
{
    range.endNs = kNeverEnded;
    // A pending end belongs to this begin unless it is earlier: then it belongs to an earlier range with the same id.
    if (const auto end = m_ends.find(range.id); end != m_ends.end() && end->second >= range.beginNs) {
        range.endNs = end->second;
        m_ends.erase(end);
        m_complete.push_back(std::move(range));
        return;
    }
    const auto [it, isNew] = m_open.try_emplace(range.id, range);
    if (!isNew)
        m_complete.push_back(std::exchange(it->second, std::move(range)));
}

void MarkerRanges::end(std::uint32_t id, std::int64_t timeNs)
{
    const auto it = m_open.find(id);
    if (it == m_open.end() || it->second.beginNs > timeNs) {
        m_replacedEnds += m_ends.insert_or_assign(id, timeNs).second ? 0 : 1;
        return;
    }
    it->second.endNs = timeNs;
    m_complete.push_back(std::move(it->second));
    m_open.erase(it);
}

void MarkerRanges::mark(trace::MarkerRecord mark)
{
    mark.endNs = mark.beginNs;
    m_complete.push_back(std::move(mark));
}

std::vector<trace::MarkerRecord> MarkerRanges::takeComplete()
{
    return std::exchange(m_complete, {});
}

std::vector<trace::MarkerRecord> MarkerRanges::takeAll()
{
    for (auto& [id, range] : m_open)
        m_complete.push_back(std::move(range));
    m_open.clear();
    return takeComplete();
}

} // namespace headroom::collectors::cupti
