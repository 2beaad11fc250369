// SPDX-License-Identifier: Apache-2.0
#include "ui/rehearse/RehearseView.h"

#include "core/base/Quantities.h"
#include "ui/rehearse/LiveMemory.h"
#include "ui/rehearse/ScriptForm.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kMostLines = 2'000;

QString amount(Bytes bytes)
{
    return QString::fromStdString(sizeText(bytes));
}

// "python train.py --batch 4 on rtx4090"
QString subjectOf(const ScriptQuestion& question)
{
    return QStringLiteral("%1 on %2").arg(question.command.trimmed(), question.card);
}

QLabel* makeText(const char* name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

RehearseView::RehearseView(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_form(new ScriptForm(this))
    , m_memory(new LiveMemory(theme, this))
    , m_sentence(makeText("rehearsalSentence", this))
    , m_before(makeText("rehearsalBefore", this))
    , m_open(new QPushButton(QStringLiteral("Show what it &held"), this))
    , m_output(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("rehearseView"));
    m_open->setObjectName(QStringLiteral("rehearsalOpen"));
    m_open->setEnabled(false);
    m_output->setObjectName(QStringLiteral("rehearsalOutput"));
    m_output->setAccessibleName(QStringLiteral("What the script prints"));
    m_output->setReadOnly(true);
    m_output->setMaximumBlockCount(kMostLines);
    m_output->setPlaceholderText(QStringLiteral("What the script prints comes here. Its losses are not real."));
    m_output->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    QFont large = m_sentence->font();
    large.setPointSizeF(large.pointSizeF() * 1.2);
    m_sentence->setFont(large);
    buildLayout();
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_form);
    connect(m_form, &ScriptForm::asked, this, &RehearseView::ask);
    connect(m_form, &ScriptForm::stopWanted, &m_process, &RehearsalProcess::stop);
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT trialWanted(m_trial); });
    connect(&m_process, &RehearsalProcess::moment, this, &RehearseView::showMoment);
    connect(&m_process, &RehearsalProcess::printed, m_output, &QPlainTextEdit::appendPlainText);
    connect(&m_process, &RehearsalProcess::ended, this, &RehearseView::showVerdict);
    connect(&m_process, &RehearsalProcess::failed, this, &RehearseView::showFailure);
    say(QStringLiteral(
            "The script runs as it is, with its own PyTorch, on a card that is not there. What it writes is thrown "
            "away, it reaches no network, and its values are not computed."),
        m_theme.muted());
}

RehearseView::~RehearseView() = default;

void RehearseView::buildLayout()
{
    auto* layout = new QVBoxLayout(this);
    const int space = fontMetrics().height() / 2;
    layout->setContentsMargins(space, space, space, space);
    layout->setSpacing(space);
    auto* answer = new QHBoxLayout;
    auto* words = new QVBoxLayout;
    words->addWidget(m_sentence);
    words->addWidget(m_before);
    m_before->hide();
    answer->addLayout(words, 1);
    answer->addWidget(m_open, 0, Qt::AlignTop);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_memory);
    split->addWidget(m_output);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setChildrenCollapsible(false);
    layout->addWidget(m_form);
    layout->addLayout(answer);
    layout->addWidget(split, 1);
}

void RehearseView::setCards(const CardList& cards)
{
    m_cards = cards;
    m_form->setCards(cards);
}

void RehearseView::begin(const ScriptQuestion& question)
{
    m_form->setQuestion(question);
    ask(question);
}

void RehearseView::ask(const ScriptQuestion& question)
{
    if (m_workspace.isEmpty())
        return Q_EMIT refused(QStringLiteral("A rehearsal becomes part of a workspace: open or create one first."));
    if (isRunning())
        return Q_EMIT refused(QStringLiteral("A rehearsal goes on: stop it first."));
    if (!m_trial.isEmpty())
        m_before->setText(QStringLiteral("Before, %1: %2").arg(subjectOf(m_asked), m_sentence->text()));
    m_before->setVisible(!m_trial.isEmpty());
    m_asked = question;
    m_open->setEnabled(false);
    m_output->clear();
    m_output->appendPlainText(commandLineOf(question));
    m_memory->begin(usable());
    say(QStringLiteral("Starting…"), m_theme.ink());
    m_process.begin(question, m_workspace);
    m_form->setRunning(true);
}

Bytes RehearseView::usable() const
{
    const Card* card = m_cards.find(m_asked.card);
    return card == nullptr ? 0 : card->usableBytes;
}

void RehearseView::showMoment(const ScriptMoment& moment)
{
    m_memory->add(moment);
    const QString where = moment.phase.isEmpty() ? QStringLiteral("it has not used the card yet")
        : moment.steps == 0                      ? moment.phase
                            : QStringLiteral("%1, %2 finished").arg(moment.phase).arg(moment.steps);
    say(QStringLiteral("%1%2 taken; %3")
            .arg(moment.isUnlimited ? QStringLiteral("Out of memory. What would it need? ") : QString(),
                amount(moment.taken), where),
        m_theme.ink());
}

void RehearseView::showVerdict(const ScriptVerdict& verdict)
{
    m_form->setRunning(false);
    m_trial = verdict.trial;
    m_open->setEnabled(!m_trial.isEmpty());
    const bool isGood = verdict.verdict == QLatin1String("fits");
    const bool isTight = verdict.verdict == QLatin1String("tight");
    say(verdict.sentence, isGood ? m_theme.good() : isTight ? m_theme.warning() : m_theme.alarm());
    Q_EMIT stored(m_trial);
}

void RehearseView::showFailure(const QString& why)
{
    m_form->setRunning(false);
    say(why.isEmpty() ? QStringLiteral("Stopped.") : why, why.isEmpty() ? m_theme.muted() : m_theme.alarm());
}

void RehearseView::say(const QString& sentence, const QColor& colour)
{
    m_sentence->setText(sentence);
    QPalette palette = m_sentence->palette();
    palette.setColor(QPalette::WindowText, colour);
    m_sentence->setPalette(palette);
}

QString RehearseView::sentence() const
{
    return m_sentence->text();
}

QVariantMap RehearseView::state() const
{
    return toVariant(m_form->question());
}

void RehearseView::restore(const QVariantMap& state)
{
    if (!state.isEmpty())
        m_form->setQuestion(scriptQuestionFrom(state));
}

} // namespace headroom::ui
