// SPDX-License-Identifier: Apache-2.0
#include "ui/results/TrialActions.h"

#include "core/base/Wording.h"

#include <QWidget>

namespace headroom::ui {
namespace {

bool isReference(const Results& results, const report::ReportTrial& trial)
{
    return results->comparison().groupOf(trial).reference == &trial;
}

} // namespace

TrialActions::TrialActions(Selection& selection, QWidget& owner)
    : QObject(&owner)
    , m_selection(selection)
    , m_owner(owner)
    , m_baseline(add(owner, "useAsBaseline", QStringLiteral("Use as &baseline"), QKeySequence(Qt::Key_B),
          QStringLiteral("What is saved, and what speed is kept, is against this trial")))
    , m_form(add(owner, "putIntoForm", QStringLiteral("Put into the &form"), QKeySequence(Qt::CTRL | Qt::Key_Return),
          QStringLiteral("The experiment on the left becomes this trial; undo brings back what it was")))
    , m_trace(add(owner, "runWithTrace", QStringLiteral("Run with &trace"), QKeySequence(Qt::Key_R),
          QStringLiteral("Runs the selected trials once more and records where every byte is")))
    , m_delete(add(owner, "deleteTrials", QStringLiteral("&Delete..."), QKeySequence::Delete,
          QStringLiteral("Takes the selected trials out of the workspace, after a question")))
{
    connect(m_baseline, &QAction::triggered, this, [this] { Q_EMIT baselineWanted(m_selection.current()); });
    connect(m_form, &QAction::triggered, this, [this] { Q_EMIT formWanted(m_selection.current()); });
    connect(m_trace, &QAction::triggered, this, [this] { Q_EMIT traceWanted(shown()); });
    connect(m_delete, &QAction::triggered, this, [this] { Q_EMIT deletionWanted(shown()); });
    connect(&selection, &Selection::changed, this, &TrialActions::refresh);
    refresh();
}

QAction* TrialActions::add(
    QWidget& owner, const char* name, const QString& text, const QKeySequence& keys, const QString& tip)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    owner.addAction(action);
    return action;
}

QList<QAction*> TrialActions::all() const
{
    return m_first + QList<QAction*>{m_baseline, m_form, m_trace, nullptr, m_delete};
}

void TrialActions::putFirst(const QList<QAction*>& actions)
{
    m_first = actions;
    m_owner.addActions(actions);
}

void TrialActions::setResults(const Results& results)
{
    m_results = results;
    refresh();
}

// Of what is selected, what the results have: the rest was selected in others.
QStringList TrialActions::shown() const
{
    QStringList trials;
    for (const QString& trial : m_selection.trials())
        if (m_results && m_results->find(trial.toStdString()) != nullptr)
            trials.append(trial);
    return trials;
}

void TrialActions::refresh()
{
    const qsizetype count = shown().size();
    const report::ReportTrial* current = m_results ? m_results->find(m_selection.current().toStdString()) : nullptr;
    const QString trials = QString::fromStdString(counted(count, "trial"));
    m_baseline->setEnabled(current != nullptr && m_results->comparison().groupOf(*current).trials.size() > 1);
    m_baseline->setText(m_baseline->isEnabled() && isReference(m_results, *current)
            ? QStringLiteral("Use the usual &baseline")
            : QStringLiteral("Use as &baseline"));
    m_form->setEnabled(current != nullptr);
    m_trace->setEnabled(count > 0);
    m_trace->setText(count > 1 ? QStringLiteral("Run %1 with &trace").arg(trials) : QStringLiteral("Run with &trace"));
    m_delete->setEnabled(count > 0);
    m_delete->setText(count > 1 ? QStringLiteral("&Delete %1...").arg(trials) : QStringLiteral("&Delete..."));
}

} // namespace headroom::ui
