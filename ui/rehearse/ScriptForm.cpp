// SPDX-License-Identifier: Apache-2.0
#include "ui/rehearse/ScriptForm.h"

#include "core/base/Quantities.h"
#include "ui/look/FileDialog.h"
#include "ui/look/WheelGuard.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace headroom::ui {
namespace {

constexpr const char* kFirstCard = "rtx4090";
constexpr int kMostSteps = 100'000;

QString cardText(const Card& card)
{
    return QStringLiteral("%1 – %2, %3").arg(card.name, card.title, QString::fromStdString(sizeText(card.usableBytes)));
}

} // namespace

ScriptForm::ScriptForm(QWidget* parent)
    : QFrame(parent)
    , m_command(addText("scriptCommand", QStringLiteral("Command"), QStringLiteral("python train.py --batch 4")))
    , m_folder(addText("scriptFolder", QStringLiteral("Folder"), QStringLiteral("of the script; your home folder")))
    , m_environment(addText("scriptEnvironment", QStringLiteral("Environment"),
          QStringLiteral("folder of a venv or of conda's; the Python of PATH")))
    , m_card(new QComboBox(this))
    , m_steps(new QSpinBox(this))
    , m_problem(new QLabel(this))
    , m_ask(new QPushButton(this))
{
    setObjectName(QStringLiteral("scriptForm"));
    setAccessibleName(QStringLiteral("What to rehearse"));
    setFrameShape(QFrame::StyledPanel);
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_command);
    m_card->setObjectName(QStringLiteral("scriptCard"));
    m_card->setAccessibleName(QStringLiteral("Card"));
    m_card->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_card->setMinimumContentsLength(16);
    m_card->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_card->addItem(QStringLiteral("Reading the cards…"));
    m_card->setEnabled(false);
    m_steps->setObjectName(QStringLiteral("scriptSteps"));
    m_steps->setAccessibleName(QStringLiteral("Steps of the optimizer after which it is ended"));
    m_steps->setToolTip(
        QStringLiteral("Steps of the optimizer after which it is ended. To the end: it evaluates and saves, too."));
    m_steps->setRange(0, kMostSteps);
    m_steps->setSpecialValueText(QStringLiteral("to the end"));
    m_steps->setSuffix(QStringLiteral(" steps"));
    m_steps->setValue(3);
    for (QWidget* box : std::initializer_list<QWidget*>{m_card, m_steps})
        new WheelGuard(box);
    m_problem->setObjectName(QStringLiteral("scriptProblem"));
    m_problem->setWordWrap(true);
    m_ask->setObjectName(QStringLiteral("scriptAsk"));
    m_ask->setAutoDefault(true);
    buildLayout();
    connect(m_command, &QLineEdit::textChanged, this, &ScriptForm::check);
    connect(m_ask, &QPushButton::clicked, this, [this] { m_isRunning ? Q_EMIT stopWanted() : ask(); });
    setRunning(false);
}

QLineEdit* ScriptForm::addText(const char* name, const QString& title, const QString& example)
{
    auto* field = new QLineEdit(this);
    field->setObjectName(QLatin1String(name));
    field->setAccessibleName(title);
    field->setPlaceholderText(example);
    return field;
}

QWidget* ScriptForm::withChooser(QLineEdit* folder, const QString& title)
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* choose = new QPushButton(QStringLiteral("Choose…"), row);
    choose->setAccessibleName(title);
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, [this, folder, title] { chooseFolder(folder, title); });
    layout->addWidget(folder, 1);
    layout->addWidget(choose);
    return row;
}

void ScriptForm::chooseFolder(QLineEdit* folder, const QString& title)
{
    auto* dialog = new FileDialog(this, title, folder->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, folder, &QLineEdit::setText);
    dialog->open();
}

void ScriptForm::buildLayout()
{
    auto* grid = new QGridLayout(this);
    const int space = fontMetrics().height();
    grid->setContentsMargins(space, space, space, space);
    grid->setHorizontalSpacing(space);
    int row = 0;
    const auto add = [&](const QString& title, QWidget* buddy, QWidget* field) {
        auto* label = new QLabel(title, this);
        label->setBuddy(buddy);
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row++, 1);
    };
    add(QStringLiteral("Command"), m_command, m_command);
    add(QStringLiteral("Folder"), m_folder, withChooser(m_folder, QStringLiteral("Choose the folder of the script")));
    add(QStringLiteral("Environment"), m_environment,
        withChooser(m_environment, QStringLiteral("Choose the environment with PyTorch")));
    add(QStringLiteral("Card"), m_card, m_card);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_steps);
    foot->addWidget(m_problem, 1);
    foot->addWidget(m_ask);
    add(QStringLiteral("End after"), m_steps, new QWidget(this));
    grid->addLayout(foot, row - 1, 1);
    grid->setColumnStretch(1, 1);
}

void ScriptForm::setCards(const CardList& cards)
{
    if (cards.cards.empty())
        return;
    if (m_card->isEnabled())
        m_wantedCard = m_card->currentData().toString();
    m_card->clear();
    for (const Card& card : cards.cards)
        m_card->addItem(cardText(card), card.name);
    const int wanted = m_card->findData(m_wantedCard);
    m_card->setCurrentIndex(wanted >= 0 ? wanted : qMax(0, m_card->findData(QLatin1String(kFirstCard))));
    m_card->setEnabled(true);
    check();
}

ScriptQuestion ScriptForm::question() const
{
    return {m_command->text(), m_folder->text().trimmed(), m_environment->text().trimmed(),
        m_card->isEnabled() ? m_card->currentData().toString() : m_wantedCard, m_steps->value()};
}

void ScriptForm::setQuestion(const ScriptQuestion& question)
{
    m_command->setText(question.command);
    m_folder->setText(question.folder);
    m_environment->setText(question.environment);
    m_steps->setValue(question.steps);
    m_wantedCard = question.card;
    if (const int index = m_card->findData(question.card); index >= 0)
        m_card->setCurrentIndex(index);
    check();
}

// Nothing is said of a command before there is one.
void ScriptForm::check()
{
    const QString problem = problemOf(question());
    m_problem->setText(m_command->text().trimmed().isEmpty() ? QString() : problem);
    m_ask->setEnabled(m_isRunning || (problem.isEmpty() && m_card->isEnabled()));
}

void ScriptForm::ask()
{
    if (m_ask->isEnabled() && !m_isRunning)
        Q_EMIT asked(question());
}

void ScriptForm::setRunning(bool isRunning)
{
    m_isRunning = isRunning;
    m_ask->setText(isRunning ? QStringLiteral("&Stop") : QStringLiteral("&Rehearse"));
    check();
}

// Enter asks, whichever field it is pressed in.
void ScriptForm::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        ask();
    else
        QFrame::keyPressEvent(event);
}

} // namespace headroom::ui
