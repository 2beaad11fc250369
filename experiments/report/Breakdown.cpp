// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/Breakdown.h"

#include "core/base/Quantities.h"
#include "experiments/report/DetailTables.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace headroom::report {

using config::MemoryCategory;

namespace {

constexpr double kLeastShare = 0.01; ///< of a row of its own

MemoryCategory categoryNamed(const std::string& name)
{
    return config::memoryCategoryFromText(name).value_or(MemoryCategory::Unknown);
}

std::vector<std::string> partsOf(const std::string& path)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        parts.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

Origin breakdownOrigin(const ReportTrial& trial)
{
    return originOf(trial.provenance());
}

ReportCell bytesCell(Bytes bytes, Origin origin)
{
    return {std::to_string(bytes), origin, std::to_string(bytes)};
}

/// A row of the tree with the names above it.
struct PlacedRow {
    std::string path;
    const figures::PeakTreeRow* row = nullptr;
};

// Leaves alone: they do not overlap, so that they may be compared and added up.
void collectLeaves(const figures::PeakTreeRow& row, const std::string& path, std::vector<PlacedRow>& leaves)
{
    for (const figures::PeakTreeRow& next : row.rows) {
        const std::string name = path.empty() ? next.name : path + " > " + next.name;
        if (next.rows.empty())
            leaves.push_back({name, &next});
        else
            collectLeaves(next, name, leaves);
    }
}

} // namespace

trace::CategoryBytes categoriesOf(const protocol::MemoryBreakdown& breakdown)
{
    trace::CategoryBytes categories;
    for (const auto& [name, bytes] : breakdown.categories)
        categories.of(categoryNamed(name)) += bytes;
    return categories;
}

trace::MemoryNode moduleTree(const protocol::MemoryBreakdown& breakdown)
{
    trace::MemoryTreeGrowth growth;
    for (const protocol::ModuleBytes& module : breakdown.modules)
        for (const auto& [name, bytes] : module.categories)
            growth.add(partsOf(module.path), categoryNamed(name), bytes);
    return growth.take();
}

namespace {

/// The categories that any trial holds something of, in their order.
std::vector<MemoryCategory> occurringIn(const std::vector<ReportTrial>& trials)
{
    trace::CategoryBytes sum;
    for (const ReportTrial& trial : trials)
        if (const auto& breakdown = trial.result.breakdown)
            for (const auto& [name, bytes] : breakdown->categories)
                sum.of(categoryNamed(name)) += std::abs(bytes);
    std::vector<MemoryCategory> occurring;
    std::ranges::copy_if(config::kMemoryCategories, std::back_inserter(occurring),
        [&](MemoryCategory category) { return sum.of(category) != 0; });
    return occurring;
}

} // namespace

ReportTable breakdownTable(const ReportContent& content, const Comparison& comparison)
{
    const std::vector<MemoryCategory> occurring = occurringIn(content.trials);
    ReportTable table{{{"trial"}, {"kind"}, {"reached in"}, {"peak allocated (bytes)", CellKind::Number}}, {}};
    for (const MemoryCategory category : occurring)
        table.columns.push_back({std::string(config::titleOf(category)), CellKind::Number});
    for (const ReportTrial& trial : content.trials) {
        const auto& breakdown = trial.result.breakdown;
        if (!breakdown)
            continue;
        const Origin origin = breakdownOrigin(trial);
        ReportRow row{trial.id(),
            {{nameOf(trial, comparison)}, {trial.kind()}, {breakdown->phase.empty() ? kUnknownCell : breakdown->phase},
                bytesCell(breakdown->totalBytes, origin)}};
        const trace::CategoryBytes categories = categoriesOf(*breakdown);
        for (const MemoryCategory category : occurring)
            row.cells.push_back(bytesCell(categories.of(category), origin));
        table.rows.push_back(std::move(row));
    }
    return table;
}

ReportTable largestSources(const ReportTrial& trial, std::size_t most)
{
    ReportTable table{{{"line"}, {"bytes", CellKind::Number}, {"share", CellKind::Number}, {"of which"}}, {}};
    const auto& breakdown = trial.result.breakdown;
    if (!breakdown)
        return table;
    for (const protocol::SourceBytes& source : breakdown->sources) {
        if (table.rows.size() == most)
            break;
        trace::CategoryBytes categories;
        for (const auto& [name, bytes] : source.categories)
            categories.of(categoryNamed(name)) += bytes;
        table.rows.push_back({trial.id(),
            {{source.line}, bytesCell(source.bytes, breakdownOrigin(trial)),
                {shareText(source.bytes, breakdown->totalBytes)}, {figures::mostlyText(categories)}}});
    }
    return table;
}

ReportTable largestModules(const ReportTrial& trial, std::size_t most)
{
    ReportTable table{{{"held by"}, {"bytes", CellKind::Number}, {"share", CellKind::Number}, {"of which"}}, {}};
    const auto& breakdown = trial.result.breakdown;
    if (!breakdown)
        return table;
    const figures::PeakTreeRow tree = figures::peakTree(moduleTree(*breakdown), trace::Grouping::Module, kLeastShare);
    std::vector<PlacedRow> leaves;
    collectLeaves(tree, {}, leaves);
    std::ranges::stable_sort(leaves, [](const auto& a, const auto& b) { return a.row->bytes() > b.row->bytes(); });
    leaves.resize(std::min(leaves.size(), most));
    for (const PlacedRow& leaf : leaves)
        table.rows.push_back({trial.id(),
            {{leaf.path}, bytesCell(leaf.row->bytes(), breakdownOrigin(trial)),
                {shareText(leaf.row->bytes(), tree.bytes())}, {figures::mostlyText(leaf.row->categories)}}});
    return table;
}

} // namespace headroom::report
