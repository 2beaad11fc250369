// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/ResultSet.h"
#include "ui/session/Selection.h"

#include <QAction>
#include <QObject>

namespace headroom::ui {

/// Whether one device is predicted where the other one measures: the processor and its simulation, a GPU and a profile.
bool arePaired(const config::DeviceSpec& a, const config::DeviceSpec& b);

/// The trial of the same configuration that was measured where this one is predicted, or the other way round, on a
/// device of the same kind; null if there is none.
const report::ReportTrial* counterpartOf(const report::ReportTrial& trial, const ResultSet& results);

/// Commands that choose what is compared. Their keys work in the widgets that they are added to.
class CompareActions : public QObject {
    Q_OBJECT

public:
    CompareActions(Selection& selection, QObject* parent);

    void setResults(const Results& results);

    /// The selected trials; a single one with the baseline of its case.
    QAction* compare() const { return m_compare; }
    /// The current trial as it was measured beside as it is predicted.
    QAction* counterpart() const { return m_counterpart; }

Q_SIGNALS:
    /// What is to be compared has been selected.
    void wanted();
    /// The shown results do not have the counterpart of this trial.
    void counterpartMissing(const QString& trial);

private:
    QAction* add(const char* name, const QString& text, const QKeySequence& key);
    void refresh();
    const report::ReportTrial* current() const;
    /// What `compare` would compare; fewer than two: nothing.
    QStringList chosen() const;
    void compareChosen();
    void compareWithCounterpart();

    Selection& m_selection;
    Results m_results;
    QAction* m_compare;
    QAction* m_counterpart;
};

} // namespace headroom::ui
