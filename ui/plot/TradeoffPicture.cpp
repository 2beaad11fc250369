// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/TradeoffPicture.h"

#include "experiments/report/FigureTerms.h"
#include "ui/plot/TradeoffWords.h"

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

std::string titleOr(const std::string& title, std::size_t panel)
{
    return title.empty() ? "comparison " + std::to_string(panel + 1) : title;
}

// What tells marks apart best, the best first: the experiment or the case, if there are several, then techniques.
std::vector<std::string> tellingLooks(const TradeoffOffers& offers, std::size_t cases)
{
    std::vector<std::string> looks;
    if (offers.isOfSeveral)
        looks.emplace_back(report::kByExperiment);
    else if (cases > 1)
        looks.emplace_back();
    looks.insert(looks.end(), offers.techniques.begin(), offers.techniques.end());
    return looks;
}

template <typename Known> bool anyHas(const std::vector<const report::ReportTrial*>& trials, const Known& known)
{
    return std::ranges::any_of(trials, [&](const report::ReportTrial* trial) { return known(*trial).has_value(); });
}

} // namespace

TradeoffPicture::TradeoffPicture(
    const Results& results, std::size_t panel, report::TradeoffChoice choice, bool withBudget)
    : m_results(results)
{
    const report::Comparison& comparison = results->comparison();
    const auto panels = comparison.panels();
    for (std::size_t i = 0; i < panels.size(); ++i) {
        m_offers.panels.push_back(titleOr(report::panelTitle(comparison, panels[i]), i));
        for (const report::ReportTrial* trial : report::trialsOf(comparison, panels[i]))
            m_panels.emplace(trial->id(), i);
    }
    const auto members = panels.empty() ? std::vector<std::size_t>() : panels[std::min(panel, panels.size() - 1)];
    const auto trials = report::trialsOf(comparison, members);
    offerWhatIsKnown(trials, members.size());
    m_input = report::tradeoffInput(results->content(), comparison, members, resolved(std::move(choice)));
    m_input.usable = report::usableMemory(results->content(), trials);
    if (!withBudget)
        m_input.budget.reset();
    m_unit = figures::memoryUnitOf(m_input);
    m_figure = figureInWordsOfTheTable();
    findChoosable();
}

void TradeoffPicture::offerWhatIsKnown(const std::vector<const report::ReportTrial*>& trials, std::size_t cases)
{
    m_offers.memories = report::memoryKindsOf(trials);
    m_offers.automatic = report::decidingMemory(trials);
    m_offers.techniques = report::tellingTechniques(trials);
    m_offers.isOfSeveral = m_results->isOfSeveral();
    for (const SpeedUnit unit : {SpeedUnit::Steps, SpeedUnit::Samples, SpeedUnit::Tokens})
        if (anyHas(trials, [&](const report::ReportTrial& trial) { return report::speedOf(trial, unit); }))
            m_offers.speeds.push_back(unit);
    const std::vector<std::string> looks = tellingLooks(m_offers, cases);
    m_offers.colourBy = looks.empty() ? std::string() : looks.front();
    m_offers.shapeBy = looks.size() > 1 ? looks[1] : m_offers.colourBy;
}

// A choice that these trials do not know gives way to what they do.
report::TradeoffChoice TradeoffPicture::resolved(report::TradeoffChoice choice) const
{
    if (!choice.memory)
        choice.memory = m_offers.automatic;
    if (!m_offers.speeds.empty() && std::ranges::find(m_offers.speeds, choice.unit) == m_offers.speeds.end())
        choice.unit = m_offers.speeds.front();
    const auto settle = [&](std::string& look, const std::string& automatic) {
        const bool isGone = look == report::kByExperiment && !m_offers.isOfSeveral;
        if (look == kAutomaticLook || isGone)
            look = automatic;
    };
    settle(choice.colourBy, m_offers.colourBy);
    settle(choice.shapeBy, m_offers.shapeBy);
    return choice;
}

// What a mark says is what its row in the table says, so that no number has two forms on the screen.
FigurePtr TradeoffPicture::figureInWordsOfTheTable() const
{
    figures::Figure figure = figures::tradeoffFigure(m_input);
    const auto say = [this](const std::string& id, figures::Hover& hover) {
        if (const report::ReportTrial* trial = m_results->find(id))
            hover = hoverOf(*m_results, *trial);
    };
    for (figures::Mark& mark : figure.marks)
        say(mark.id, mark.hover);
    for (figures::StripEntry& entry : figure.strip)
        say(entry.id, entry.hover);
    return std::make_shared<const figures::Figure>(std::move(figure));
}

QString TradeoffPicture::about(const QString& trial) const
{
    return QString::fromStdString(chosenSentence(*m_results, m_input, trial.toStdString()));
}

std::optional<std::size_t> TradeoffPicture::panelOf(const std::string& trial) const
{
    const auto found = m_panels.find(trial);
    return found == m_panels.end() ? std::nullopt : std::optional(found->second);
}

void TradeoffPicture::findChoosable()
{
    for (std::size_t i = 0; i < m_input.trials.size(); ++i) {
        const figures::TradeoffTrial& trial = m_input.trials[i];
        const bool implausible =
            std::find(trial.flags.begin(), trial.flags.end(), figures::Flag::Implausible) != trial.flags.end();
        if (trial.outcome == Outcome::Completed && trial.peak && trial.perSecond && !implausible)
            m_choosable.push_back(i);
    }
    std::stable_sort(m_choosable.begin(), m_choosable.end(),
        [this](std::size_t a, std::size_t b) { return *m_input.trials[a].perSecond > *m_input.trials[b].perSecond; });
}

std::optional<std::size_t> TradeoffPicture::budgetLine() const
{
    const auto& lines = m_figure->references;
    if (!m_input.budget || lines.empty() || lines.front().at != m_unit.of(m_input.budget->bytes))
        return std::nullopt;
    return 0;
}

Bytes TradeoffPicture::bytesAt(double value) const
{
    return static_cast<Bytes>(std::llround(value * static_cast<double>(m_unit.bytes)));
}

QString TradeoffPicture::underBudget(double value) const
{
    const Bytes budget = bytesAt(value);
    const QString size = QString::fromStdString(sizeText(budget));
    const auto best = std::find_if(
        m_choosable.begin(), m_choosable.end(), [&](std::size_t i) { return *m_input.trials[i].peak <= budget; });
    if (best == m_choosable.end())
        return QStringLiteral("%1: no trial fits").arg(size);
    const figures::TradeoffTrial& trial = m_input.trials[*best];
    const QString predicted = trial.provenance == figures::Provenance::Measured
        ? QString()
        : QStringLiteral(" (%1)").arg(QString::fromStdString(figures::name(trial.provenance)));
    return QStringLiteral("%1: %2, %3%4")
        .arg(size, QString::fromStdString(trial.label),
            QString::fromStdString(speedText(*trial.perSecond, m_input.unit)), predicted);
}

} // namespace headroom::ui
