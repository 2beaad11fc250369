// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/CompareTables.h"

#include "core/base/Quantities.h"
#include "experiments/report/Facets.h"
#include "experiments/verdict/PeakSentences.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

namespace headroom::ui {
namespace {

constexpr std::size_t kMostParts = 6; ///< of a category: the others are summed up
const QString kMinus = QStringLiteral("\u2212");

QString toQt(const std::string& text)
{
    return QString::fromStdString(text);
}

QString categoryName(config::MemoryCategory category)
{
    const std::string_view title = config::titleOf(category);
    return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

std::optional<trace::PeakProfile> profileOf(const report::ReportTrial& trial)
{
    if (!trial.result.breakdown)
        return std::nullopt;
    return experiments::profileOf(*trial.result.breakdown);
}

/// What each trial holds of one thing.
using Amounts = std::vector<Bytes>;
using Parts = std::map<std::string, Amounts>; ///< by part of the model

Bytes mostDifferent(const Amounts& amounts)
{
    Bytes most = 0;
    for (const Bytes bytes : amounts)
        most = std::max(most, std::abs(bytes - amounts.front()));
    return most;
}

void add(Amounts& to, const Amounts& more)
{
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += more[i];
}

/// Makes the rows of the table of peaks.
class PeakRows {
public:
    explicit PeakRows(const std::vector<std::optional<trace::PeakProfile>>& peaks)
        : m_peaks(peaks)
    {
        std::vector<std::optional<Bytes>> totals;
        for (const auto& peak : peaks)
            totals.push_back(peak ? std::optional(peak->totalBytes) : std::nullopt);
        m_unit = columnUnitFor(totals);
        for (std::size_t trial = 0; trial < peaks.size(); ++trial)
            if (peaks[trial])
                collect(trial);
    }

    CompareTable table() const
    {
        CompareTable table{header(), {}};
        Amounts everything(m_peaks.size());
        std::vector<std::pair<Bytes, CompareRow>> rows;
        for (const auto& [category, parts] : m_held) {
            Amounts sum(m_peaks.size());
            for (const auto& [part, amounts] : parts)
                add(sum, amounts);
            add(everything, sum);
            rows.push_back({mostDifferent(sum), {cells(categoryName(category), sum), partRows(parts)}});
        }
        std::ranges::stable_sort(rows, std::ranges::greater(), [](const auto& row) { return row.first; });
        table.rows.append({cells(QStringLiteral("Everything"), everything)});
        for (auto& [difference, row] : rows)
            table.rows.append(std::move(row));
        return table;
    }

private:
    bool areTwo() const { return m_peaks.size() == 2; }

    void collect(std::size_t trial)
    {
        for (const trace::PeakShare& share : m_peaks[trial]->shares) {
            Amounts& amounts = m_held[share.category][trace::partOfModel(share.module)];
            amounts.resize(m_peaks.size());
            amounts[trial] += share.bytes;
        }
    }

    QStringList header() const
    {
        QStringList header{QStringLiteral("At the peak (%1)").arg(toQt(m_unit.name)), toQt(letterOf(0))};
        if (areTwo())
            header.append(toQt(letterOf(1)));
        for (std::size_t i = 1; i < m_peaks.size(); ++i)
            header.append(QStringLiteral("%1%2%3").arg(toQt(letterOf(i)), kMinus, toQt(letterOf(0))));
        return header;
    }

    QString amount(std::size_t trial, Bytes bytes) const
    {
        return m_peaks[trial] ? toQt(inUnit(bytes, m_unit)) : QLatin1String(kUnknownCell);
    }

    QStringList cells(const QString& name, const Amounts& amounts) const
    {
        QStringList cells{name, amount(0, amounts[0])};
        if (areTwo())
            cells.append(amount(1, amounts[1]));
        for (std::size_t i = 1; i < amounts.size(); ++i)
            cells.append(m_peaks[0] && m_peaks[i] ? toQt(signedInUnit(amounts[i] - amounts[0], m_unit))
                                                  : QLatin1String(kUnknownCell));
        return cells;
    }

    // The parts that differ most; a category that is of no part of the model has no rows.
    QList<CompareRow> partRows(const Parts& parts) const
    {
        QList<CompareRow> rows;
        if (parts.size() == 1 && parts.begin()->first.empty())
            return rows;
        std::vector<std::pair<std::string, Amounts>> ordered(parts.begin(), parts.end());
        std::ranges::stable_sort(
            ordered, std::ranges::greater(), [](const auto& part) { return mostDifferent(part.second); });
        Amounts others(m_peaks.size());
        for (std::size_t i = 0; i < ordered.size(); ++i) {
            const auto& [part, amounts] = ordered[i];
            const QString name = part.empty() ? QStringLiteral("outside of modules") : toQt(part);
            if (i < kMostParts || ordered.size() == kMostParts + 1)
                rows.append({cells(name, amounts)});
            else
                add(others, amounts);
        }
        if (ordered.size() > kMostParts + 1)
            rows.append({cells(QStringLiteral("%1 others").arg(ordered.size() - kMostParts), others)});
        return rows;
    }

    const std::vector<std::optional<trace::PeakProfile>>& m_peaks;
    SizeUnit m_unit;
    std::map<config::MemoryCategory, Parts> m_held;
};

} // namespace

ComparedTrials namedTrials(std::vector<const report::ReportTrial*> trials)
{
    ComparedTrials compared{std::move(trials), {}};
    const report::Facets circumstances(compared.trials, report::Facets::Of::Circumstances);
    const std::vector<std::string> circumstance = circumstances.labels(compared.trials);
    for (std::size_t i = 0; i < compared.trials.size(); ++i) {
        const report::ReportTrial& trial = *compared.trials[i];
        QStringList words{toQt(trial.techniques.empty() ? trial.label() : trial.techniques)};
        if (i < circumstance.size() && !circumstance[i].empty())
            words.append(toQt(circumstance[i]));
        compared.names.append(words.join(QStringLiteral(", ")));
    }
    return compared;
}

std::string letterOf(std::size_t trial)
{
    return std::string(1, static_cast<char>('A' + trial));
}

QStringList peakSentences(const ComparedTrials& compared)
{
    QStringList sentences;
    const bool hasLetters = compared.trials.size() > 2;
    const auto nameOf = [&](std::size_t trial) {
        return hasLetters ? letterOf(trial) : compared.names.at(static_cast<int>(trial)).toStdString();
    };
    const auto first = compared.trials.empty() ? std::nullopt : profileOf(*compared.trials.front());
    for (std::size_t i = 1; first && i < compared.trials.size(); ++i) {
        const auto own = profileOf(*compared.trials[i]);
        if (!own)
            continue;
        const bool isPredicted = compared.trials[i]->isPredicted() || compared.trials.front()->isPredicted();
        sentences.append(toQt(experiments::whyAbove({nameOf(i), *own}, {nameOf(0), *first}))
            + (isPredicted ? QStringLiteral(" (Predicted.)") : QString()));
    }
    return sentences;
}

CompareTable peakTable(const ComparedTrials& compared)
{
    std::vector<std::optional<trace::PeakProfile>> peaks;
    for (const report::ReportTrial* trial : compared.trials)
        peaks.push_back(profileOf(*trial));
    if (std::ranges::none_of(peaks, [](const auto& peak) { return peak.has_value(); }))
        return {};
    return PeakRows(peaks).table();
}

CompareTable settingsTable(const ComparedTrials& compared)
{
    const report::Facets facets(compared.trials, report::Facets::Of::Everything);
    CompareTable table{{QStringLiteral("Setting")}, {}};
    for (std::size_t i = 0; i < compared.trials.size(); ++i)
        table.header.append(toQt(letterOf(i)));
    for (const std::string& key : facets.varying()) {
        QStringList row{toQt(key)};
        for (const report::ReportTrial* trial : compared.trials)
            row.append(toQt(facets.value(*trial, key)));
        table.rows.append({row});
    }
    return table;
}

} // namespace headroom::ui
