// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/DetailTables.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/report/TableBuilder.h"

#include <algorithm>

namespace headroom::report {
namespace {

std::vector<const ReportTrial*> pointersTo(const std::vector<ReportTrial>& trials)
{
    std::vector<const ReportTrial*> pointers;
    for (const ReportTrial& trial : trials)
        pointers.push_back(&trial);
    return pointers;
}

std::string factText(const std::string& key, const OrderedJson& value)
{
    if (value.is_null())
        return kUnknownCell;
    if (key == "memory_bytes")
        return sizeText(value.get<Bytes>());
    if (value.is_boolean())
        return value.get<bool>() ? "yes" : "no";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string factName(std::string key)
{
    const bool isVariable = std::any_of(key.begin(), key.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (isVariable)
        return key;
    return key == "memory_bytes" ? "memory" : inWords(std::move(key));
}

// Variables are facts of their own.
OrderedJson flattened(const OrderedJson& environment)
{
    OrderedJson flat = OrderedJson::object();
    for (const auto& [key, value] : environment.items())
        if (!value.is_object())
            flat[key] = value;
        else
            for (const auto& [name, text] : value.items())
                flat["$" + name] = text;
    return flat;
}

} // namespace

std::string nameOf(const ReportTrial& trial, const Comparison& comparison)
{
    const std::string& title = comparison.groupOf(trial).title;
    return title.empty() ? trial.techniques : title + " | " + trial.techniques;
}

ReportTable marked(ReportTable table, const Comparison& comparison)
{
    if (comparison.isMixed())
        return table;
    for (ReportRow& row : table.rows)
        for (ReportCell& cell : row.cells)
            cell.origin = Origin::Plain;
    const auto kind = std::ranges::find(table.columns, "kind", &ReportColumn::title);
    if (kind == table.columns.end())
        return table;
    const auto index = kind - table.columns.begin();
    table.columns.erase(kind);
    for (ReportRow& row : table.rows)
        row.cells.erase(row.cells.begin() + index);
    return table;
}

ReportTable differenceTable(const ReportContent& content)
{
    const Facets facets(pointersTo(content.trials), Facets::Of::Everything);
    TableBuilder builder(content.trials);
    builder.addText("trial", [](const ReportTrial& trial) { return trial.id().substr(0, 8); });
    for (const std::string& key : facets.varying())
        builder.addText(key, [&](const ReportTrial& trial) { return facets.value(trial, key); });
    return builder.table();
}

std::vector<Facet> sharedSettings(const ReportContent& content)
{
    return Facets(pointersTo(content.trials), Facets::Of::Everything).shared();
}

ReportTable differenceTable(const ReportTrial& trial, const ReportTrial& other)
{
    const Facets facets({&trial, &other}, Facets::Of::Everything);
    ReportTable table{{{"setting"}, {"here"}, {"there"}}, {}};
    for (const std::string& key : facets.varying())
        table.rows.push_back({trial.id(), {{key}, {facets.value(trial, key)}, {facets.value(other, key)}}});
    return table;
}

ReportTable effectTable(const ReportTrial& trial)
{
    ReportTable table{{{"technique"}, {"in effect"}}, {}};
    for (const experiments::TechniqueResult& technique : trial.result.techniques)
        if (technique.effective)
            table.rows.push_back({trial.id(), {{technique.key}, {*technique.effective}}});
    return table;
}

std::vector<std::string> flagReasons(const ReportTrial& trial)
{
    std::vector<std::string> reasons;
    for (const experiments::TrialFlag& flag : trial.result.flags)
        reasons.push_back(inWords(flag.name) + ": " + flag.reason);
    return reasons;
}

ReportTable flagTable(const ReportContent& content, const Comparison& comparison)
{
    ReportTable table{{{"trial"}, {"kind"}, {"why it is flagged"}}, {}};
    for (const ReportTrial& trial : content.trials)
        for (const std::string& reason : flagReasons(trial))
            table.rows.push_back({trial.id(), {{nameOf(trial, comparison)}, {trial.kind()}, {reason}}});
    return table;
}

ReportTable endingTable(const ReportContent& content, const Comparison& comparison)
{
    ReportTable table{{{"trial"}, {"kind"}, {"outcome"}, {"reason"}}, {}};
    for (const ReportTrial& trial : content.trials)
        if (!trial.isCompleted()) {
            const std::string reason = trial.ending();
            table.rows.push_back({trial.id(),
                {{nameOf(trial, comparison)}, {trial.kind()}, {inWords(toText(trial.result.outcome))},
                    {reason.empty() ? kUnknownCell : reason}}});
        }
    return table;
}

ReportTable remarkTable(const ReportContent& content)
{
    ReportTable table{{{"severity"}, {"trial"}, {"remark"}, {"times", CellKind::Number}}, {}};
    for (const Remark& remark : content.remarks)
        table.rows.push_back({"",
            {{remark.severity}, {remark.trial.empty() ? "whole run" : remark.trial}, {remark.message},
                {std::to_string(remark.count)}}});
    return table;
}

ReportTable environmentTable(const ReportContent& content)
{
    ReportTable table{{{"fact"}, {"value"}}, {}};
    if (!content.environment.is_object())
        return table;
    const OrderedJson facts = flattened(content.environment);
    for (const auto& [key, value] : facts.items()) {
        ReportRow row{"", {{factName(key)}, {factText(key, value)}}};
        for (const OrderedJson& other : content.environments) {
            const std::string text = factText(key, flattened(other).value(key, value));
            if (row.cells[1].text.find(text) == std::string::npos)
                row.cells[1].text += "; " + text + " (another part of the run)";
        }
        table.rows.push_back(row);
    }
    return table;
}

} // namespace headroom::report
