// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/SettingNote.h"

#include "ui/experiment/PlanView.h"
#include "ui/look/Theme.h"
#include "ui/spec/SpecSession.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

QString asSentence(const std::string& text)
{
    QString result = QString::fromStdString(text);
    if (!result.isEmpty())
        result[0] = result[0].toUpper();
    return result;
}

// Drops the advice if there are buttons, which already name the valid values.
std::string withoutAdvice(const config::Problem& problem)
{
    return problem.repairs.empty() ? problem.text : problem.text.substr(0, problem.text.find(" (valid: "));
}

// "Frames = 120 is not one more than a multiple of 8. Valid: 113 or 121." If the spec is rejected for it, the number of
// affected trials does not matter.
QString conflictLine(const PlanConflict& conflict, const PlanView& view)
{
    const std::size_t checkedTrials = view.plan().checkedTrials;
    const config::Problem& problem = conflict.problem;
    const QString valid =
        problem.valid.empty() ? QString() : QStringLiteral(" Valid: %1.").arg(QString::fromStdString(problem.valid));
    if (conflict.trials >= checkedTrials || !view.problem(problem.path).empty())
        return QStringLiteral("%1.%2").arg(asSentence(withoutAdvice(problem)), valid);
    return QStringLiteral("In %1 of %2 trials, which are skipped: %3.%4")
        .arg(conflict.trials)
        .arg(checkedTrials)
        .arg(QString::fromStdString(withoutAdvice(problem)), valid);
}

} // namespace

SettingNote::SettingNote(const QString& name, SpecSession& session, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_theme(theme)
    , m_text(new QLabel(this))
    , m_repairBar(makeRepairBar(name))
{
    m_text->setObjectName(name + QStringLiteral(".note"));
    m_text->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_text);
    layout->addWidget(m_repairBar);
    connect(&m_theme, &Theme::changed, this, &SettingNote::refreshInk);
    refresh();
}

QWidget* SettingNote::makeRepairBar(const QString& name)
{
    auto* bar = new QWidget(this);
    bar->setObjectName(name + QStringLiteral(".repairs"));
    auto* layout = new QHBoxLayout(bar);
    const int space = fontMetrics().averageCharWidth() / 2;
    layout->setContentsMargins(0, space, 0, space);
    layout->setSpacing(space);
    layout->addStretch(1);
    bar->hide();
    return bar;
}

// Keeps the buttons if the repairs are the same: one of them may have the focus.
void SettingNote::showRepairs(const std::vector<config::Repair>& repairs)
{
    if (repairs == m_shown)
        return;
    m_shown = repairs;
    for (QPushButton* button : m_repairBar->findChildren<QPushButton*>()) {
        m_repairBar->layout()->removeWidget(button);
        button->hide();
        button->deleteLater(); // it may be the button that was clicked
    }
    for (const config::Repair& repair : m_shown)
        addRepair(repair);
    m_repairBar->setVisible(!m_shown.empty());
}

void SettingNote::addRepair(const config::Repair& repair)
{
    auto* button = new QPushButton(QString::fromStdString(repair.label), m_repairBar);
    const QString path = QString::fromStdString(repair.path);
    const QString value = QString::fromStdString(config::toToml(repair.value));
    button->setObjectName(QStringLiteral("repair.") + path);
    button->setAutoDefault(false);
    button->setToolTip(QStringLiteral("Sets %1 = %2").arg(path, value));
    connect(button, &QPushButton::clicked, this, [this, path, value] { m_session.set(path, value); });
    auto* layout = static_cast<QHBoxLayout*>(m_repairBar->layout());
    layout->insertWidget(layout->count() - 1, button);
}

// It replaces the problem of the value in the spec, which is not the text that is visible.
void SettingNote::setDraftProblem(const QString& problem)
{
    m_draftProblem = problem;
    refresh();
}

// A value that leaves nothing to run is also a problem of the spec. It is reported once, in the form that has repairs.
void SettingNote::takeProblems(const PlanView& view, const std::string& path, Axis axis)
{
    QStringList lines;
    m_offered.clear();
    for (const PlanConflict& conflict : view.conflicts(path)) {
        lines << conflictLine(conflict, view);
        for (const config::Repair& repair : conflict.problem.repairs)
            if (repair.path != path || axis == Axis::No) // a button cannot replace one value of several
                m_offered.push_back(repair);
    }
    if (const std::string problem = view.problem(path); lines.isEmpty() && !problem.empty())
        lines << QStringLiteral("Wrong: %1").arg(QString::fromStdString(problem));
    m_problem = lines.join(QLatin1Char('\n'));
    refresh();
}

void SettingNote::setReason(const QString& reason)
{
    m_reason = reason;
    refresh();
}

void SettingNote::refresh()
{
    QStringList lines;
    if (!m_draftProblem.isEmpty())
        lines << QStringLiteral("Not applied yet. %1.").arg(m_draftProblem);
    else
        lines << m_problem << m_reason;
    lines.removeAll(QString());
    m_text->setText(lines.join(QLatin1Char('\n')));
    m_text->setVisible(!lines.isEmpty());
    showRepairs(m_draftProblem.isEmpty() ? m_offered : std::vector<config::Repair>());
    setVisible(!lines.isEmpty());
    refreshInk();
}

void SettingNote::refreshInk()
{
    QPalette palette = m_text->palette();
    palette.setColor(QPalette::WindowText, hasProblem() ? m_theme.alarm() : m_theme.muted());
    m_text->setPalette(palette);
}

} // namespace headroom::ui
