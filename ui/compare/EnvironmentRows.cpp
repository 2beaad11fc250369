// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/EnvironmentRows.h"

#include "experiments/report/DetailTables.h"

#include <algorithm>
#include <utility>

namespace headroom::ui {
namespace {

using MachineFacts = std::vector<std::pair<std::string, std::string>>;

MachineFacts factsOf(const std::optional<TimelineSummary>& traced)
{
    report::ReportContent content;
    if (traced && !traced->environmentJson.empty())
        content.environment = experiments::OrderedJson::parse(traced->environmentJson, nullptr, false);
    MachineFacts facts;
    for (const report::ReportRow& row : report::environmentTable(content).rows)
        facts.emplace_back(row.cells[0].text, row.cells[1].text);
    return facts;
}

QString factIn(const MachineFacts& facts, const std::string& name)
{
    const auto found = std::ranges::find(facts, name, &MachineFacts::value_type::first);
    return found == facts.end() ? QLatin1String(kUnknownCell) : QString::fromStdString(found->second);
}

} // namespace

QList<CompareRow> environmentRows(const ComparedTrials& compared)
{
    std::vector<MachineFacts> all;
    std::vector<std::string> names;
    for (const auto& traced : compared.traced) {
        all.push_back(factsOf(traced));
        for (const auto& [name, value] : all.back())
            if (std::ranges::find(names, name) == names.end())
                names.push_back(name);
    }
    QList<CompareRow> rows;
    for (const std::string& name : names) {
        QStringList row{QString::fromStdString(name)};
        for (const MachineFacts& facts : all)
            row.append(factIn(facts, name));
        if (std::any_of(row.begin() + 2, row.end(), [&](const QString& cell) { return cell != row[1]; }))
            rows.append({row});
    }
    return rows;
}

} // namespace headroom::ui
