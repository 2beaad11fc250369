// SPDX-License-Identifier: Apache-2.0
#include "ui/window/ResultsHeading.h"

#include "core/config/models/RecordingFamily.h"

#include <algorithm>

namespace headroom::ui {

ResultsHeading::ResultsHeading(Theme& theme, QWidget* parent)
    : ElidedLabel(parent)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("resultsHeading"));
    const int space = fontMetrics().averageCharWidth();
    setContentsMargins(space, space / 2, space, space / 2);
    connect(&theme, &Theme::changed, this, &ResultsHeading::refresh);
    refresh();
}

void ResultsHeading::setResults(const Results& results)
{
    if (!areOfSameExperiments(m_results, results))
        m_textAtOpening.reset();
    m_results = results;
    rememberPlan();
    refresh();
}

void ResultsHeading::rememberPlan()
{
    if (m_results && m_plan && !m_textAtOpening)
        m_textAtOpening = m_plan->text;
}

bool ResultsHeading::isOutdated() const
{
    return m_results && m_kinship == Kinship::Other && m_plan && m_plan->text != m_textAtOpening;
}

void ResultsHeading::setPlan(const std::shared_ptr<const Plan>& plan)
{
    m_plan = plan;
    rememberPlan();
    refresh();
}

// A plan with an error has no trials and shows no relation, so the last one is kept.
ResultsHeading::Kinship ResultsHeading::found() const
{
    if (!m_results || !m_plan || m_plan->trials.empty())
        return m_kinship;
    const auto& trials = m_plan->trials;
    if (std::any_of(trials.begin(), trials.end(), [&](const auto& trial) { return m_results->find(trial.trialId); }))
        return Kinship::Own;
    const std::vector<std::string> models = m_results->models();
    if (std::ranges::all_of(models, [](const std::string& model) { return model == config::kRecordingModel; }))
        return Kinship::Own; // of another program: nobody takes them for results of what is on the left
    const bool sharesModel = std::any_of(trials.begin(), trials.end(), [&](const auto& planned) {
        return std::ranges::find(models, planned.trial.configuration.model) != models.end();
    });
    return sharesModel && m_plan->spec.name == m_results->content().trials.front().result.experiment ? Kinship::Earlier
                                                                                                     : Kinship::Other;
}

void ResultsHeading::refresh()
{
    m_kinship = found();
    const QString title = m_results ? m_results->title() : QString();
    const QString shown = m_results ? QStringLiteral("Results of %1").arg(title) : QString();
    const bool isOther = m_results && m_kinship == Kinship::Other;
    if (isOther)
        setLine(QStringLiteral("%1: another experiment than the one on the left").arg(shown),
            QStringLiteral("Run the experiment on the left to see its own."));
    else if (m_results && m_kinship == Kinship::Earlier)
        setLine(QStringLiteral("%1, before the changes on the left").arg(shown),
            QStringLiteral("None of the trials on the left is among them: run the experiment again."));
    else
        setLine(shown);
    setShortLine(isOther ? QStringLiteral("Another experiment: %1").arg(title) : title);
    setVisible(!shown.isEmpty());
    QPalette colours;
    QColor ground = m_theme.warning();
    ground.setAlphaF(0.18F);
    colours.setColor(QPalette::Window, ground);
    colours.setColor(QPalette::WindowText, isOutdated() ? m_theme.ink() : m_theme.muted());
    setPalette(colours);
    setAutoFillBackground(isOutdated());
    Q_EMIT refreshed();
}

} // namespace headroom::ui
