// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/LiveAnswer.h"

#include "core/base/Quantities.h"
#include "ui/answer/AnswerLines.h"
#include "ui/answer/AnswerText.h"
#include "ui/answer/VerdictIcon.h"
#include "ui/look/WidgetInk.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

using Kind = experiments::FitVerdict::Kind;

constexpr int kVerdictLetters = 80; ///< of the verdict that are shown however narrow the window is

template <typename Widget> Widget* named(Widget* widget, const char* name)
{
    widget->setObjectName(QString::fromLatin1(name));
    return widget;
}

} // namespace

LiveAnswer::LiveAnswer(Theme& theme, Predictor& predictor, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_predictor(predictor)
{
    setAccessibleName(QStringLiteral("Predicted answer"));
    buildWidgets();
    buildLayout();
    connectWidgets();
    m_chooser->setCards(predictor.cards());
    restyle();
    showPlace();
    showNoExperiment();
}

void LiveAnswer::buildWidgets()
{
    m_subject = named(new QLabel(QStringLiteral("Experiment on the left:"), this), "answerSubject");
    m_subject->hide();
    m_icon = named(new QLabel(this), "answerIcon");
    m_verdict = named(new ElidedLabel(this), "answerVerdict");
    m_draft = named(new QLabel(this), "answerDraft");
    m_draft->setTextFormat(Qt::PlainText);
    m_draft->setWordWrap(true);
    m_draft->hide();
    m_makeItFit = named(new QPushButton(QStringLiteral("&Make it fit"), this), "answerMakeItFit");
    m_makeItFit->setToolTip(
        QStringLiteral("Lists the smallest changes with which this combination is predicted to fit."));
    m_bar = named(new MemoryBar(m_theme, this), "answerBar");
    m_speed = named(new ElidedLabel(this), "answerSpeed");
    m_lastChange = named(new ElidedLabel(this), "answerLastChange");
    m_remark = new AnswerRemark(this);
    m_previous = stepButton("answerPrevious", QStringLiteral("Previous combination"), Qt::LeftArrow);
    m_next = stepButton("answerNext", QStringLiteral("Next combination"), Qt::RightArrow);
    m_placeLabel = named(new ElidedLabel(this), "answerPlace");
    m_chooser = named(new CardChooser(this), "answerCards");
    m_unfold = named(new QToolButton(this), "answerUnfold");
    m_unfold->setCheckable(true);
    m_unfold->setAutoRaise(true);
    m_unfold->setFocusPolicy(Qt::StrongFocus);
    m_unfold->setAccessibleName(QStringLiteral("Details of the predicted answer"));
    m_unfold->setToolTip(QStringLiteral("What the predicted memory is made of"));
    m_panel = new FitPanel(this);
    m_panel->hide();
    QFont bold = font();
    bold.setBold(true);
    m_verdict->setFont(bold);
}

QToolButton* LiveAnswer::stepButton(const char* name, const QString& text, Qt::ArrowType arrow)
{
    auto* button = named(new QToolButton(this), name);
    button->setAccessibleName(text);
    button->setToolTip(text);
    button->setArrowType(arrow);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

void LiveAnswer::buildLayout()
{
    const int space = fontMetrics().averageCharWidth();
    auto* head = new QHBoxLayout;
    head->setSpacing(space);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_subject, m_icon, m_verdict, m_speed, m_lastChange})
        head->addWidget(widget);
    head->addStretch(1);
    auto* place = new QHBoxLayout;
    place->setSpacing(space);
    for (QWidget* widget :
        std::initializer_list<QWidget*>{m_previous, m_next, m_placeLabel, m_chooser, m_makeItFit, m_unfold})
        place->addWidget(widget, widget == m_placeLabel ? 1 : 0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space, space / 2, space, space / 2);
    layout->setSpacing(space / 3);
    layout->addWidget(new AnswerLines(head, place, this));
    layout->addWidget(m_draft);
    layout->addWidget(m_bar);
    layout->addWidget(m_remark);
    layout->addWidget(m_panel);
    unfold(false);
}

void LiveAnswer::unfold(bool isUnfolded)
{
    m_unfold->setChecked(isUnfolded);
    m_unfold->setArrowType(isUnfolded ? Qt::UpArrow : Qt::DownArrow);
    m_bar->setShape(isUnfolded ? MemoryBar::Shape::WithLegend : MemoryBar::Shape::Thin);
}

QVariantMap LiveAnswer::state() const
{
    return {{QStringLiteral("card"), m_chooser->choice()}, {QStringLiteral("unfolded"), m_unfold->isChecked()}};
}

void LiveAnswer::restore(const QVariantMap& state)
{
    m_chooser->setChoice(state.value(QStringLiteral("card")).toString());
    unfold(state.value(QStringLiteral("unfolded")).toBool());
}

