// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/pyramids/Pyramid.h"

#include <algorithm>

namespace headroom::trace {
namespace {

constexpr int kPyramidShiftPerLevel = 2;
constexpr std::size_t kPyramidMinNodeLimit = 4'096;
constexpr std::size_t kPyramidPointsPerNode = 32;

void merge(PyramidNode& node, const PyramidNode& later)
{
    node.min = std::min(node.min, later.min);
    node.max = std::max(node.max, later.max);
    node.last = later.last;
}

} // namespace

Pyramid::Pyramid(Bytes before)
    : m_levels(1)
    , m_before(before)
{
}

void Pyramid::append(std::int64_t timeNs, Bytes value)
{
    m_lastNs = m_points == 0 ? timeNs : std::max(m_lastNs, timeNs);
    ++m_points;
    std::vector<PyramidNode>& nodes = m_levels.front().nodes;
    const PyramidNode node{m_lastNs >> finestShift(), value, value, value};
    if (!nodes.empty() && nodes.back().bin == node.bin) {
        merge(nodes.back(), node);
        return;
    }
    if (!nodes.empty())
        close(0);
    m_levels.front().nodes.push_back(node);
    if (m_levels.front().nodes.size() > nodeLimit())
        dropFinest();
}

// Merges the open node of a level into the level above.
void Pyramid::close(std::size_t level)
{
    const int shift = m_levels[level].shift + kPyramidShiftPerLevel;
    if (shift > kMaxBinShift)
        return;
    if (level + 1 == m_levels.size())
        m_levels.push_back({shift, {}});
    PyramidNode node = m_levels[level].nodes.back();
    node.bin >>= kPyramidShiftPerLevel;
    const std::vector<PyramidNode>& above = m_levels[level + 1].nodes;
    if (!above.empty() && above.back().bin == node.bin) {
        merge(m_levels[level + 1].nodes.back(), node);
        return;
    }
    if (!above.empty())
        close(level + 1);
    m_levels[level + 1].nodes.push_back(node);
}

// The level above has the same content in bins four times as wide.
void Pyramid::dropFinest()
{
    close(0);
    if (m_levels.size() > 1)
        m_levels.erase(m_levels.begin());
}

std::size_t Pyramid::nodeLimit() const
{
    return std::max(kPyramidMinNodeLimit, m_points / kPyramidPointsPerNode);
}

std::vector<Bucket> Pyramid::query(std::int64_t fromNs, std::int64_t toNs, std::size_t width) const
{
    BinRange range = BinRange::covering(fromNs, toNs, width);
    if (range.shift < finestShift())
        range = BinRange::ofShift(finestShift(), fromNs, toNs);
    std::size_t level = 0;
    while (level + 1 < m_levels.size() && m_levels[level + 1].shift <= range.shift)
        ++level;
    BucketFold fold(range, m_before);
    foldLevel(fold, level, range);
    return fold.take();
}

void Pyramid::foldLevel(BucketFold& fold, std::size_t level, const BinRange& range) const
{
    foldNodes(fold, m_levels[level], range);
    // The open nodes of the finer levels have not reached this level yet; from coarse to fine they are in order of
    // time.
    while (level-- > 0) {
        const PyramidLevel& finer = m_levels[level];
        if (!finer.nodes.empty()) {
            const PyramidNode& open = finer.nodes.back();
            fold.add(open.bin, finer.shift, open.min, open.max, open.last);
        }
    }
}

std::vector<PyramidLevel> Pyramid::levels() const
{
    Pyramid closed = *this;
    for (std::size_t level = 0; level + 1 < closed.m_levels.size(); ++level)
        closed.close(level);
    return closed.m_levels;
}

void foldNodes(BucketFold& fold, const PyramidLevel& level, const BinRange& range)
{
    const int up = range.shift - level.shift;
    const std::int64_t end = range.first + static_cast<std::int64_t>(range.count);
    auto node = std::lower_bound(level.nodes.begin(), level.nodes.end(), range.first,
        [up](const PyramidNode& candidate, std::int64_t first) { return (candidate.bin >> up) < first; });
    if (node != level.nodes.begin())
        --node;
    for (; node != level.nodes.end() && (node->bin >> up) < end; ++node)
        fold.add(node->bin, level.shift, node->min, node->max, node->last);
}

} // namespace headroom::trace
