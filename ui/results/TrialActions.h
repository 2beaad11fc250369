// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/ResultSet.h"
#include "ui/session/Selection.h"

#include <QAction>
#include <QList>
#include <QObject>

#include <functional>

class QWidget;

namespace headroom::ui {

/// What can be done with the selected trials of the shown results: actions for menus, with keys, which are enabled as
/// far as the selection allows. Whoever owns the services does it, when the signals ask for it.
class TrialActions : public QObject {
    Q_OBJECT

public:
    /// The keys work while `owner` or something in it has the focus.
    TrialActions(Selection& selection, QWidget& owner);

    void setResults(const Results& results);
    /// In the order of a menu; null separates.
    QList<QAction*> all() const;
    /// What others do with the selected trials: it stands before the rest, and its keys work where the others' do.
    void putFirst(const QList<QAction*>& actions);

Q_SIGNALS:
    /// The others of its case are to be compared with it; or no longer, if they are.
    void baselineWanted(const QString& trial);
    /// The experiment on the left is to become this trial.
    void formWanted(const QString& trial);
    void traceWanted(const QStringList& trials);
    void deletionWanted(const QStringList& trials);

private:
    QAction* add(QWidget& owner, const char* name, const QString& text, const QKeySequence& keys, const QString& tip);
    void refresh();
    QStringList shown() const;

    Selection& m_selection;
    Results m_results;
    QWidget& m_owner;
    QList<QAction*> m_first;
    QAction* m_baseline;
    QAction* m_form;
    QAction* m_trace;
    QAction* m_delete;
};

} // namespace headroom::ui
