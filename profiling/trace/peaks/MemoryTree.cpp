// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/MemoryTree.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace headroom::trace {
namespace {

constexpr std::array<std::string_view, 8> kGroupings{
    "module", "category", "technique", "phase", "source", "frame", "size", "stream"};

std::optional<std::uint64_t> numberIn(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

std::string_view firstPart(std::string_view path)
{
    return path.substr(0, path.find('.'));
}

std::string_view afterFirstPart(std::string_view path)
{
    const std::size_t dot = path.find('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
}

void addModule(std::vector<std::string>& path, std::string_view module)
{
    for (; !module.empty(); module = afterFirstPart(module))
        path.emplace_back(firstPart(module));
}

std::vector<std::string> birthOf(const Holding& part)
{
    if (part.birth == Holding::Birth::BeforeTrace)
        return {std::string(kBeforeTrace)};
    if (part.birth == Holding::Birth::OutsideOfPhases)
        return {std::string(kOutsideOfPhases)};
    if (part.phase->step < 0)
        return {part.phase->name};
    return {part.phase->name, "step " + std::to_string(part.phase->step)};
}

bool isOfPython(std::string_view frame)
{
    return frame.find(".py:") != std::string_view::npos;
}

bool isOfAutograd(std::string_view frame)
{
    return frame.find("torch::autograd::") != std::string_view::npos
        || frame.find("at::_ops::") != std::string_view::npos;
}

// Below a function of Python, or of autograd in its own threads, lie dozens of frames that say nothing of whose memory
// it is: the interpreter's, the dispatcher's.
std::vector<std::string> framesOf(std::string_view frames)
{
    std::vector<std::string> all;
    for (std::size_t end = 0; !frames.empty(); frames.remove_prefix(std::min(end + 1, frames.size()))) {
        end = std::min(frames.find('\n'), frames.size());
        all.emplace_back(frames.substr(0, end));
    }
    for (const auto tells : {isOfPython, isOfAutograd})
        if (std::ranges::any_of(all, tells)) {
            std::erase_if(all, [&](const std::string& frame) { return !tells(frame); });
            return all;
        }
    if (all.empty())
        all.emplace_back();
    return all;
}

std::vector<std::string> pathOf(const Holding& part, const MemoryOwner& owner, Grouping grouping)
{
    std::vector<std::string> path;
    if (grouping == Grouping::Category)
        path.emplace_back(config::toText(owner.category));
    else if (grouping == Grouping::Technique)
        path.push_back(owner.technique);
    else if (grouping == Grouping::Phase)
        path = birthOf(part);
    else if (grouping == Grouping::Source)
        path.push_back(owner.source);
    else if (grouping == Grouping::Frame)
        return framesOf(owner.frames);
    addModule(path, owner.module);
    return path;
}

void sortChildren(MemoryNode& node)
{
    for (MemoryNode& child : node.children)
        sortChildren(child);
    std::ranges::sort(node.children, [](const MemoryNode& left, const MemoryNode& right) {
        return left.bytes() != right.bytes() ? left.bytes() > right.bytes() : isBeforeByName(left.name, right.name);
    });
}

} // namespace

const MemoryNode* MemoryNode::child(std::string_view childName) const
{
    const auto found = std::ranges::find(children, childName, &MemoryNode::name);
    return found == children.end() ? nullptr : &*found;
}

std::string_view toText(Grouping grouping)
{
    return kGroupings.at(static_cast<std::size_t>(grouping));
}

std::optional<Grouping> groupingFromText(std::string_view text)
{
    const auto found = std::ranges::find(kGroupings, text);
    if (found == kGroupings.end())
        return std::nullopt;
    return static_cast<Grouping>(found - kGroupings.begin());
}

bool isBeforeByName(std::string_view left, std::string_view right)
{
    while (!left.empty() && !right.empty() && firstPart(left) == firstPart(right)) {
        left = afterFirstPart(left);
        right = afterFirstPart(right);
    }
    const auto leftNumber = numberIn(firstPart(left));
    const auto rightNumber = numberIn(firstPart(right));
    return leftNumber && rightNumber && leftNumber != rightNumber ? leftNumber < rightNumber : left < right;
}

void MemoryTreeGrowth::add(const std::vector<std::string>& path, config::MemoryCategory category, Bytes bytes)
{
    MemoryNode* node = &m_root;
    node->total.of(category) += bytes;
    for (const std::string& name : path) {
        auto child = std::ranges::find(node->children, name, &MemoryNode::name);
        if (child == node->children.end())
            child = node->children.insert(child, MemoryNode{.name = name});
        node = &*child;
        node->total.of(category) += bytes;
    }
    node->own.of(category) += bytes;
}

MemoryNode MemoryTreeGrowth::take()
{
    sortChildren(m_root);
    return std::move(m_root);
}

MemoryNode memoryTree(const Holdings& holdings, const OwnerTable& owners, Grouping grouping)
{
    MemoryTreeGrowth growth;
    for (const Holding& part : holdings.parts) {
        const MemoryOwner& owner = owners.of(part.owner);
        growth.add(pathOf(part, owner, grouping), owner.category, part.bytes);
    }
    return growth.take();
}

} // namespace headroom::trace
