// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/pyramids/CategoryPyramid.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace headroom::trace {
namespace {

constexpr int kCategoryShiftPerLevel = 2;
constexpr std::size_t kCategoryMinNodeLimit = 4'096;
constexpr std::size_t kCategoryPointsPerNode = 32;

} // namespace

CategoryPyramid::CategoryPyramid(const CategoryCounters& before)
    : m_levels(1)
    , m_counters(before)
    , m_before(before.categories)
{
    m_levels.front().before = m_before;
}

void CategoryPyramid::append(std::int64_t timeNs, const AllocatorEvent& event, const OwnerCategories& owners)
{
    m_lastNs = m_points == 0 ? timeNs : std::max(m_lastNs, timeNs);
    ++m_points;
    const std::int64_t bin = m_lastNs >> m_levels.front().shift;
    const bool isNew = m_levels.front().nodes.empty() || m_levels.front().nodes.back().bin != bin;
    if (isNew)
        beginNode(bin);
    m_counters.apply(event, owners);
    m_isInterrupted = false;
    CategoryNode& node = m_levels.front().nodes.back();
    if (isNew || m_counters.allocated > node.max) {
        node.max = m_counters.allocated;
        node.atMax = m_counters.categories;
    }
    node.min = isNew ? m_counters.allocated : std::min(node.min, m_counters.allocated);
    if (isNew && m_levels.front().count > nodeLimit())
        dropFinest();
}

void CategoryPyramid::resume(const CategoryCounters& counters)
{
    if (!m_levels.front().nodes.empty())
        endNode();
    m_counters = counters;
    m_isInterrupted = true;
}

void CategoryPyramid::beginNode(std::int64_t bin)
{
    if (!m_levels.front().nodes.empty()) {
        endNode();
        close(0);
    }
    add(m_levels.front(), {.bin = bin});
}

// A node ends with the memory held when the next one begins: it is copied then rather than at every event.
void CategoryPyramid::endNode()
{
    if (m_isInterrupted)
        return;
    CategoryNode& node = m_levels.front().nodes.back();
    node.last = m_counters.allocated;
    node.atLast = m_counters.categories;
}

void CategoryPyramid::add(Level& level, const CategoryNode& node)
{
    level.nodes.push_back(node);
    ++level.count;
    if (level.nodes.size() > kMaxCategoryChunkNodes)
        store(level, kMaxCategoryChunkNodes);
}

// Merges the open node of a level into the level above.
void CategoryPyramid::close(std::size_t level)
{
    const int shift = m_levels[level].shift + kCategoryShiftPerLevel;
    if (shift > kMaxBinShift)
        return;
    if (level + 1 == m_levels.size())
        m_levels.push_back({.shift = shift, .before = m_before});
    CategoryNode node = m_levels[level].nodes.back();
    node.bin >>= kCategoryShiftPerLevel;
    if (!m_levels[level + 1].nodes.empty()) {
        CategoryNode& open = m_levels[level + 1].nodes.back();
        if (open.bin == node.bin) {
            mergeCategoryNode(open, node);
            return;
        }
        close(level + 1);
    }
    add(m_levels[level + 1], node);
}

// The level above has the same content in bins four times as wide.
void CategoryPyramid::dropFinest()
{
    endNode();
    close(0);
    if (m_levels.size() > 1)
        m_levels.erase(m_levels.begin());
}

std::size_t CategoryPyramid::nodeLimit() const
{
    return std::max(kCategoryMinNodeLimit, m_points / kCategoryPointsPerNode);
}

void CategoryPyramid::store(Level& level, std::size_t nodes)
{
    const std::span stored = std::span(level.nodes).first(nodes);
    level.chunks.push_back({placeOf(level.shift, stored), encodeCategoryChunk(level.shift, level.before, stored)});
    level.before = stored.back().atLast;
    level.nodes.erase(level.nodes.begin(), level.nodes.begin() + static_cast<std::ptrdiff_t>(nodes));
}

std::vector<CategoryPyramid::Chunk> CategoryPyramid::finish(std::size_t smallLevel)
{
    std::vector<Chunk> chunks;
    if (m_points == 0)
        return chunks;
    endNode();
    for (std::size_t level = 0; level + 1 < m_levels.size(); ++level)
        close(level);
    for (Level& level : m_levels) {
        store(level, level.nodes.size());
        std::ranges::move(level.chunks, std::back_inserter(chunks));
        if (level.count <= smallLevel)
            break;
    }
    return chunks;
}

} // namespace headroom::trace
