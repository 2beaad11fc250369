// SPDX-License-Identifier: Apache-2.0
#include "ui/session/ResultSet.h"

#include "experiments/report/TrialTable.h"

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

const report::ReportTrial* ResultSet::find(const std::string& trialId) const
{
    const auto found = m_index.find(trialId);
    return found == m_index.end() ? nullptr : &m_content.trials[found->second];
}

} // namespace headroom::ui
