// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTrial.h"
#include "ui/timeline/TimelineWindow.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom::ui {

/// Trials that are compared, by the names that tell them apart. The first is what the others are compared with.
struct ComparedTrials {
    std::vector<const report::ReportTrial*> trials;
    QStringList names;
    std::vector<std::optional<TimelineSummary>>
        traced{}; ///< what their traces tell of their peaks, as far as it is known
};

ComparedTrials namedTrials(std::vector<const report::ReportTrial*> trials);

/// "A" for the first trial, "B" for the second: names are too long for the heads of columns and the labels of curves.
std::string letterOf(std::size_t trial);

struct CompareRow {
    QStringList cells; ///< as many as the header has
    QList<CompareRow> rows = {}; ///< what this one is the sum of
    bool isOpen = false; ///< its rows are seen at first
};

struct CompareTable {
    QStringList header;
    QList<CompareRow> rows;
};

/// Why the peaks differ, in one sentence for each trial after the first; from the breakdowns of the records, else
/// from traces. Empty for trials without either. A trial that ran out of memory has a sentence of what it held then. Of
/// more than two trials the sentences have the letters.
QStringList peakSentences(const ComparedTrials& compared);
/// What the trials hold at their peaks, by category and below that by part of the model: the first one's amounts, those
/// of a second one if there are two, and how much more or less each other one holds; the largest difference first. Of a
/// trial that ran out of memory, all that it held when it ended, as "≥ 77.4". Where call stacks are known, also by the
/// line that allocated it.
CompareTable peakTable(const ComparedTrials& compared);
/// Settings that differ, and facts of the machines that they ran on.
CompareTable settingsTable(const ComparedTrials& compared);

} // namespace headroom::ui
