// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/PlanFooter.h"

#include "core/base/Wording.h"
#include "ui/look/Theme.h"
#include "ui/spec/SpecSession.h"

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

// More reasons would be a wall of text.
constexpr std::size_t kMostReasons = 5;

QString trials(std::size_t count)
{
    return QString::fromStdString(counted(static_cast<std::int64_t>(count), "trial"));
}

} // namespace

PlanFooter::PlanFooter(SpecSession& session, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_theme(theme)
    , m_trials(new QLabel(this))
    , m_skipped(new QToolButton(this))
    , m_reasons(new QLabel(this))
{
    setObjectName(QStringLiteral("planFooter"));
    m_trials->setObjectName(QStringLiteral("planFooter.trials"));
    m_trials->setWordWrap(true);
    m_skipped->setObjectName(QStringLiteral("planFooter.skipped"));
    m_skipped->setAutoRaise(true);
    m_skipped->setFocusPolicy(Qt::StrongFocus);
    m_skipped->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_reasons->setObjectName(QStringLiteral("planFooter.reasons"));
    m_reasons->setWordWrap(true);
    const int space = fontMetrics().averageCharWidth();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space, space / 2, space, space / 2);
    layout->setSpacing(0);
    layout->addWidget(m_trials);
    layout->addWidget(m_skipped);
    layout->addWidget(m_reasons);
    connect(&m_session, &SpecSession::planChanged, this, &PlanFooter::showPlan);
    connect(&m_session, &SpecSession::estimateChanged, this, &PlanFooter::showPlan);
    connect(m_skipped, &QToolButton::clicked, this, [this] {
        m_showsReasons = !m_showsReasons;
        showPlan();
    });
    connect(&m_theme, &Theme::changed, this, &PlanFooter::refreshColours);
    refreshColours();
    showPlan();
}

QString PlanFooter::trialsText() const
{
    const Plan& plan = *m_session.plan();
    if (!plan.isReadable)
        return QStringLiteral("No trials: the spec cannot be read.");
    if (!plan.problems.empty())
        return QStringLiteral("No trials: the spec has an error.");
    const QString time = QString::fromStdString(inWords(m_session.estimate()));
    return time.isEmpty() ? trials(plan.runnableTrials())
                          : QStringLiteral("%1, %2").arg(trials(plan.runnableTrials()), time);
}

QString PlanFooter::reasonsText() const
{
    QStringList lines;
    const auto& skipped = m_session.plan()->skipped;
    for (std::size_t i = 0; i < skipped.size() && i < kMostReasons; ++i)
        lines << QStringLiteral("%1: %2").arg(trials(skipped[i].trials), QString::fromStdString(skipped[i].reason));
    if (skipped.size() > kMostReasons)
        lines << QStringLiteral("and %1 other reasons").arg(skipped.size() - kMostReasons);
    return lines.join(QLatin1Char('\n'));
}

void PlanFooter::showPlan()
{
    const std::size_t skipped = m_session.plan()->skippedTrials;
    m_trials->setText(trialsText());
    m_skipped->setVisible(skipped > 0);
    m_skipped->setText(QStringLiteral("%1 skipped, with reasons").arg(trials(skipped)));
    m_skipped->setArrowType(m_showsReasons ? Qt::DownArrow : Qt::RightArrow);
    m_reasons->setText(reasonsText());
    m_reasons->setVisible(skipped > 0 && m_showsReasons);
}

void PlanFooter::refreshColours()
{
    QPalette palette = m_reasons->palette();
    palette.setColor(QPalette::WindowText, m_theme.muted());
    m_reasons->setPalette(palette);
}

} // namespace headroom::ui
