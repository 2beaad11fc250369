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

// "3" of "model.layers.3".
std::string lastNameOf(const std::string& path)
{
    return path.substr(path.rfind('.') + 1); // npos + 1 is 0
}

bool isInNumberedList(const std::string& path)
{
    const std::string name = lastNameOf(path);
    return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

// "model.layers" of "model.layers.3"; empty if the path does not end in a number, or the list is the model.
std::string numberedListOf(const std::string& path)
{
    const std::size_t dot = path.rfind('.');
    return isInNumberedList(path) && dot != std::string::npos ? path.substr(0, dot) : std::string();
}

// "encoder.layer_3": elements of a dict, numbered by their names.
bool isNumberedByName(const std::string& path)
{
    const std::string name = lastNameOf(path);
    return !isInNumberedList(path) && !name.empty() && name.back() >= '0' && name.back() <= '9';
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

using IsElement = bool (*)(const std::string& path);

// torch's own layers: what is a part of blocks, not one of them.
bool isLayer(const ModuleCall& call)
{
    return call.type.starts_with("torch.nn.modules.") && !call.type.starts_with("torch.nn.modules.container.")
        && !call.type.starts_with("torch.nn.modules.transformer.");
}

bool isContainer(const ModuleCall& call)
{
    return call.type.starts_with("torch.nn.modules.container.");
}

bool isBlock(const ModuleCall& call)
{
    return !isLayer(call);
}

bool isBlockByName(const ModuleCall& call)
{
    return !isLayer(call) && !isContainer(call);
}

// The classes with more than one element of such a list.
std::set<std::string> repeatedClasses(const ExportedModel& model, IsElement isElement, const Choose& isTaken)
{
    std::map<std::string, std::set<std::string>> paths;
    forEachCall(model, [&](const ModuleCall& call) {
        if (isElement(call.path) && isTaken(call))
            paths[className(call)].insert(call.path);
    });
    std::set<std::string> repeated;
    for (const auto& [type, places] : paths)
        if (places.size() > 1)
            repeated.insert(type);
    return repeated;
}

std::vector<BlockRange> repeatedElements(const ExportedModel& model, IsElement isElement, const Choose& isTaken)
{
    const std::set<std::string> repeated = repeatedClasses(model, isElement, isTaken);
    return rangesOf(model, [&](const ModuleCall& call) {
        return isElement(call.path) && isTaken(call) && repeated.contains(className(call));
    });
}

bool hasWeights(const ExportedModel& model, const std::string& path)
{
    return std::ranges::any_of(
        model.tensors, [&](const StoredTensor& tensor) { return tensor.name.starts_with(path + "."); });
}

// Calls of one module: layers that share their weights (ALBERT), a cell in a loop.
std::vector<BlockRange> repeatedCalls(const ExportedModel& model)
{
    std::map<std::string, std::set<std::string>> keys; // by path
    forEachCall(model, [&](const ModuleCall& call) {
        if (!call.path.empty() && isBlockByName(call))
            keys[call.path].insert(call.key);
    });
    std::erase_if(keys, [&](const auto& calls) { return calls.second.size() < 2 || !hasWeights(model, calls.first); });
    return rangesOf(model, [&](const ModuleCall& call) { return keys.contains(call.path); });
}

std::vector<std::string> choicesOf(const ExportedModel& model)
{
    const auto repeated = repeatedClasses(model, isInNumberedList, [](const ModuleCall&) { return true; });
    std::set<std::string> choices(repeated.begin(), repeated.end());
    forEachCall(model, [&](const ModuleCall& call) {
        if (repeated.contains(className(call)))
            choices.insert(numberedListOf(call.path));
    });
    choices.erase("");
    return {choices.begin(), choices.end()};
}

// The classes that the capture named. Of one that is a part of repeated elements of a list, as a layer's attention is,
// those elements: what must stay on one device is less than what is recomputed or moved at once.
std::set<std::string> namedClasses(const ExportedModel& model)
{
    std::set<std::string> named(model.notes.blockClasses.begin(), model.notes.blockClasses.end());
    const std::set<std::string> repeated = repeatedClasses(model, isInNumberedList, isBlock);
    std::map<std::string, std::set<std::string>> around; // classes of elements, by that of their part
    for (const Node& node : model.graph.nodes) {
        std::string element;
        for (const ModuleCall& call : node.modules)
            if (const std::string type = className(call); !isInNumberedList(call.path)) {
                if (!element.empty() && named.contains(type))
                    around[type].insert(element);
            } else if (repeated.contains(type) && isBlock(call))
                element = type;
    }
    for (const auto& [part, elements] : around) {
        named.erase(part);
        named.insert(elements.begin(), elements.end());
    }
    return named;
}

using Calls = std::set<std::string>; // by key

/// What lies within what among calls of the classes that the capture named.
class NamedCalls {
public:
    explicit NamedCalls(const ExportedModel& model)
        : m_named(namedClasses(model))
    {
        for (const Node& node : model.graph.nodes)
            add(node);
    }

    // Those that hold no other one: a UNet's stages hold blocks of other classes, and only some of the stages are
    // named. Upstream's own checkpointing works on what is inside. But what holds one other each, which is nowhere
    // else, is the block that it is the larger part of (MambaBlock and its MambaMixer).
    std::set<std::string> blockClasses() const
    {
        std::set<std::string> classes = m_named;
        for (const auto& [pair, holders] : m_held) {
            const auto& [holder, held] = pair;
            Calls inside;
            bool isOneEach = true;
            for (const auto& [key, calls] : holders) {
                isOneEach = isOneEach && calls.size() == 1;
                inside.insert(calls.begin(), calls.end());
            }
            if (!isOneEach || inside != m_calls.at(held))
                classes.erase(holder);
        }
        return classes;
    }

private:
    void add(const Node& node)
    {
        std::vector<const ModuleCall*> outer;
        for (const ModuleCall& call : node.modules) {
            const std::string type = className(call);
            if (!m_named.contains(type))
                continue;
            m_calls[type].insert(call.key);
            for (const ModuleCall* holder : outer)
                if (const std::string around = className(*holder); around != type)
                    m_held[{around, type}][holder->key].insert(call.key);
            outer.push_back(&call);
        }
    }

    std::set<std::string> m_named;
    std::map<std::string, Calls> m_calls; ///< by class
    std::map<std::pair<std::string, std::string>, std::map<std::string, Calls>> m_held; ///< by classes, and holder
};

std::vector<BlockRange> automaticRanges(const ExportedModel& model)
{
    const CaptureNotes& notes = model.notes;
    if (!notes.blocks.empty())
        return rangesOf(model, [&](const ModuleCall& call) { return std::ranges::count(notes.blocks, call.path) > 0; });
    const std::set<std::string> classes = NamedCalls(model).blockClasses();
    auto ranges = rangesOf(model, [&](const ModuleCall& call) { return classes.contains(className(call)); });
    if (ranges.size() > 1)
        return ranges;
    if (ranges = repeatedElements(model, isInNumberedList, isBlock); !ranges.empty())
        return ranges;
    if (ranges = repeatedElements(model, isNumberedByName, isBlockByName); !ranges.empty())
        return ranges;
    if (ranges = repeatedCalls(model); !ranges.empty())
        return ranges;
    return repeatedElements(model, isInNumberedList, isLayer); // of a plain list of layers
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