void LiveAnswer::connectWidgets()
{
    connect(&m_theme, &Theme::changed, this, &LiveAnswer::restyle);
    connect(&m_predictor, &Predictor::cardsLoaded, this, [this] { m_chooser->setCards(m_predictor.cards()); });
    connect(&m_predictor, &Predictor::failed, this, &LiveAnswer::showFailure);
    connect(m_previous, &QToolButton::clicked, this, &LiveAnswer::showPrevious);
    connect(m_next, &QToolButton::clicked, this, &LiveAnswer::showNext);
    connect(m_chooser, &CardChooser::changed, this, [this] {
        ask();
        Q_EMIT cardChoiceChanged(m_chooser->choice());
    });
    connect(m_makeItFit, &QPushButton::clicked, this, &LiveAnswer::makeItFit);
    connect(&m_remark->again(), &QPushButton::clicked, this, &LiveAnswer::ask);
    connect(m_unfold, &QToolButton::toggled, this, &LiveAnswer::unfold);
    connect(m_panel, &FitPanel::changeChosen, this, &LiveAnswer::changeChosen);
}

void LiveAnswer::setSubjectShown(bool isShown)
{
    m_subject->setVisible(isShown);
    setAccessibleDescription(sentence());
}

void LiveAnswer::setDraft(const QString& words)
{
    m_draft->setText(words);
    m_draft->setVisible(!words.isEmpty());
    setAccessibleDescription(sentence());
}

void LiveAnswer::setTrials(Trials trials, const QString& obstacle, int experiment)
{
    if (experiment != m_experiment) { // whose own answer may be a while in coming
        m_place = 0;
        m_answer = nullptr;
        m_change.clear();
        showEmpty({}, {});
    }
    m_experiment = experiment;
    std::vector<std::size_t> runnable;
    for (std::size_t i = 0; trials && i < trials->size(); ++i)
        if ((*trials)[i].isRunnable())
            runnable.push_back(i);
    if (runnable.size() != m_runnable.size())
        m_place = 0;
    m_trials = std::move(trials);
    m_runnable = std::move(runnable);
    showPlace();
    if (m_runnable.empty())
        return showNothing(obstacle);
    askOnItsCard();
}

void LiveAnswer::showNothing(const QString& obstacle)
{
    if (m_trials && !m_trials->empty())
        showEmpty(QStringLiteral("No combination can run."), QString::fromStdString(m_trials->front().skipReason()));
    else if (!obstacle.isEmpty())
        showEmpty(QStringLiteral("No combination can run."), obstacle);
    else
        showNoExperiment();
}

const experiments::PlannedTrial* LiveAnswer::current() const
{
    return m_place < m_runnable.size() ? &(*m_trials)[m_runnable[m_place]] : nullptr;
}

void LiveAnswer::step(int by)
{
    const auto place = static_cast<std::ptrdiff_t>(m_place) + by;
    if (place < 0 || place >= static_cast<std::ptrdiff_t>(m_runnable.size()))
        return;
    m_place = static_cast<std::size_t>(place);
    showPlace();
    askOnItsCard();
}

void LiveAnswer::showPlace()
{
    m_previous->setEnabled(m_place > 0);
    m_next->setEnabled(m_place + 1 < m_runnable.size());
    m_previous->setVisible(m_runnable.size() > 1);
    m_next->setVisible(m_runnable.size() > 1);
    if (current() == nullptr)
        return m_placeLabel->setLine({});
    const QString label = QString::fromStdString(current()->label);
    if (m_runnable.size() == 1)
        return m_placeLabel->setLine(label);
    const QString place = QStringLiteral("%1 of %2: %3").arg(m_place + 1).arg(m_runnable.size()).arg(label);
    m_placeLabel->setLine(QStringLiteral("combination ") + place);
    m_placeLabel->setShortLine(place);
}

void LiveAnswer::askOnItsCard()
{
    {
        const QSignalBlocker quiet(m_chooser); // one prediction is enough
        m_chooser->setPlanned(current()->trial.device);
    }
    ask();
}

void LiveAnswer::ask()
{
    if (current() == nullptr || m_predictor.cards().cards.empty())
        return;
    config::Trial trial = current()->trial;
    trial.device = m_chooser->device();
    if (m_asked != trial) {
        m_panel->dismiss();
        m_remark->again().forget();
    }
    m_asked = trial;
    showComputing();
    // The callbacks check m_asked: the plan may have lost its combinations in the meantime, or an answer was on its way
    // when the next question was asked.
    m_predictor.predict(
        trial, this,
        [this](const Answer& answer) {
            if (m_asked == answer->trial)
                showAnswer(answer);
        },
        [this](const QString& message) {
            if (m_asked)
                showFailure(message);
        });
}

void LiveAnswer::showComputing()
{
    m_isComputing = true;
    m_bar->setAge(MemoryBar::Age::Outdated);
    for (QWidget* dimmed : std::initializer_list<QWidget*>{m_icon, m_verdict, m_speed, m_lastChange})
        dimmed->setEnabled(false);
    m_makeItFit->setEnabled(false);
    m_remark->again().withdraw();
    if (!m_answer) {
        m_verdict->setLine(QStringLiteral("Predicting the first answer."));
        m_remark->setText({});
    }
    setAccessibleDescription(QStringLiteral("A new prediction is being computed. Before: %1").arg(sentence()));
}

