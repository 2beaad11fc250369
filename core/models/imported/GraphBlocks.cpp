// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/GraphBlocks.h"

#include <algorithm>
#include <set>

namespace headroom::models {
namespace {

ExecutableGraph::Block placed(const ExecutableGraph& graph, const archive::BlockRange& range)
{
    ExecutableGraph::Block block;
    block.first = range.first;
    block.last = range.last;
    const auto& calls = graph.archive->graph.nodes[range.first].modules;
    for (std::size_t depth = 0; depth < calls.size() && block.key.empty(); ++depth)
        if (calls[depth].path == range.path) {
            block.depth = depth;
            block.key = calls[depth].key;
        }
    block.module = graph.modules.at(range.path).get();
    return block;
}

bool isTensor(const ExecutableGraph& graph, ValueId value)
{
    return graph.archive->graph.tensors.contains(graph.program->names[static_cast<std::size_t>(value)]);
}

void findReads(const ExecutableGraph& graph, ExecutableGraph::Block& block, std::set<ValueId>& made)
{
    std::set<ValueId> read;
    for (std::size_t index = block.first; index <= block.last; ++index) {
        forEachRead(graph.program->nodes[index], [&](ValueId value) {
            const bool isOwn = !graph.own[static_cast<std::size_t>(value)].isNone();
            if (!isOwn && !made.contains(value) && read.insert(value).second)
                (isTensor(graph, value) ? block.reads : block.readNumbers).push_back(value);
        });
        forEachMade(graph.program->nodes[index], [&](ValueId value) { made.insert(value); });
    }
}

std::vector<ValueId> touchedValues(const ExecutableGraph& graph, const ExecutableGraph::Block& block)
{
    std::vector<ValueId> touched;
    for (std::size_t index = block.first; index <= block.last; ++index) {
        forEachRead(graph.program->nodes[index], [&](ValueId value) {
            if (graph.own[static_cast<std::size_t>(value)].isNone())
                touched.push_back(value);
        });
        forEachMade(graph.program->nodes[index], [&](ValueId value) { touched.push_back(value); });
    }
    std::ranges::sort(touched);
    touched.erase(std::ranges::unique(touched).begin(), touched.end());
    return touched;
}

/// The values that each block reads or makes.
struct KnownValues {
    const archive::BlockRange* range = nullptr;
    std::set<ValueId> values;
};

std::vector<KnownValues> knownValues(const ExecutableGraph& graph, const archive::Blocks& blocks)
{
    std::vector<KnownValues> known;
    for (const archive::BlockRange& range : blocks.ranges) {
        KnownValues& values = known.emplace_back(KnownValues{&range, {}});
        for (std::size_t index = range.first; index <= range.last; ++index) {
            const auto add = [&](ValueId value) { values.values.insert(value); };
            forEachRead(graph.program->nodes[index], add);
            forEachMade(graph.program->nodes[index], add);
        }
    }
    return known;
}

// A block lets go what it reads or makes. What else dies at one of its nodes (locals of the block before, as the first
// nodes often do nothing) dies before it begins, unless it lives for the whole run.
std::vector<std::size_t> releasesOutsideOfBlocks(
    const ExecutableGraph& graph, const archive::Blocks& blocks, std::vector<std::size_t> releases)
{
    const std::vector<KnownValues> known = knownValues(graph, blocks);
    for (std::size_t value = 0; value < releases.size(); ++value) {
        const std::size_t before = releases[value];
        for (auto block = known.rbegin(); block != known.rend(); ++block) {
            const bool isAt = block->range->first <= releases[value] && releases[value] <= block->range->last;
            if (isAt && !block->values.contains(static_cast<ValueId>(value)) && block->range->first > 0)
                releases[value] = block->range->first - 1;
        }
        if (releases[value] != before)
            graph.program->nodes[releases[value]].released.push_back(static_cast<ValueId>(value));
    }
    return releases;
}

} // namespace

std::vector<ExecutableGraph::Block> executableBlocks(
    const ExecutableGraph& graph, const archive::Blocks& blocks, const std::vector<std::size_t>& recorded)
{
    const std::vector<std::size_t> releases = releasesOutsideOfBlocks(graph, blocks, recorded);
    const auto& nodes = graph.program->nodes;
    std::vector<std::size_t> lastRead(graph.program->names.size(), 0);
    for (std::size_t index = 0; index < nodes.size(); ++index)
        forEachRead(nodes[index], [&](ValueId value) { lastRead[static_cast<std::size_t>(value)] = index; });
    for (const ValueId output : graph.program->outputs)
        if (output != kNoValue)
            lastRead[static_cast<std::size_t>(output)] = nodes.size();
    std::vector<ExecutableGraph::Block> result;
    for (const archive::BlockRange& range : blocks.ranges) {
        ExecutableGraph::Block block = placed(graph, range);
        std::set<ValueId> made;
        findReads(graph, block, made);
        block.touched = touchedValues(graph, block);
        for (const ValueId value : made) {
            const auto place = static_cast<std::size_t>(value);
            if (graph.skipped.contains(value))
                continue;
            if (lastRead[place] > block.last || releases[place] > block.last)
                (isTensor(graph, value) ? block.makes : block.madeNumbers).push_back(value);
        }
        for (const ValueId value : block.reads)
            if (const std::size_t end = releases[static_cast<std::size_t>(value)];
                end >= block.first && end <= block.last)
                block.released.push_back(value);
        result.push_back(std::move(block));
    }
    return result;
}

} // namespace headroom::models
