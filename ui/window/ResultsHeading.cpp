// SPDX-License-Identifier: Apache-2.0
#include "ui/window/ResultsHeading.h"

#include "core/config/models/RecordingFamily.h"
#include "ui/look/WidgetInk.h"

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
    if (!areOfSameExperiments(m_results, results)) {
        m_textAtOpening.reset();
        m_owner.reset();
    }
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

void ResultsHeading::setPlan(const std::shared_ptr<const Plan>& plan, int document)
{
    m_plan = plan;
    m_document = document;
    rememberPlan();
    refresh();
}

bool ResultsHeading::isOfRecordings() const
{
    const std::vector<std::string> models = m_results->models();
    return !models.empty()
        && std::ranges::all_of(models, [](const std::string& model) { return model == config::kRecordingModel; });
}

// Two experiments that nobody gave a name are not the same. A plan with an error has no trials and shows no relation,
// so the last one is kept.
ResultsHeading::Kinship ResultsHeading::found() const
{
    if (!m_results || !m_plan)
        return m_kinship;
    const auto& trials = m_plan->trials;
    if (std::any_of(trials.begin(), trials.end(), [&](const auto& trial) { return m_results->find(trial.trialId); }))
        return Kinship::Own;
    if (m_results->content().trials.empty() || isOfRecordings())
        return Kinship::Own; // of another program: nobody takes them for results of what is on the left
    if (m_owner && m_owner != m_document)
        return Kinship::Other;
    if (trials.empty())
        return m_kinship;
    const std::vector<std::string> models = m_results->models();
    const bool sharesModel = std::any_of(trials.begin(), trials.end(), [&](const auto& planned) {
        return std::ranges::find(models, planned.trial.configuration.model) != models.end();
    });
    return sharesModel && m_plan->spec.name == m_results->content().trials.front().result.experiment ? Kinship::Earlier
                                                                                                     : Kinship::Other;
}

void ResultsHeading::refresh()
{
    m_kinship = found();
    if (m_results && m_plan && !m_plan->trials.empty() && m_kinship == Kinship::Own)
        m_owner = m_document;
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
    setInk(this, isOutdated() ? m_theme.ink() : m_theme.muted());
    setGround(this, m_theme, isOutdated() ? Ground::Highlighted : Ground::Plain);
    Q_EMIT refreshed();
}

} // namespace headroom::ui
