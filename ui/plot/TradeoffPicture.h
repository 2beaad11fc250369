// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/tradeoff/TradeoffFigure.h"
#include "ui/figures/FigureInk.h"
#include "ui/plot/TradeoffControls.h"
#include "ui/session/ResultSet.h"

#include <QString>

#include <unordered_map>

namespace headroom::ui {

/// A trade-off of results, computed: the figure, and what is needed to answer at once what a budget would mean.
class TradeoffPicture {
public:
    /// `panel` is cut to those there are. Takes its time with many trials: not for the UI thread.
    /// In `choice`, colour and shape may be kAutomaticLook.
    TradeoffPicture(const Results& results, std::size_t panel, report::TradeoffChoice choice, bool withBudget);

    const FigurePtr& figure() const { return m_figure; }
    const TradeoffOffers& offers() const { return m_offers; }
    /// In which panel a trial is; nothing for one that is in none.
    std::optional<std::size_t> panelOf(const std::string& trial) const;
    const std::optional<figures::Budget>& budget() const { return m_input.budget; }
    const SizeUnit& unit() const { return m_unit; }
    /// Which of the figure's lines is the budget, where it is drawn.
    std::optional<std::size_t> budgetLine() const;
    Bytes bytesAt(double value) const;
    /// "12.0 GiB: all, 9.25 GiB, 1.93 steps/s (predicted)"
    QString underBudget(double value) const;
    /// What has to be known of a trial, in one sentence; empty for one that the panel does not have.
    QString about(const QString& trial) const;

private:
    void findChoosable();
    void offerWhatIsKnown(const std::vector<const report::ReportTrial*>& trials, std::size_t cases);
    report::TradeoffChoice resolved(report::TradeoffChoice choice) const;
    FigurePtr figureInWordsOfTheTable() const;

    Results m_results;
    figures::TradeoffInput m_input;
    SizeUnit m_unit = sizeUnitOf(kGiB);
    FigurePtr m_figure;
    TradeoffOffers m_offers;
    std::unordered_map<std::string, std::size_t> m_panels; ///< by trial
    std::vector<std::size_t> m_choosable; ///< completed trials that contradict no other, the fastest first
};

} // namespace headroom::ui
