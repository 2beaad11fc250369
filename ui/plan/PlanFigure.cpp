// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/PlanFigure.h"

#include "core/base/Wording.h"
#include "experiments/figures/tradeoff/TradeoffFigure.h"
#include "experiments/plan/PlanSentences.h"

#include <fmt/format.h>

namespace headroom::ui {
namespace {

using experiments::FitVerdict;
using experiments::PlannedChoice;

constexpr double kMostShown = 1.5; ///< of the usable memory: what needs more is not drawn

figures::TradeoffTrial planMark(const PlannedChoice& choice, std::size_t place)
{
    const bool fits = choice.verdict.kind == FitVerdict::Kind::Fits;
    figures::TradeoffTrial trial;
    trial.id = std::to_string(place);
    trial.label = experiments::changesText(choice.changes);
    trial.group = fits ? "fits" : "does not fit";
    trial.provenance = figures::Provenance::Predicted;
    trial.peak = choice.verdict.neededBytes();
    trial.perSecond = 1 / choice.figures.seconds;
    trial.fits = fits;
    return trial;
}

// Names of combinations are sentences, and stand in the table.
void labelRoles(figures::Figure& figure, const std::vector<PlannedChoice>& choices, const std::vector<PlanRow>& rows)
{
    for (figures::Mark& mark : figure.marks) {
        mark.label.clear();
        mark.wish = figures::LabelWish::None;
        const PlannedChoice& choice = choices.at(std::stoul(mark.id));
        for (const PlanRow& row : rows)
            if (!row.role.isEmpty() && row.choice.trial == choice.trial) {
                mark.label = row.role.toStdString();
                mark.wish = figures::LabelWish::First;
            }
    }
}

} // namespace

FigurePtr planFigure(
    const std::vector<PlannedChoice>& choices, const std::vector<PlanRow>& rows, const std::string& card)
{
    figures::TradeoffInput input;
    input.title = "Needed memory against speed";
    input.memory = figures::MemoryKind::Needed;
    std::vector<figures::TradeoffTrial> unfit; // last, so that what fits has the first colour
    std::int64_t beyond = 0;
    for (std::size_t place = 0; place < choices.size(); ++place) {
        const FitVerdict& verdict = choices[place].verdict;
        if (!verdict.reservedBytes || choices[place].figures.seconds <= 0)
            continue;
        if (!input.usable)
            input.usable = figures::Budget{verdict.usableBytes, "usable memory of " + card};
        const auto most = kMostShown * static_cast<double>(verdict.usableBytes);
        if (static_cast<double>(verdict.neededBytes().value_or(0)) > most)
            ++beyond;
        else
            (verdict.kind == FitVerdict::Kind::Fits ? input.trials : unfit).push_back(planMark(choices[place], place));
    }
    input.trials.insert(input.trials.end(), unfit.begin(), unfit.end());
    figures::Figure figure = figures::tradeoffFigure(input);
    figure.kind = "plan"; // its labels are roles, not settings
    labelRoles(figure, choices, rows);
    figure.notes.clear(); // they are about labels that there are not
    if (beyond > 0)
        figure.notes.push_back(
            fmt::format("{} far to the right of what the card has: not drawn.", counted(beyond, "combination")));
    return std::make_shared<const figures::Figure>(std::move(figure));
}

FigurePtr figureWithoutPlan(const std::string& text)
{
    figures::Figure figure;
    figure.kind = "tradeoff";
    figure.title = "Needed memory against speed";
    figure.description = text;
    figure.emptyText = text;
    return std::make_shared<const figures::Figure>(std::move(figure));
}

} // namespace headroom::ui
