// SPDX-License-Identifier: Apache-2.0
#include "ui/session/ResultSet.h"

#include "core/base/Wording.h"
#include "core/config/imported/ShownModelName.h"
#include "core/config/models/RecordingFamily.h"
#include "experiments/report/TrialTable.h"

#include <QStringList>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr std::size_t kMostNamed = 2; ///< of models or devices in a title
constexpr qsizetype kLettersOfADay = 10; ///< "2026-03-01"

// "a, b", or "a and 3 more models".
QString namedText(const std::vector<std::string>& names, const std::string& kind)
{
    QStringList parts;
    for (const std::string& name : names)
        parts.append(QString::fromStdString(name));
    if (names.size() <= kMostNamed)
        return parts.join(QStringLiteral(", "));
    return QStringLiteral("%1 and %2 more %3s")
        .arg(parts.first(), QString::number(parts.size() - 1), QString::fromStdString(kind));
}

void addOnce(std::vector<std::string>& names, const std::string& name)
{
    if (std::ranges::find(names, name) == names.end())
        names.push_back(name);
}

bool isRecording(const report::ReportTrial& trial)
{
    return trial.planned.configuration.model == config::kRecordingModel;
}

Bytes heldAtPeak(const report::ReportTrial& trial)
{
    return trial.result.memory.peak.allocated.value_or(-1);
}

const report::ReportTrial* firstWith(const std::vector<report::ReportTrial>& trials, Outcome outcome)
{
    const auto found = std::ranges::find(trials, outcome, [](const auto& trial) { return trial.result.outcome; });
    return found == trials.end() ? nullptr : &*found;
}

} // namespace

ResultSet::ResultSet(std::string workspace, report::ReportContent content, const std::set<std::string>& references)
    : m_workspace(std::move(workspace))
    , m_content(std::move(content))
    , m_comparison(m_content.trials, references)
    , m_table(report::trialTable(m_content, m_comparison, report::TrialColumns::Axes))
{
    for (std::size_t i = 0; i < m_content.trials.size(); ++i)
        m_index.emplace(m_content.trials[i].id(), i);
}

std::vector<std::string> ResultSet::models() const
{
    std::vector<std::string> names;
    for (const report::ReportTrial& trial : m_content.trials)
        addOnce(names, trial.planned.configuration.model);
    return names;
}

std::vector<std::string> ResultSet::devices() const
{
    std::vector<std::string> names;
    for (const report::ReportTrial& trial : m_content.trials)
        addOnce(names, trial.planned.device.name());
    return names;
}

std::vector<std::int64_t> ResultSet::experiments() const
{
    std::vector<std::int64_t> numbers;
    for (const report::ReportTrial& trial : m_content.trials)
        if (const std::int64_t number = experimentOf(trial); std::ranges::find(numbers, number) == numbers.end())
            numbers.push_back(number);
    return numbers.empty() ? std::vector{m_content.number} : numbers;
}

QString ResultSet::title() const
{
    const auto trials = static_cast<std::int64_t>(m_content.trials.size());
    const QString count = QString::fromStdString(counted(trials, "trial"));
    const QString name = QString::fromStdString(m_content.experiment);
    if (const auto several = static_cast<std::int64_t>(experiments().size()); several > 1)
        return QStringLiteral("%1: %2; %3").arg(QString::fromStdString(counted(several, "experiment")), name, count);
    std::vector<std::string> shown = models();
    std::ranges::transform(shown, shown.begin(), config::shownModelName);
    QStringList parts{name, namedText(shown, "model"), namedText(devices(), "device"), count,
        QString::fromStdString(m_content.startedAt)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString ResultSet::fileWords() const
{
    std::vector<std::string> shown = models();
    std::ranges::transform(shown, shown.begin(), config::shownModelName);
    const QString name = QString::fromStdString(m_content.experiment);
    const bool isNamed = name != QLatin1String("unnamed") && name != QLatin1String("adhoc"); // by somebody
    QStringList words{isNamed ? name : QString(), namedText(shown, "model"), namedText(devices(), "device"),
        QString::fromStdString(m_content.startedAt).left(kLettersOfADay)};
    words.removeAll(QString());
    words.removeDuplicates(); // many an experiment is called as its model
    return words.join(QLatin1Char(' '));
}

const report::ReportTrial* ResultSet::find(const std::string& trialId) const
{
    const auto found = m_index.find(trialId);
    return found == m_index.end() ? nullptr : &m_content.trials[found->second];
}

const report::ReportTrial* ResultSet::firstToLookAt() const
{
    const std::vector<report::ReportTrial>& trials = m_content.trials;
    if (trials.empty() || !std::ranges::all_of(trials, isRecording))
        return firstWith(trials, Outcome::Completed);
    const report::ReportTrial* died = firstWith(trials, Outcome::OutOfMemory);
    return died != nullptr ? died : &*std::ranges::max_element(trials, {}, heldAtPeak);
}

std::int64_t ResultSet::experimentOf(const report::ReportTrial& trial) const
{
    return trial.source ? trial.source->experiment : m_content.number;
}

const std::string& ResultSet::storedId(const report::ReportTrial& trial)
{
    return trial.source ? trial.source->storedId : trial.id();
}

bool areOfSameExperiments(const Results& a, const Results& b)
{
    return a && b && a->workspace() == b->workspace() && a->experiments() == b->experiments();
}

} // namespace headroom::ui
