// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/TraceTable.h"

#include "core/base/Quantities.h"
#include "experiments/figures/memory/PeakTree.h"
#include "profiling/trace/peaks/FoldedTree.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using config::MemoryCategory;
using figures::mostlyText;
using trace::FoldedNode;
using trace::Grouping;

namespace {

constexpr double kLeastShare = 0.002; ///< smallest share that gets its own row

std::string withUnit(const std::string& title, const SizeUnit& unit)
{
    return title + " (" + unit.name + ")";
}

std::vector<std::pair<MemoryCategory, Bytes>> largestFirst(const trace::CategoryBytes& categories)
{
    std::vector<std::pair<MemoryCategory, Bytes>> parts;
    for (const MemoryCategory category : config::kMemoryCategories)
        if (categories.of(category) != 0)
            parts.emplace_back(category, categories.of(category));
    std::ranges::stable_sort(parts, std::ranges::greater(), &std::pair<MemoryCategory, Bytes>::second);
    return parts;
}

std::string titleOfRoot(Grouping grouping)
{
    if (grouping == Grouping::Source)
        return "(no source line)";
    if (grouping == Grouping::Frame)
        return "(no call stack)";
    return grouping == Grouping::Technique ? "(no technique)" : "(no module)";
}

std::string rowNameOf(const FoldedNode& node, Grouping grouping, std::size_t level)
{
    if (node.name.empty())
        return level == 1 ? titleOfRoot(grouping) : "(no module)";
    if (grouping == Grouping::Category && level == 1)
        if (const auto category = config::memoryCategoryFromText(node.name))
            return std::string(config::titleOf(*category));
    return node.count > 1 ? fmt::format("{}  ({} x)", node.name, node.count) : node.name;
}

// "net" > "0" > "proj" becomes one row if they contain nothing else.
const FoldedNode& endOfChain(const FoldedNode& node, std::string& name, const char* separator)
{
    const FoldedNode* end = &node;
    while (end->children.size() == 1 && end->own == trace::CategoryBytes{} && end->children.front().count == 1) {
        end = &end->children.front();
        name += separator + end->name;
    }
    return *end;
}

// Chains of call stacks are long, and their inner end tells most: whole frames go from the left, then folders.
std::string shortened(const std::string& name)
{
    constexpr std::size_t kMost = 100;
    if (name.size() <= kMost)
        return name;
    const std::size_t from = name.size() - kMost;
    for (const std::string_view border : {" > ", "/"})
        if (const std::size_t at = name.find(border, from); at != std::string::npos && at + kMost / 4 < name.size())
            return "…" + name.substr(at);
    std::size_t at = from;
    while (at < name.size() && (static_cast<unsigned char>(name[at]) & 0xC0U) == 0x80U) // within a character
        ++at;
    return "…" + name.substr(at);
}

/// Fills a table from a tree, indented by level.
class TreeRows {
public:
    TreeRows(const FoldedNode& root, Grouping grouping, std::size_t depth)
        : m_grouping(grouping)
        , m_depth(depth)
        , m_whole(root.allBytes())
        , m_unit(columnUnitFor({m_whole, m_whole / 100}))
        , m_table({{std::string(trace::toText(grouping))}, {withUnit("held", m_unit), Alignment::Right},
              {"share", Alignment::Right}, {withUnit("each", m_unit), Alignment::Right}, {"of which"}})
    {
        addChildren(root, 1, 1);
        m_table.addRow({"all", inUnit(m_whole, m_unit), shareText(m_whole, m_whole), "", mostlyText(root.total)});
    }

    Table take() { return std::move(m_table); }

private:
    // `times` is the number of equal nodes that contain it.
    void addChildren(const FoldedNode& node, std::size_t level, Bytes times)
    {
        if (level > m_depth)
            return;
        Bytes small = 0;
        std::size_t smallCount = 0;
        for (const FoldedNode& child : node.children) {
            if (isSmall(child.allBytes() * times)) {
                small += child.allBytes() * times;
                smallCount += child.count;
            } else {
                add(child, level, times);
            }
        }
        addOwn(node, level, times);
        if (smallCount > 0)
            addRow(level, fmt::format("({} smaller)", smallCount), small, 1, {});
    }

