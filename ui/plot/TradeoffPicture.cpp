// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/TradeoffPicture.h"

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

std::string titleOr(const std::string& title, std::size_t panel)
{
    return title.empty() ? "comparison " + std::to_string(panel + 1) : title;
}

// Trials of one case differ in techniques alone: the two that vary first tell them apart. Cases are told apart first.
std::string lookOfAxis(const TradeoffOffers& offers, std::size_t axis, std::size_t cases)
{
    return cases == 1 && axis < offers.techniques.size() ? offers.techniques[axis] : std::string();
}

} // namespace

TradeoffPicture::TradeoffPicture(
    const Results& results, std::size_t panel, report::TradeoffChoice choice, bool withBudget)
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
    m_offers.memories = report::memoryKindsOf(trials);
    m_offers.automatic = report::automaticMemory(trials);
    m_offers.techniques = report::varyingTechniques(trials);
    m_offers.colourBy = lookOfAxis(m_offers, 0, members.size());
    m_offers.shapeBy = lookOfAxis(m_offers, 1, members.size());
    if (choice.colourBy == kAutomaticLook)
        choice.colourBy = m_offers.colourBy;
    if (choice.shapeBy == kAutomaticLook)
        choice.shapeBy = m_offers.shapeBy.empty() ? choice.colourBy : m_offers.shapeBy;
    m_input = report::tradeoffInput(results->content(), comparison, members, choice);
    m_input.usable = report::usableMemory(results->content(), trials);
    if (!withBudget)
        m_input.budget.reset();
    m_unit = figures::memoryUnitOf(m_input);
    m_figure = std::make_shared<const figures::Figure>(figures::tradeoffFigure(m_input));
    findChoosable();
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
    const QString predicted =
        trial.provenance == figures::Provenance::Predicted ? QStringLiteral(" (predicted)") : QString();
    return QStringLiteral("%1: %2, %3%4")
        .arg(size, QString::fromStdString(trial.label),
            QString::fromStdString(speedText(*trial.perSecond, m_input.unit)), predicted);
}

} // namespace headroom::ui
