// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/ReportTable.h"

#include <QString>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace headroom::ui {

/// The results of an experiment as all views show them, and as its report would say them; or of several, shown
/// together. Immutable: made on a background thread, shared by views. Its timelines are empty; the timeline view reads
/// the window that it shows.
class ResultSet {
public:
    /// `workspace` is the file the content was read from; `references` as of report::Comparison.
    ResultSet(std::string workspace, report::ReportContent content, const std::set<std::string>& references = {});
    ResultSet(const ResultSet&) = delete;
    ResultSet& operator=(const ResultSet&) = delete;

    const std::string& workspace() const { return m_workspace; }
    const report::ReportContent& content() const { return m_content; }
    const report::Comparison& comparison() const { return m_comparison; }
    /// The trials in the words of a report, with a column for each axis of the sweep.
    const report::ReportTable& table() const { return m_table; }

    /// Names of the models, each once, in the order of the trials.
    std::vector<std::string> models() const;
    /// Names of the devices, likewise.
    std::vector<std::string> devices() const;
    /// Numbers of the experiments, in the order in which they are shown.
    std::vector<std::int64_t> experiments() const;
    bool isOfSeveral() const { return experiments().size() > 1; }
    /// Whose results they are, and when they were begun: "ltx-tradeoff, ltx-video-2b, sim:h100-80gb, 32 trials,
    /// 2026-03-01 12:30 UTC"; of several experiments "2 experiments: a, b; 40 trials".
    QString title() const;
    /// What a file with them is called: its name unless it has none, models, devices and the day on which they were
    /// begun.
    QString fileWords() const;

    /// Null where there is no such trial.
    const report::ReportTrial* find(const std::string& trialId) const;
    /// What to look at before anything is chosen: the first completed trial. Of a recording, whose trials are devices:
    /// the one that ran out of memory, else the one that held the most. Null where no trial has anything to show.
    const report::ReportTrial* firstToLookAt() const;
    /// The number of the experiment that a trial of this set is stored under.
    std::int64_t experimentOf(const report::ReportTrial& trial) const;
    /// The id that it is stored under.
    static const std::string& storedId(const report::ReportTrial& trial);

private:
    std::string m_workspace;
    report::ReportContent m_content;
    report::Comparison m_comparison; ///< points into m_content
    report::ReportTable m_table;
    std::map<std::string, std::size_t> m_index; ///< by trial id
};

/// Null: nothing is shown.
using Results = std::shared_ptr<const ResultSet>;

/// Whether both are of the same experiments of the same workspace; what is zoomed to and chosen then stays.
bool areOfSameExperiments(const Results& a, const Results& b);

} // namespace headroom::ui