    void addOwn(const FoldedNode& node, std::size_t level, Bytes times)
    {
        const Bytes own = node.own.total() * times;
        const bool isRoot = level == 1;
        if (own != 0 && (isRoot || !node.children.empty()))
            addRow(level, isRoot ? "(no module)" : "(itself)", own, 1, node.own);
    }

    void add(const FoldedNode& node, std::size_t level, Bytes times)
    {
        std::string name = rowNameOf(node, m_grouping, level);
        const bool isFrame = m_grouping == Grouping::Frame;
        const bool isOfBlocks = m_grouping == Grouping::Size || m_grouping == Grouping::Stream;
        const bool isChained = m_grouping == Grouping::Module || isFrame || (level > 1 && !isOfBlocks);
        const FoldedNode& end = isChained && node.count == 1 ? endOfChain(node, name, isFrame ? " > " : ".") : node;
        addRow(level, name, node.allBytes() * times, static_cast<Bytes>(node.count) * times, node.total);
        addChildren(end, level + 1, times * static_cast<Bytes>(node.count));
    }

    void addRow(std::size_t level, const std::string& name, Bytes bytes, Bytes count, const trace::CategoryBytes& of)
    {
        m_table.addRow({std::string(2 * (level - 1), ' ') + shortened(name), inUnit(bytes, m_unit),
            shareText(bytes, m_whole), count > 1 ? inUnit(bytes / count, m_unit) : "", mostlyText(of)});
    }

    bool isSmall(Bytes bytes) const
    {
        return std::abs(static_cast<double>(bytes)) < kLeastShare * static_cast<double>(m_whole);
    }

    Grouping m_grouping;
    std::size_t m_depth;
    Bytes m_whole;
    SizeUnit m_unit;
    Table m_table;
};

} // namespace

std::string intoTheTrace(std::int64_t timeNs)
{
    return fmt::format("{:.6f} s into the trace", static_cast<double>(timeNs) / 1e9);
}

std::string phaseInWords(const std::optional<trace::PhaseSpan>& phase)
{
    if (!phase)
        return "outside of all phases";
    if (phase->step < 0)
        return "in " + phase->name;
    return fmt::format("in {} of step {}", phase->name, phase->step);
}

Table categoryTable(const trace::CategoryBytes& categories)
{
    const auto parts = largestFirst(categories);
    const SizeUnit unit = columnUnitFor({categories.total(), categories.total() / 100});
    Table table({{"category"}, {withUnit("held", unit), Alignment::Right}, {"share", Alignment::Right}});
    for (const auto& [category, bytes] : parts)
        table.addRow(
            {std::string(config::titleOf(category)), inUnit(bytes, unit), shareText(bytes, categories.total())});
    table.addRow({"all", inUnit(categories.total(), unit), shareText(categories.total(), categories.total())});
    return table;
}

Table treeTable(const trace::MemoryNode& tree, Grouping grouping, std::size_t depth)
{
    return TreeRows(trace::folded(tree), grouping, depth).take();
}

Table phaseTable(const report::TraceAnswer& answer)
{
    std::vector<std::optional<Bytes>> amounts;
    for (const trace::PhaseContent& content : answer.phases)
        amounts.emplace_back(content.allocated.bytes);
    const SizeUnit unit = columnUnitFor(amounts);
    Table table({{"phase"}, {"step", Alignment::Right}, {withUnit("peak", unit), Alignment::Right},
        {"at (s)", Alignment::Right}, {"of which"}});
    for (const trace::PhaseContent& content : answer.phases)
        table.addRow({content.phase.name, content.phase.step < 0 ? "" : std::to_string(content.phase.step),
            inUnit(content.allocated.bytes, unit),
            fmt::format("{:.6f}", static_cast<double>(content.allocated.timeNs) / 1e9),
            mostlyText(content.categories)});
    return table;
}

} // namespace headroom::cli
