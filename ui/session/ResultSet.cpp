// SPDX-License-Identifier: Apache-2.0
#include "ui/session/ResultSet.h"

#include "core/base/Wording.h"
#include "experiments/report/Facets.h"
#include "experiments/report/TrialTable.h"

#include <QStringList>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr std::size_t kMostAxes = 6; ///< more columns than that would push the results out of sight

// "checkpointing", "batch", "device"
std::string columnTitle(const std::string& key)
{
    if (key == "device.name")
        return "device";
    const std::size_t dot = key.rfind('.');
    return dot == std::string::npos || key.starts_with("model.name") ? key : key.substr(dot + 1);
}

// Where trials differ in several settings, each has a column of its own in place of those that name all of them.
report::ReportTable withAxes(report::ReportTable table, const std::vector<report::ReportTrial>& trials)
{
    std::vector<const report::ReportTrial*> all;
    for (const report::ReportTrial& trial : trials)
        all.push_back(&trial);
    const report::Facets facets(all, report::Facets::Of::Everything);
    const auto& axes = facets.varying();
    if (axes.size() < 2 || axes.size() > kMostAxes || table.rows.size() != trials.size())
        return table;
    std::size_t identity = 0; // the columns that name the trial come first
    while (identity < table.columns.size()
        && (table.columns[identity].title == "case" || table.columns[identity].title == "techniques"))
        ++identity;
    const auto places = static_cast<std::ptrdiff_t>(identity);
    table.columns.erase(table.columns.begin(), table.columns.begin() + places);
    for (std::size_t row = 0; row < trials.size(); ++row) {
        auto& cells = table.rows[row].cells;
        cells.erase(cells.begin(), cells.begin() + places);
        std::vector<report::ReportCell> own;
        for (const std::string& axis : axes)
            own.push_back({facets.value(trials[row], axis), report::Origin::Plain, {}});
        cells.insert(cells.begin(), own.begin(), own.end());
    }
    std::vector<report::ReportColumn> columns;
    for (const std::string& axis : axes)
        columns.push_back({columnTitle(axis), report::CellKind::Text, axis});
    table.columns.insert(table.columns.begin(), columns.begin(), columns.end());
    return table;
}

} // namespace

ResultSet::ResultSet(std::string workspace, report::ReportContent content)
    : m_workspace(std::move(workspace))
    , m_content(std::move(content))
    , m_comparison(m_content.trials)
    , m_table(withAxes(report::trialTable(m_content, m_comparison), m_content.trials))
{
    for (std::size_t i = 0; i < m_content.trials.size(); ++i)
        m_index.emplace(m_content.trials[i].id(), i);
}

std::vector<std::string> ResultSet::models() const
{
    std::vector<std::string> names;
    for (const report::ReportTrial& trial : m_content.trials)
        if (const std::string& name = trial.planned.configuration.model; std::ranges::find(names, name) == names.end())
            names.push_back(name);
    return names;
}

QString ResultSet::title() const
{
    QStringList parts{QString::fromStdString(m_content.experiment)};
    for (const std::string& model : models())
        parts.append(QString::fromStdString(model));
    const auto trials = static_cast<std::int64_t>(m_content.trials.size());
    parts.append(QString::fromStdString(counted(trials, "trial")));
    return parts.join(QStringLiteral(", "));
}

const report::ReportTrial* ResultSet::find(const std::string& trialId) const
{
    const auto found = m_index.find(trialId);
    return found == m_index.end() ? nullptr : &m_content.trials[found->second];
}

} // namespace headroom::ui
