// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/PeakTree.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "profiling/trace/FrameText.h"
#include "profiling/trace/peaks/FoldedTree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::figures {

using config::MemoryCategory;
using trace::CategoryBytes;
using trace::FoldedNode;
using trace::Grouping;

namespace {

constexpr std::size_t kMostCategories = 3; ///< in one cell
constexpr std::size_t kFrameLetters = 56;

CategoryBytes times(CategoryBytes bytes, Bytes factor)
{
    for (Bytes& part : bytes.bytes)
        part *= factor;
    return bytes;
}

void add(CategoryBytes& sum, const CategoryBytes& more)
{
    for (std::size_t i = 0; i < sum.bytes.size(); ++i)
        sum.bytes.at(i) += more.bytes.at(i);
}

class TreeReader {
public:
    TreeReader(Grouping grouping, Bytes least)
        : m_grouping(grouping)
        , m_least(least)
    {
    }

    /// `alike`: in how many equal nodes above it stands.
    PeakTreeRow read(const FoldedNode& node, std::size_t level, std::size_t alike) const
    {
        std::vector<std::string> chain{nameOf(node, level)};
        std::size_t here = node.count;
        const FoldedNode* end = &node;
        while (end->children.size() == 1 && end->own == CategoryBytes{} && level > 0) {
            end = &end->children.front();
            chain.push_back(end->name);
            here *= end->count;
        }
        const std::size_t all = alike * here;
        PeakTreeRow row{PeakTreeRow::Kind::Node, {}, here, times(end->total, static_cast<Bytes>(all)), {}};
        setName(row, chain);
        addChildren(*end, level, all, row);
        return row;
    }

private:
    void setName(PeakTreeRow& row, const std::vector<std::string>& chain) const
    {
        if (m_grouping != Grouping::Frame) {
            row.name = joined(chain, ".");
            return;
        }
        row.name = trace::shortFrame(chain.front(), kFrameLetters);
        if (chain.size() > 2)
            row.name += fmt::format(" › ({})", counted(static_cast<std::int64_t>(chain.size()) - 2, "frame"));
        if (chain.size() > 1)
            row.name += " › " + trace::shortFrame(chain.back(), kFrameLetters);
        if (row.name != chain.front())
            row.whole = joined(chain, "\n");
    }

    std::string nameOf(const FoldedNode& node, std::size_t level) const
    {
        if (level == 0)
            return "peak";
        if (node.name.empty() && m_grouping == Grouping::Source && level == 1)
            return "(no source line)";
        if (node.name.empty() && m_grouping == Grouping::Frame)
            return "(no call stack)";
        if (node.name.empty())
            return m_grouping == Grouping::Technique && level == 1 ? "(no technique)" : "(no module)";
        const auto category =
            m_grouping == Grouping::Category && level == 1 ? config::memoryCategoryFromText(node.name) : std::nullopt;
        return category ? std::string(config::titleOf(*category)) : node.name;
    }

    void addChildren(const FoldedNode& node, std::size_t level, std::size_t all, PeakTreeRow& row) const
    {
        if (node.children.empty())
            return;
        PeakTreeRow smaller{PeakTreeRow::Kind::Smaller, {}, 0, {}, {}};
        for (const FoldedNode& child : node.children) {
            PeakTreeRow next = read(child, level + 1, all);
            if (std::abs(next.bytes()) >= m_least) {
                row.rows.push_back(std::move(next));
                continue;
            }
            smaller.alike += child.count;
            add(smaller.categories, next.categories);
        }
        addItself(node, level, all, row);
        std::stable_sort(
            row.rows.begin(), row.rows.end(), [](const auto& a, const auto& b) { return a.bytes() > b.bytes(); });
        if (smaller.alike > 0) {
            smaller.name = fmt::format("({} smaller)", smaller.alike);
            row.rows.push_back(std::move(smaller));
        }
    }

    void addItself(const FoldedNode& node, std::size_t level, std::size_t all, PeakTreeRow& row) const
    {
        if (node.own == CategoryBytes{})
            return;
        row.rows.push_back({PeakTreeRow::Kind::Itself, level == 0 ? "(no module)" : "(itself)", 1,
            times(node.own, static_cast<Bytes>(all)), {}});
    }

    Grouping m_grouping;
    Bytes m_least;
};

std::string inFull(const PeakTreeRow& row)
{
    std::string name = row.whole.empty() ? row.name : row.whole;
    for (std::size_t end = name.find('\n'); end != std::string::npos; end = name.find('\n', end))
        name.replace(end, 1, " > ");
    return name;
}

void addLines(const PeakTreeRow& row, const std::string& path, Bytes whole, Table& table)
{
    std::vector<std::string> cells{path, std::to_string(row.alike), std::to_string(row.bytes()),
        whole == 0 ? "" : fmt::format("{:.6f}", static_cast<double>(row.bytes()) / static_cast<double>(whole))};
    for (const MemoryCategory category : config::kMemoryCategories)
        cells.push_back(std::to_string(row.categories.of(category)));
    table.rows.push_back(std::move(cells));
    for (const PeakTreeRow& next : row.rows)
        addLines(next, path + " > " + inFull(next), whole, table);
}

} // namespace

PeakTreeRow peakTree(const trace::MemoryNode& tree, Grouping grouping, double leastShare)
{
    const auto least = static_cast<Bytes>(std::ceil(leastShare * static_cast<double>(tree.bytes())));
    return TreeReader(grouping, std::max<Bytes>(least, 1)).read(trace::folded(tree), 0, 1);
}

std::string mostlyText(const CategoryBytes& categories)
{
    std::vector<MemoryCategory> order;
    for (const MemoryCategory category : config::kMemoryCategories)
        if (categories.of(category) != 0)
            order.push_back(category);
    std::stable_sort(order.begin(), order.end(),
        [&](MemoryCategory a, MemoryCategory b) { return categories.of(a) > categories.of(b); });
    if (order.size() == 1)
        return std::string(config::titleOf(order.front()));
    std::string text;
    for (std::size_t i = 0; i < std::min(order.size(), kMostCategories); ++i) {
        const std::string title(config::titleOf(order[i]));
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", i == 0 ? title : midSentence(title),
            shareText(categories.of(order[i]), categories.total()));
    }
    if (order.size() > kMostCategories)
        text += fmt::format(", {} more", order.size() - kMostCategories);
    return text;
}

Table toTable(const PeakTreeRow& root)
{
    Table table{{"path", "alike", "bytes", "share"}, {}};
    for (const MemoryCategory category : config::kMemoryCategories)
        table.header.push_back(fmt::format("{}_bytes", config::toText(category)));
    addLines(root, root.name, root.bytes(), table);
    return table;
}

} // namespace headroom::figures
