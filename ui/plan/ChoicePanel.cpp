// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/ChoicePanel.h"

#include "experiments/plan/fill/WorkloadAxis.h"
#include "ui/plan/CommandField.h"
#include "ui/plan/CostDialog.h"
#include "ui/plan/HandoffDialog.h"
#include "ui/plan/PlanWords.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace headroom::ui {

ChoicePanel::ChoicePanel(QWidget* parent)
    : QWidget(parent)
    , m_sentence(new QLabel(this))
    , m_command(new CommandField(this))
    , m_copy(addButton("planCopy", QStringLiteral("Cop&y"), QStringLiteral("Copy the line that runs it")))
    , m_form(addButton("planToForm", QStringLiteral("Put into the f&orm"),
          QStringLiteral("The experiment on the left gets these settings; undo (Ctrl+Z) takes them back")))
    , m_run(addButton("planRun", QStringLiteral("R&un it"),
          QStringLiteral("Simulate it with a trace: it becomes a result, with what its peak consists of")))
    , m_compare(addButton("planCompare", QStringLiteral("Compare pea&ks"),
          QStringLiteral("Simulate it and the answer with traces, and show why one peaks above the other")))
    , m_settings(addButton("planSettings", QStringLiteral("For my &trainer…"),
          QStringLiteral("The same as code or configuration for diffusers, torchtitan, transformers and others")))
    , m_largest(addButton("planLargest", QStringLiteral("&Largest"),
          QStringLiteral("How far can the batch, or another size, be raised with it?")))
    , m_costs(addButton("planCosts", QStringLiteral("Co&st…"),
          QStringLiteral(
              "What a number of steps takes on each card: hours, and money where you have written down prices")))
    , m_sizes(new QMenu(this))
{
    setObjectName(QStringLiteral("planChoice"));
    build();
    connect(m_copy, &QPushButton::clicked, this, &ChoicePanel::copyCommand);
    connect(m_form, &QPushButton::clicked, this, &ChoicePanel::formWanted);
    connect(m_run, &QPushButton::clicked, this, &ChoicePanel::runWanted);
    connect(m_compare, &QPushButton::clicked, this, &ChoicePanel::comparisonWanted);
    connect(m_costs, &QPushButton::clicked, this, &ChoicePanel::showCosts);
    connect(m_settings, &QPushButton::clicked, this, &ChoicePanel::showSettings);
    setChoice(std::nullopt);
}

QPushButton* ChoicePanel::addButton(const char* name, const QString& text, const QString& tip)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    button->setAutoDefault(true); // Enter presses it, as Space does
    return button;
}

void ChoicePanel::build()
{
    m_sentence->setObjectName(QStringLiteral("planWhy"));
    m_sentence->setAccessibleName(QStringLiteral("About the chosen combination"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_sentence->setMinimumHeight(2 * fontMetrics().lineSpacing()); // what is above keeps its place
    m_command->setObjectName(QStringLiteral("planCommand"));
    m_command->setAccessibleName(QStringLiteral("The line that runs the chosen combination"));
    m_sizes->setObjectName(QStringLiteral("planSizes"));
    m_largest->setMenu(m_sizes);
    auto* line = new QHBoxLayout;
    line->addWidget(m_command, 1);
    line->addWidget(m_copy, 0, Qt::AlignTop);
    auto* actions = new QHBoxLayout;
    for (QPushButton* button : buttons())
        if (button != m_copy)
            actions->addWidget(button);
    actions->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 2, 8, 4);
    layout->setSpacing(4);
    layout->addWidget(m_sentence);
    layout->addLayout(line);
    layout->addLayout(actions);
}

void ChoicePanel::setChoice(const std::optional<experiments::PlannedChoice>& choice)
{
    m_choice = choice;
    m_command->setCommand(choice ? commandOf(choice->trial) : QString());
    for (QPushButton* button : buttons())
        button->setEnabled(choice.has_value());
    setComparable(false);
    fillSizes();
}

// In the order in which they stand, which is that of Tab.
QList<QPushButton*> ChoicePanel::buttons() const
{
    return {m_copy, m_form, m_run, m_compare, m_settings, m_largest, m_costs};
}

void ChoicePanel::setComparable(bool isComparable)
{
    m_compare->setEnabled(isComparable);
}

void ChoicePanel::fillSizes()
{
    m_sizes->clear();
    if (!m_choice)
        return;
    for (const std::string& axis : experiments::WorkloadAxis::namesIn(m_choice->trial)) {
        const QString name = QString::fromStdString(axis);
        QAction* action = m_sizes->addAction(axisTitle(axis));
        action->setObjectName(QStringLiteral("planLargest-") + name);
        connect(action, &QAction::triggered, this, [this, name] { Q_EMIT largestWanted(name); });
    }
}

void ChoicePanel::setSentence(const QString& text)
{
    m_sentence->setText(text);
}

QString ChoicePanel::sentence() const
{
    return m_sentence->text();
}

void ChoicePanel::setDetailed(bool isDetailed)
{
    m_command->setVisible(isDetailed);
    m_copy->setVisible(isDetailed);
}

void ChoicePanel::copyCommand()
{
    QGuiApplication::clipboard()->setText(m_command->toPlainText());
    m_command->selectAll(); // shows what was copied
}

void ChoicePanel::showSettings()
{
    if (m_choice)
        HandoffDialog(m_choice->trial, window()).exec();
}

void ChoicePanel::showCosts()
{
    if (m_choice)
        CostDialog(m_choice->trial, window()).exec();
}

} // namespace headroom::ui
