// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/CompareActions.h"

#include "ui/compare/CompareStack.h"

#include <algorithm>

namespace headroom::ui {

bool arePaired(const config::DeviceSpec& a, const config::DeviceSpec& b)
{
    const config::DeviceSpec& measured = a.isSimulated() ? b : a;
    const config::DeviceSpec& predicted = a.isSimulated() ? a : b;
    if (measured.isSimulated() || !predicted.isSimulated())
        return false;
    return (measured.kind == config::DeviceKind::Cpu) == (predicted.profile == "cpu");
}

const report::ReportTrial* counterpartOf(const report::ReportTrial& trial, const ResultSet& results)
{
    const auto& trials = results.content().trials;
    const auto found = std::ranges::find_if(trials, [&](const report::ReportTrial& other) {
        return other.result.configId == trial.result.configId && other.isCompleted()
            && arePaired(other.planned.device, trial.planned.device);
    });
    return found == trials.end() ? nullptr : &*found;
}

CompareActions::CompareActions(Selection& selection, QObject* parent)
    : QObject(parent)
    , m_selection(selection)
    , m_compare(add("compareSelected", QStringLiteral("Compare the &selected trials"), Qt::Key_C))
    , m_counterpart(add("compareCounterpart", QStringLiteral("&Measured beside predicted"), Qt::Key_M))
{
    connect(m_compare, &QAction::triggered, this, &CompareActions::compareChosen);
    connect(m_counterpart, &QAction::triggered, this, &CompareActions::compareWithCounterpart);
    connect(&selection, &Selection::changed, this, &CompareActions::refresh);
    refresh();
}

QAction* CompareActions::add(const char* name, const QString& text, const QKeySequence& key)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    return action;
}

void CompareActions::setResults(const Results& results)
{
    m_results = results;
    refresh();
}

const report::ReportTrial* CompareActions::current() const
{
    return m_results ? m_results->find(m_selection.current().toStdString()) : nullptr;
}

QStringList CompareActions::chosen() const
{
    QStringList trials;
    for (const QString& trial : m_selection.trials())
        if (m_results && m_results->find(trial.toStdString()) != nullptr)
            trials.append(trial);
    if (trials.size() != 1)
        return trials;
    // The current trial may be one of other results: the selection follows when these are shown.
    const report::ReportTrial& only = *m_results->find(trials.front().toStdString());
    const report::ReportTrial* reference = m_results->comparison().groupOf(only).reference;
    if (reference != nullptr && reference != &only)
        trials.prepend(QString::fromStdString(reference->id()));
    return trials;
}

void CompareActions::refresh()
{
    const QStringList trials = chosen();
    m_compare->setToolTip(
        QStringLiteral("Curves, peaks and settings of two to six selected trials, or of one and its baseline (C)"));
    const bool isOne = m_selection.trials().size() == 1 && trials.size() == 2;
    m_compare->setEnabled(trials.size() >= 2 && trials.size() <= static_cast<qsizetype>(CompareStack::kMostTrials));
    m_compare->setText(
        isOne ? QStringLiteral("Compare with the &baseline") : QStringLiteral("Compare the &selected trials"));
    m_counterpart->setEnabled(current() != nullptr);
    const bool isHere = current() != nullptr && counterpartOf(*current(), *m_results) != nullptr;
    m_counterpart->setToolTip(isHere || current() == nullptr
            ? QStringLiteral("Compare the trial as it was measured with its prediction (M)")
            : QStringLiteral("Compare the trial as it was measured with its prediction (M). Only one of them is among "
                             "these results: the other one is looked for in the workspace, and else runs now."));
}

void CompareActions::compareChosen()
{
    m_selection.select(chosen());
    Q_EMIT wanted();
}

void CompareActions::compareWithCounterpart()
{
    const report::ReportTrial* other = counterpartOf(*current(), *m_results);
    if (other == nullptr) {
        Q_EMIT counterpartMissing(m_selection.current());
        return;
    }
    QStringList both{m_selection.current(), QString::fromStdString(other->id())};
    if (!current()->isMeasured())
        std::ranges::reverse(both); // what was measured is what the prediction is compared with
    m_selection.select(both);
    Q_EMIT wanted();
}

} // namespace headroom::ui
