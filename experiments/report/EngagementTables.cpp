// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/EngagementTables.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/report/Facets.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace headroom::report {
namespace {

using config::CounterDescriptor;
using config::TechniqueDescriptor;

constexpr std::size_t kMostColumns = 8; ///< before cases share one

using TrialList = std::vector<const ReportTrial*>;

bool isSwitchedOn(const ReportTrial& trial, const TechniqueDescriptor& technique)
{
    return trial.planned.configuration.technique(technique.key).notation != technique.off;
}

TrialList trialsWith(const ReportContent& content, const TechniqueDescriptor& technique)
{
    TrialList trials;
    for (const ReportTrial& trial : content.trials)
        if (isSwitchedOn(trial, technique))
            trials.push_back(&trial);
    return trials;
}

bool countsBytes(const CounterDescriptor& counter)
{
    return (" " + inWords(counter.name) + " ").find(" bytes ") != std::string::npos;
}

std::string countText(const CounterDescriptor& counter, std::int64_t value)
{
    return countsBytes(counter) ? sizeText(value) : grouped(value);
}

/// The notation, and of the options those in which the trials differ: "every:2", "host, mode foreach".
class SettingNames {
public:
    SettingNames(const TrialList& trials, const TechniqueDescriptor& technique)
        : m_technique(technique)
    {
        std::map<std::string, std::set<std::string>> values; // by option
        for (const ReportTrial* trial : trials)
            if (const config::TechniqueSetting& setting = settingOf(*trial); config::isChosen(technique, setting))
                for (const auto& [option, value] : setting.options)
                    values[option].insert(config::toLabel(value));
        for (const auto& [option, distinct] : values)
            if (distinct.size() > 1)
                m_options.push_back(option);
    }

    std::string of(const ReportTrial& trial) const
    {
        const config::TechniqueSetting& setting = settingOf(trial);
        std::string name = setting.notation;
        for (const std::string& option : m_options)
            name += ", " + inWords(option) + " "
                + (config::isChosen(m_technique, setting) ? config::toLabel(setting.options.at(option)) : kUnknownCell);
        return name;
    }

private:
    const config::TechniqueSetting& settingOf(const ReportTrial& trial) const
    {
        return trial.planned.configuration.technique(m_technique.key);
    }

    const TechniqueDescriptor& m_technique;
    std::vector<std::string> m_options; ///< in which the trials differ
};

/// Trials that share a column, in the order in which they occur.
struct SettingColumn {
    std::string title;
    TrialList trials;
};

template <typename Title> std::vector<SettingColumn> columnsOf(const TrialList& trials, const Title& title)
{
    std::vector<SettingColumn> columns;
    for (const ReportTrial* trial : trials) {
        const std::string name = title(*trial);
        auto column = std::ranges::find(columns, name, &SettingColumn::title);
        if (column == columns.end())
            column = columns.insert(columns.end(), {name, {}});
        column->trials.push_back(trial);
    }
    return columns;
}

std::vector<SettingColumn> settingColumns(
    const TrialList& trials, const TechniqueDescriptor& technique, const Comparison& comparison)
{
    const SettingNames names(trials, technique);
    const auto withCase = [&](const ReportTrial& trial) {
        const std::string& title = comparison.groupOf(trial).title;
        return title.empty() ? names.of(trial) : title + ": " + names.of(trial);
    };
    const auto columns = columnsOf(trials, withCase);
    if (columns.size() <= kMostColumns)
        return columns;
    return columnsOf(trials, [&](const ReportTrial& trial) { return names.of(trial); });
}

/// The least and the most of a counter, as far as trials have it.
ReportCell counterCell(const TrialList& trials, const TechniqueDescriptor& technique, const CounterDescriptor& counter)
{
    std::set<std::int64_t> values;
    Origin origin = Origin::Plain;
    for (const ReportTrial* trial : trials)
        if (const auto value = trial->result.counter(technique.key, counter.name)) {
            values.insert(*value);
            origin = std::max(origin, originOf(trial->provenance()));
        }
    if (values.empty())
        return {kUnknownCell};
    const std::string least = countText(counter, *values.begin());
    const std::string most = countText(counter, *values.rbegin());
    return {least == most ? least : least + " to " + most, origin};
}

ReportTable tableOf(const TechniqueDescriptor& technique, const std::vector<SettingColumn>& columns)
{
    ReportTable table{{{"counter"}}, {}};
    for (const SettingColumn& column : columns)
        table.columns.push_back({column.title, CellKind::Number});
    table.columns.push_back({"what is counted"});
    for (const CounterDescriptor& counter : technique.counters) {
        ReportRow row{"", {{inWords(counter.name)}}};
        for (const SettingColumn& column : columns)
            row.cells.push_back(counterCell(column.trials, technique, counter));
        row.cells.push_back({counter.help});
        if (std::any_of(row.cells.begin() + 1, row.cells.end() - 1,
                [](const ReportCell& cell) { return cell.text != kUnknownCell; }))
            table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace

std::vector<EngagementTable> engagementTables(const ReportContent& content, const Comparison& comparison)
{
    std::vector<EngagementTable> tables;
    for (const TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const TrialList trials = trialsWith(content, technique);
        if (trials.empty() || technique.counters.empty())
            continue;
        ReportTable table = tableOf(technique, settingColumns(trials, technique, comparison));
        if (!table.rows.empty())
            tables.push_back({technique.key, std::move(table)});
    }
    return tables;
}

ReportTable engagementTable(const ReportTrial& trial)
{
    ReportTable table{{{"counter"}, {"per step", CellKind::Number}}, {}};
    const Origin origin = originOf(trial.provenance());
    for (const TechniqueDescriptor& technique : config::techniqueCatalogue())
        for (const CounterDescriptor& counter : technique.counters)
            if (const auto value = trial.result.counter(technique.key, counter.name);
                value && isSwitchedOn(trial, technique))
                table.rows.push_back({trial.id(),
                    {{technique.key + ": " + inWords(counter.name)}, {countText(counter, *value), origin}}});
    return table;
}

ReportTable settingTable(const ReportContent& content)
{
    ReportTable table{{{"technique"}, {"setting"}, {"in effect"}}, {}};
    for (const TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        std::set<std::pair<std::string, std::string>> seen;
        for (const ReportTrial* trial : trialsWith(content, technique))
            for (const experiments::TechniqueResult& result : trial->result.techniques) {
                if (result.key != technique.key || !result.effective)
                    continue;
                const std::string setting = trial->planned.configuration.technique(technique.key).notation;
                if (seen.emplace(setting, *result.effective).second)
                    table.rows.push_back({"", {{technique.key}, {setting}, {*result.effective}}});
            }
    }
    return table;
}

} // namespace headroom::report
