// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTrial.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <vector>

namespace headroom::ui {

/// Trials that are compared, by the names that tell them apart. The first is what the others are compared with.
struct ComparedTrials {
    std::vector<const report::ReportTrial*> trials;
    QStringList names;
};

ComparedTrials namedTrials(std::vector<const report::ReportTrial*> trials);

/// A table of texts: the header, then rows of as many cells.
struct CompareTable {
    QStringList header;
    QList<QStringList> rows;
};

/// Why the peaks differ, in one sentence for each trial after the first; from the breakdowns of the records. Empty for
/// trials without one.
QStringList peakSentences(const ComparedTrials& compared);
/// What each trial holds at its peak, by category, and of two trials by part of the model and with the signed
/// difference, the largest first.
CompareTable peakTable(const ComparedTrials& compared);
/// Settings that differ.
CompareTable settingsTable(const ComparedTrials& compared);

} // namespace headroom::ui