void LiveAnswer::showAnswer(const Answer& answer)
{
    const experiments::FitVerdict& verdict = answer->verdict;
    if (verdict.kind == Kind::Unknown) {
        showFailure(failureOf(*answer));
        return answer->result.outcome == Outcome::TimedOut ? m_remark->again().offer() : m_remark->again().forget();
    }
    m_remark->again().forget();
    // If the same combination is predicted again, the text about the last change stays.
    if (m_answer && !(m_answer->trial == answer->trial))
        m_change = changeText(*m_answer, *answer);
    m_answer = answer;
    showVerdict(
        verdict.kind, QString::fromStdString(sentenceFor(verdict)), QString::fromStdString(detailsFor(verdict)));
    m_bar->setVerdict(verdict);
    showFigures(*answer);
    m_remark->setText(answer->remark);
    m_makeItFit->setEnabled(verdict.kind == Kind::Tight || verdict.kind == Kind::DoesNotFit);
    setAccessibleDescription(sentence());
    Q_EMIT answered(answer);
}

void LiveAnswer::showFigures(const Prediction& prediction)
{
    const auto seconds = prediction.stepSeconds();
    const double perSecond = seconds ? 1 / *seconds : 0;
    m_speed->setLine(seconds ? QStringLiteral("Predicted %1").arg(QString::fromStdString(speedAndTimeText(perSecond)))
                             : QStringLiteral("Speed not known"),
        speedNote(prediction));
    const QString rate = QStringLiteral("Predicted %1").arg(QString::fromStdString(speedText(perSecond)));
    if (seconds)
        m_speed->setShortLine(rate);
    m_speed->setMinimumWidth(seconds ? fontMetrics().horizontalAdvance(rate) + 1 : 0);
    m_lastChange->setVisible(!m_change.isEmpty());
    if (m_change.isEmpty())
        return m_lastChange->setLine({});
    m_lastChange->setLine(
        QStringLiteral("Last change: %1").arg(m_change), QStringLiteral("Predicted, of reserved memory."));
    m_lastChange->setShortLine(QStringLiteral("Last change") + shortEffect(m_change));
}

void LiveAnswer::clearFigures()
{
    m_speed->setLine({});
    m_speed->setMinimumWidth(0);
    m_lastChange->setLine({});
}

void LiveAnswer::showVerdict(Kind kind, const QString& text, const QString& details)
{
    m_isComputing = false;
    m_shownKind = kind;
    for (QWidget* shown : std::initializer_list<QWidget*>{m_icon, m_verdict, m_speed, m_lastChange})
        shown->setEnabled(true);
    m_verdict->setLine(text, details);
    // Of all that is in the line this is read first: it is cut last, and what fails first gives way to what is needed.
    const QString needed = text.section(QLatin1Char(';'), 0, 0);
    m_verdict->setShortLine(needed);
    m_verdict->setMinimumWidth(std::min(
        m_verdict->fontMetrics().horizontalAdvance(needed) + 1, kVerdictLetters * fontMetrics().averageCharWidth()));
    restyle();
}

void LiveAnswer::showFailure(const QString& message)
{
    showVerdict(Kind::Unknown, QStringLiteral("No prediction."), message);
    m_remark->setText(message);
    clearFigures();
    m_bar->setAge(MemoryBar::Age::Outdated);
    m_makeItFit->setEnabled(false);
    setAccessibleDescription(sentence());
    Q_EMIT failed(message);
}

void LiveAnswer::showNoExperiment()
{
    showEmpty(QStringLiteral("No experiment yet."),
        QStringLiteral("Choose a model, and its predicted memory and speed appear here."));
}

void LiveAnswer::showEmpty(const QString& text, const QString& advice)
{
    showVerdict(Kind::Unknown, text, {});
    m_remark->setText(advice);
    clearFigures();
    m_bar->clear();
    m_makeItFit->setEnabled(false);
    m_asked.reset();
    m_remark->again().forget();
    m_panel->dismiss();
    setAccessibleDescription(sentence());
}

QString LiveAnswer::sentence() const
{
    QStringList sentences;
    if (!m_subject->isHidden())
        sentences.append(m_subject->text());
    for (const QLabel* label :
        std::initializer_list<const QLabel*>{m_verdict, m_draft, m_speed, m_lastChange, &m_remark->label()})
        if (!label->text().isEmpty())
            sentences.append(label->text() + (label->text().endsWith(QLatin1Char('.')) ? "" : "."));
    return sentences.join(QLatin1Char(' '));
}

void LiveAnswer::makeItFit()
{
    if (m_makeItFit->isEnabled() && m_answer)
        m_panel->search(*m_answer);
}

void LiveAnswer::restyle()
{
    m_icon->setPixmap(verdictIcon(m_shownKind, m_theme, fontMetrics().height(), devicePixelRatioF()));
    QPalette palette;
    palette.setColor(QPalette::Active, QPalette::WindowText, verdictColour(m_shownKind, m_theme));
    palette.setColor(QPalette::Inactive, QPalette::WindowText, verdictColour(m_shownKind, m_theme));
    m_verdict->setPalette(palette);
    setInk(m_draft, m_theme.alarm());
}

} // namespace headroom::ui
