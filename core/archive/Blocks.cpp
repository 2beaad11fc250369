// SPDX-License-Identifier: Apache-2.0
#include "core/archive/Blocks.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"

#include <algorithm>
#include <functional>
#include <set>

namespace headroom::archive {
namespace {

using Choose = std::function<bool(const ModuleCall&)>;

std::string className(const ModuleCall& call)
{
    std::string type = call.type.substr(call.type.rfind('.') + 1);
    return type.substr(0, type.find('@')); // a second call of a module, in some versions
}

// "model.layers" of "model.layers.3"; empty if the path does not end in a number.
std::string numberedListOf(const std::string& path)
{
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos || dot + 1 == path.size()
        || path.find_first_not_of("0123456789", dot + 1) != std::string::npos)
        return {};
    return path.substr(0, dot);
}

void forEachCall(const ExportedModel& model, const std::function<void(const ModuleCall&)>& action)
{
    for (const Node& node : model.graph.nodes)
        for (const ModuleCall& call : node.modules)
            action(call);
}

std::vector<BlockRange> rangesOf(const ExportedModel& model, const Choose& isBlock)
{
    std::vector<BlockRange> ranges;
    std::map<std::string, std::size_t> known; // by the call's key
    for (std::size_t index = 0; index < model.graph.nodes.size(); ++index)
        for (const ModuleCall& call : model.graph.nodes[index].modules) {
            if (!isBlock(call))
                continue;
            const auto [place, isNew] = known.emplace(call.key, ranges.size());
            if (isNew)
                ranges.push_back({call.path, className(call), index, index});
            ranges[place->second].last = index;
            break;
        }
    return ranges;
}

// What the export moved or hoisted may lie between the nodes of another block.
void leaveOutOverlapping(Blocks& blocks)
{
    std::vector<BlockRange> kept;
    for (BlockRange& range : blocks.ranges) {
        if (!kept.empty() && range.first <= kept.back().last) {
            blocks.remarks.push_back(
                "block " + range.path + " runs within " + kept.back().path + " and is taken for a part of it");
            kept.back().last = std::max(kept.back().last, range.last);
        } else
            kept.push_back(std::move(range));
    }
    blocks.ranges = std::move(kept);
}

// The classes whose instances are elements of numbered lists, more than one each.
std::set<std::string> repeatedClasses(const ExportedModel& model)
{
    std::map<std::string, std::set<std::string>> paths;
    forEachCall(model, [&](const ModuleCall& call) {
        if (!numberedListOf(call.path).empty())
            paths[className(call)].insert(call.path);
    });
    std::set<std::string> repeated;
    for (const auto& [type, places] : paths)
        if (places.size() > 1)
            repeated.insert(type);
    return repeated;
}

std::vector<std::string> choicesOf(const ExportedModel& model)
{
    const std::set<std::string> repeated = repeatedClasses(model);
    std::set<std::string> choices(repeated.begin(), repeated.end());
    forEachCall(model, [&](const ModuleCall& call) {
        if (repeated.contains(className(call)))
            choices.insert(numberedListOf(call.path));
    });
    choices.erase("");
    return {choices.begin(), choices.end()};
}

std::vector<BlockRange> automaticRanges(const ExportedModel& model)
{
    const CaptureNotes& notes = model.notes;
    if (!notes.blocks.empty())
        return rangesOf(model, [&](const ModuleCall& call) { return std::ranges::count(notes.blocks, call.path) > 0; });
    auto ranges = rangesOf(
        model, [&](const ModuleCall& call) { return std::ranges::count(notes.blockClasses, className(call)) > 0; });
    if (ranges.size() > 1)
        return ranges;
    const std::set<std::string> repeated = repeatedClasses(model);
    return rangesOf(model, [&](const ModuleCall& call) {
        return !numberedListOf(call.path).empty() && repeated.contains(className(call));
    });
}

} // namespace

Blocks findBlocks(const ExportedModel& model, const std::string& choice, const std::string& where)
{
    Blocks blocks;
    if (choice.empty())
        blocks.ranges = automaticRanges(model);
    else {
        blocks.ranges = rangesOf(model,
            [&](const ModuleCall& call) { return numberedListOf(call.path) == choice || className(call) == choice; });
        if (blocks.ranges.empty())
            throw UsageError("found \"" + choice + "\", and no module of the model is an element of it", where,
                joined(choicesOf(model)));
    }
    leaveOutOverlapping(blocks);
    return blocks;
}

} // namespace headroom::archive
