// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/ImportedReport.h"

#include "core/archive/Blocks.h"
#include "core/archive/FeedForwards.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/config/imported/ImportedRefusals.h"

#include <map>

namespace headroom::cli {
namespace {

using archive::ExportedModel;
using experiments::OrderedJson;

OrderedJson blockRecords(const archive::Blocks& blocks)
{
    OrderedJson records = OrderedJson::array();
    for (const archive::BlockRange& range : blocks.ranges)
        records.push_back({{"path", range.path}, {"class", range.type},
            {"nodes", static_cast<std::int64_t>(range.last - range.first + 1)}});
    return records;
}

OrderedJson dimensionRecords(const ExportedModel& model)
{
    OrderedJson records = OrderedJson::array();
    for (const archive::FreeDimension& dimension : model.dimensions)
        records.push_back({{"name", dimension.name}, {"also", dimension.aliases}, {"example", dimension.example},
            {"minimum", dimension.minimum},
            {"maximum", dimension.maximum ? OrderedJson(*dimension.maximum) : OrderedJson(nullptr)}});
    return records;
}

OrderedJson inputRecords(const ExportedModel& model)
{
    OrderedJson records = OrderedJson::array();
    for (const archive::UserInput& input : model.inputs) {
        OrderedJson sizes = OrderedJson::array();
        if (input.tensor)
            for (const archive::Size& size : input.tensor->sizes)
                sizes.push_back(size.example);
        records.push_back({{"name", input.name},
            {"dtype",
                input.tensor ? OrderedJson(archive::scalarTypeName(input.tensor->scalarType)) : OrderedJson("int")},
            {"sizes", std::move(sizes)}});
    }
    return records;
}

std::vector<std::string> allRefusals(const ExportedModel& model, const ImportedInspection& inspection)
{
    std::vector<std::string> refusals = config::refusalsToRun(model);
    for (const std::string& refusal : config::refusalsToTrain(model))
        refusals.push_back("training: " + refusal);
    for (const std::string& refusal : config::refusalsToSimulate(model))
        refusals.push_back("simulation: " + refusal);
    for (const std::string& refusal : inspection.refusals)
        refusals.push_back("simulation: " + refusal);
    return refusals;
}

// Runs of one class in one numbered list are one row.
Table blockTable(const archive::Blocks& blocks)
{
    Table table({{"blocks"}, {"class"}, {"number", Alignment::Right}});
    std::vector<std::pair<std::string, std::string>> order;
    std::map<std::pair<std::string, std::string>, std::size_t> counts;
    for (const archive::BlockRange& range : blocks.ranges) {
        const std::pair key(range.path.substr(0, range.path.rfind('.')), range.type);
        if (counts[key]++ == 0)
            order.push_back(key);
    }
    for (const auto& key : order)
        table.addRow({key.first, key.second, std::to_string(counts[key])});
    return table;
}

std::string limitText(const std::optional<std::int64_t>& limit)
{
    return limit ? std::to_string(*limit) : "";
}

Table dimensionTable(const ExportedModel& model)
{
    Table table({{"workload."}, {"also as"}, {"export's", Alignment::Right}, {"least", Alignment::Right},
        {"most", Alignment::Right}});
    for (const archive::FreeDimension& dimension : model.dimensions)
        table.addRow({dimension.name, joined(dimension.aliases), std::to_string(dimension.example),
            std::to_string(dimension.minimum), limitText(dimension.maximum)});
    return table;
}

void addList(Report& report, const std::string& title, const std::vector<std::string>& lines)
{
    if (lines.empty())
        return;
    Table table({{title}});
    for (const std::string& line : lines)
        table.addRow({line});
    report.sections.push_back({"", "", std::move(table), ""});
}

// In csv and jsonl each is a row like those of fields and shapes.
void addRecords(Report& report, const char* name, const std::vector<std::string>& lines)
{
    for (const std::string& line : lines)
        report.records.push_back({{"section", "imported"}, {"name", name}, {"default", nullptr}, {"valid", ""},
            {"choices", OrderedJson::array()}, {"help", line}});
}

OrderedJson orUnknown(const ImportedInspection& inspection, const std::vector<std::string>& ops)
{
    return inspection.unknown.empty() ? OrderedJson(ops) : OrderedJson(nullptr);
}

std::vector<std::string> blockPaths(const archive::Blocks& blocks)
{
    std::vector<std::string> paths;
    for (const archive::BlockRange& range : blocks.ranges)
        paths.push_back(range.path);
    return paths;
}

} // namespace

void addImported(Report& report, const config::ModelDescriptor& model, const ImportedInspection& inspection)
{
    const auto archive = config::importedArchiveOf(model.name);
    const archive::Blocks blocks = archive::findBlocks(*archive, {}, "model.blocks");
    std::vector<std::string> remarks = archive->remarks;
    remarks.insert(remarks.end(), blocks.remarks.begin(), blocks.remarks.end());
    if (!inspection.unknown.empty())
        remarks.push_back("which ops a simulated device lacks is not known: " + inspection.unknown);
    const std::vector<std::string> refusals = allRefusals(*archive, inspection);
    const std::vector<std::string> feedForwards =
        archive::describeFeedForwards(*archive, archive::findFeedForwards(*archive, blocks));
    report.sections.push_back({"Blocks", "", blockTable(blocks), ""});
    report.sections.push_back({"Free sizes", "", dimensionTable(*archive), ""});
    addList(report, "feed-forwards that split_ffn slices", feedForwards);
    addList(report, "ops that no simulated device can run", inspection.opsWithoutMeta);
    addList(report, "ops without a cost rule (counted as one pass over their tensors)", inspection.opsWithoutCost);
    addList(report, "refused", refusals);
    addList(report, "remarks", remarks);
    addRecords(report, "block", blockPaths(blocks));
    addRecords(report, "feed_forward", feedForwards);
    addRecords(report, "op_without_meta", inspection.opsWithoutMeta);
    addRecords(report, "op_without_cost", inspection.opsWithoutCost);
    addRecords(report, "refusal", refusals);
    addRecords(report, "remark", remarks);
    report.document["imported"] = {{"file", archive->file.string()}, {"content", archive->contentId},
        {"class", archive->notes.model.empty() ? OrderedJson(nullptr) : OrderedJson(archive->notes.model)},
        {"torch_version", archive->torchVersion}, {"dtype", config::toText(model.publishedDtype)},
        {"inputs", inputRecords(*archive)}, {"guards", archive->guards}, {"blocks", blockRecords(blocks)},
        {"feed_forwards", feedForwards}, {"free_dimensions", dimensionRecords(*archive)},
        {"ops_without_meta", orUnknown(inspection, inspection.opsWithoutMeta)},
        {"ops_without_cost", orUnknown(inspection, inspection.opsWithoutCost)}, {"refusals", refusals},
        {"remarks", remarks}};
}

} // namespace headroom::cli
