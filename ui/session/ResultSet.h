// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/ReportTable.h"

#include <QString>

#include <map>
#include <memory>
#include <string>

namespace headroom::ui {

/// The results of one experiment as all views show them, and as its report would say them. Immutable: made on a
/// background thread, shared by views. Its timelines are empty; the timeline view reads the window that it shows.
class ResultSet {
public:
    /// `workspace` is the file the content was read from.
    ResultSet(std::string workspace, report::ReportContent content);
    ResultSet(const ResultSet&) = delete;
    ResultSet& operator=(const ResultSet&) = delete;

    const std::string& workspace() const { return m_workspace; }
    const report::ReportContent& content() const { return m_content; }
    const report::Comparison& comparison() const { return m_comparison; }
    /// The trials in the words of a report.
    const report::ReportTable& table() const { return m_table; }

    /// Names of the models, each once, in the order of the trials.
    std::vector<std::string> models() const;
    /// Whose results they are: "ltx-tradeoff, ltx-video-2b, 32 trials".
    QString title() const;

    /// Null where there is no such trial.
    const report::ReportTrial* find(const std::string& trialId) const;

private:
    std::string m_workspace;
    report::ReportContent m_content;
    report::Comparison m_comparison; ///< points into m_content
    report::ReportTable m_table;
    std::map<std::string, std::size_t> m_index; ///< by trial id
};

/// Null: nothing is shown.
using Results = std::shared_ptr<const ResultSet>;

} // namespace headroom::ui
