// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/PlanHead.h"

#include "ui/answer/VerdictIcon.h"
#include "ui/look/ElidedLabel.h"
#include "ui/look/WidgetInk.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kProgressColumns = 14;

} // namespace

PlanHead::PlanHead(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_above(new QHBoxLayout)
    , m_question(new ElidedLabel(this))
    , m_mark(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_details(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_cancel(new QPushButton(QStringLiteral("Cancel"), this))
    , m_longer(new QPushButton(QStringLiteral("Search lon&ger"), this))
    , m_search(new QPushButton(QStringLiteral("Find the &best combination"), this))
{
    m_question->setObjectName(QStringLiteral("planQuestion"));
    m_question->setAccessibleName(QStringLiteral("What the plan is for"));
    m_mark->setObjectName(QStringLiteral("planMark"));
    m_sentence->setObjectName(QStringLiteral("planSentence"));
    m_sentence->setAccessibleName(QStringLiteral("The plan in one sentence"));
    m_details->setObjectName(QStringLiteral("planCertainty"));
    m_details->setAccessibleName(QStringLiteral("How certain the plan is"));
    m_progress->setObjectName(QStringLiteral("planProgress"));
    m_progress->setAccessibleName(QStringLiteral("Combinations decided"));
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(fontMetrics().horizontalAdvance(QLatin1Char('0')) * kProgressColumns);
    m_cancel->setObjectName(QStringLiteral("planCancel"));
    m_longer->setObjectName(QStringLiteral("planLonger"));
    m_longer->setToolTip(QStringLiteral("Once more with four times the effort: what is not decided yet may be better"));
    m_search->setObjectName(QStringLiteral("planSearch"));
    m_search->setToolTip(QStringLiteral("For the combination that the live answer shows (Ctrl+B)"));
    for (QPushButton* button : {m_cancel, m_longer, m_search})
        button->setAutoDefault(true);
    build();
    connect(&theme, &Theme::changed, this, &PlanHead::showMark);
    connect(&theme, &Theme::changed, this, &PlanHead::showQuestion);
}

void PlanHead::build()
{
    for (QLabel* label : {m_sentence, m_details}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    QFont bold = m_sentence->font();
    bold.setBold(true);
    m_sentence->setFont(bold);
    m_above->addWidget(m_question, 1);
    m_above->addStretch();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_progress, m_cancel, m_longer, m_search})
        m_above->addWidget(widget);
    auto* answer = new QHBoxLayout;
    answer->addWidget(m_mark, 0, Qt::AlignTop);
    answer->addWidget(m_sentence, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    layout->addLayout(m_above);
    layout->addLayout(answer);
    layout->addWidget(m_details);
}

void PlanHead::addSwitch(QAction* action)
{
    auto* button = new QToolButton(this);
    button->setObjectName(action->objectName() + QStringLiteral("Switch"));
    button->setFocusPolicy(Qt::TabFocus);
    button->setDefaultAction(action);
    button->setVisible(action->isVisible());
    connect(action, &QAction::changed, button, [button, action] { button->setVisible(action->isVisible()); });
    m_above->insertWidget(m_above->indexOf(m_progress), button);
}

void PlanHead::setDetailed(bool isDetailed)
{
    m_isDetailed = isDetailed;
    m_details->setVisible(!m_details->text().isEmpty() && (isDetailed || m_sentence->text().isEmpty()));
}

void PlanHead::setQuestion(const QString& text)
{
    m_asked = text;
    showQuestion();
}

void PlanHead::setOutdated(bool isOutdated)
{
    m_isOutdated = isOutdated;
    for (QWidget* dimmed : std::initializer_list<QWidget*>{m_mark, m_sentence, m_details, m_longer})
        dimmed->setEnabled(!isOutdated);
    showQuestion();
}

void PlanHead::showQuestion()
{
    m_question->setLine(
        m_isOutdated ? QStringLiteral("Not of the experiment on the left. Plan for %1").arg(m_asked) : m_asked);
    m_question->setShortLine(m_isOutdated ? QStringLiteral("Not of the experiment on the left") : QString());
    setGround(m_question, m_theme, m_isOutdated ? Ground::Highlighted : Ground::Plain);
    m_search->setText(m_isOutdated || m_asked.isEmpty() ? QStringLiteral("Find the &best combination")
                                                        : QStringLiteral("&Plan again"));
}

void PlanHead::showIdle(const QString& text)
{
    m_progress->hide();
    m_cancel->hide();
    m_longer->hide();
    say({}, {}, text);
}

void PlanHead::showSearching(const QString& sentence, const QString& details)
{
    m_progress->show();
    m_cancel->show();
    m_search->hide();
    m_longer->hide();
    say({}, sentence, details);
}

void PlanHead::showProgress(std::size_t done, std::size_t of)
{
    m_progress->setRange(0, static_cast<int>(of));
    m_progress->setValue(static_cast<int>(done));
}

void PlanHead::showEnd(Kind kind, const QString& sentence, const QString& details, bool canGoOn)
{
    m_progress->hide();
    m_search->show();
    m_longer->setVisible(canGoOn);
    say(kind, sentence, details);
}

void PlanHead::say(Kind kind, const QString& sentence, const QString& details)
{
    m_kind = kind;
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    m_details->setText(details);
    m_sentence->setToolTip(details);
    setDetailed(m_isDetailed);
    showMark();
}

void PlanHead::showMark()
{
    m_mark->setVisible(m_kind.has_value());
    if (m_kind)
        m_mark->setPixmap(verdictIcon(*m_kind, m_theme, fontMetrics().height(), devicePixelRatioF()));
}

QString PlanHead::sentence() const
{
    return QStringList{m_sentence->text(), m_details->text()}.join(QLatin1Char(' ')).trimmed();
}

} // namespace headroom::ui
