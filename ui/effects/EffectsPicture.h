// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/effects/EffectTables.h"
#include "ui/figures/FigureInk.h"
#include "ui/session/ResultSet.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace headroom::ui {

/// What to show of the effects of an experiment; without a peak the one that suits.
struct EffectsChoice {
    std::size_t group = 0;
    std::optional<report::EffectPeak> peak = {};
};

/// The effects of one group of an experiment, computed: tables, sentences and figures.
class EffectsPicture {
public:
    /// Takes its time with many trials: not for the UI thread. A group that is not there gives way to the first.
    EffectsPicture(Results results, const EffectsChoice& choice);

    /// No technique varies, so that there is nothing to show.
    bool isEmpty() const { return m_groups.isEmpty(); }
    /// Titles of the groups; that of the only one is empty.
    const QStringList& groups() const { return m_groups; }
    report::EffectPeak peak() const { return m_peak; }
    const report::ReportTable& mainTable() const { return m_mainTable; }
    const report::ReportTable& pairTable() const { return m_pairTable; }
    /// What a row of the table says, as a sentence.
    QString mainSentence(std::size_t row) const { return m_mainSentences.value(static_cast<qsizetype>(row)); }
    QString pairSentence(std::size_t row) const { return m_pairSentences.value(static_cast<qsizetype>(row)); }
    /// What the figures lack; empty where nothing is missing.
    const QString& cautions() const { return m_cautions; }
    /// The strongest pair that does more or less together than the sum.
    std::optional<std::size_t> strongestPair() const { return m_strongest; }

    const FigurePtr& peakBars() const { return m_peakBars; }
    /// Null where no step time is known.
    const FigurePtr& stepBars() const { return m_stepBars; }
    /// The interaction plots, with the rows of their pairs; those of pairs that add up are left out.
    const std::vector<std::pair<std::size_t, FigurePtr>>& pairPlots() const { return m_pairPlots; }

private:
    void compute(const report::Effects& effects);
    void plotPairs(const report::Effects& effects);

    Results m_results;
    QStringList m_groups;
    report::EffectPeak m_peak = report::EffectPeak::Allocated;
    report::ReportTable m_mainTable;
    report::ReportTable m_pairTable;
    QStringList m_mainSentences;
    QStringList m_pairSentences;
    QString m_cautions;
    std::optional<std::size_t> m_strongest;
    FigurePtr m_peakBars;
    FigurePtr m_stepBars;
    std::vector<std::pair<std::size_t, FigurePtr>> m_pairPlots;
};

} // namespace headroom::ui
