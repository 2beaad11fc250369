// SPDX-License-Identifier: Apache-2.0
#include "ui/session/ResultSet.h"

#include "core/base/Wording.h"
#include "experiments/report/TrialTable.h"

#include <QStringList>

#include <algorithm>

namespace headroom::ui {

ResultSet::ResultSet(std::string workspace, report::ReportContent content)
    : m_workspace(std::move(workspace))
    , m_content(std::move(content))
    , m_comparison(m_content.trials)
    , m_table(report::trialTable(m_content, m_comparison))
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
