// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/CompareTables.h"

#include "core/base/Quantities.h"
#include "core/config/models/RecordingFamily.h"
#include "experiments/report/Facets.h"
#include "experiments/verdict/PeakSentences.h"
#include "profiling/trace/FrameText.h"
#include "ui/compare/EnvironmentRows.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace headroom::ui {
namespace {

constexpr std::size_t kMostParts = 6; ///< of a category: the others are summed up
constexpr std::size_t kFrameLetters = 44;
const std::string kContentOfRecordings = std::string("model.") + config::kRecordingContent; ///< a checksum
const QString kMinus = QStringLiteral("\u2212");
const QString kAtLeast = QStringLiteral("\u2265 ");

QString toQt(const std::string& text)
{
    return QString::fromStdString(text);
}

QString categoryName(config::MemoryCategory category)
{
    const std::string_view title = config::titleOf(category);
    return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

const PeakTrees* treesOf(const ComparedTrials& compared, std::size_t trial)
{
    const bool isKnown = trial < compared.traced.size() && compared.traced[trial];
    return isKnown ? compared.traced[trial]->peak.trees.get() : nullptr;
}

// Recordings have no breakdown in their record.
std::optional<trace::PeakProfile> profileOf(const ComparedTrials& compared, std::size_t trial)
{
    if (const auto& breakdown = compared.trials[trial]->result.breakdown)
        return experiments::profileOf(*breakdown);
    const PeakTrees* trees = treesOf(compared, trial);
    return trees != nullptr ? std::optional(trees->profile) : std::nullopt;
}

/// What is known of a trial's peak. One that ran out of memory has no peak, but held as much when it ended.
struct KnownPeak {
    std::optional<trace::PeakProfile> profile;
    std::optional<Bytes> atEnd;

    std::optional<Bytes> total() const { return profile ? std::optional(profile->totalBytes) : atEnd; }
};

KnownPeak knownPeakOf(const ComparedTrials& compared, std::size_t place)
{
    const report::ReportTrial& trial = *compared.trials[place];
    const bool hasEnded = trial.result.outcome == Outcome::OutOfMemory;
    return {profileOf(compared, place), hasEnded ? trial.result.memory.wholeRunPeak.allocated : std::nullopt};
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
    PeakRows(const std::vector<KnownPeak>& peaks, const ComparedTrials& compared)
        : m_peaks(peaks)
    {
        std::vector<std::optional<Bytes>> totals;
        for (const KnownPeak& peak : peaks)
            totals.push_back(peak.total());
        m_unit = columnUnitFor(totals);
        for (std::size_t trial = 0; trial < peaks.size(); ++trial)
            if (peaks[trial].profile)
                collect(trial);
        for (std::size_t trial = 0; trial < peaks.size(); ++trial)
            if (const PeakTrees* trees = treesOf(compared, trial))
                for (const auto& [frame, bytes] : trees->frames) {
                    Amounts& amounts = m_frames[frame];
                    amounts.resize(m_peaks.size());
                    amounts[trial] += bytes;
                }
    }

    CompareTable table() const
    {
        CompareTable table{header(), {}};
        std::vector<std::pair<Bytes, CompareRow>> rows;
        for (const auto& [category, parts] : m_held) {
            Amounts sum(m_peaks.size());
            for (const auto& [part, amounts] : parts)
                add(sum, amounts);
            rows.push_back({mostDifferent(sum), {cells(categoryName(category), sum), partRows(parts)}});
        }
        std::ranges::stable_sort(rows, std::ranges::greater(), [](const auto& row) { return row.first; });
        table.rows.append({totals()});
        for (auto& [difference, row] : rows)
            table.rows.append(std::move(row));
        if (!m_frames.empty())
            table.rows.append(frameRow());
        return table;
    }

private:
    bool areTwo() const { return m_peaks.size() == 2; }

    void collect(std::size_t trial)
    {
        for (const trace::PeakShare& share : m_peaks[trial].profile->shares) {
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
        return m_peaks[trial].profile ? toQt(inUnit(bytes, m_unit)) : QLatin1String(kUnknownCell);
    }

    // "≥" before what a trial held when it ran out of memory: with more of it, it would have held more.
    QString totalOf(std::size_t trial, const QString& text) const
    {
        return m_peaks[trial].profile ? text : kAtLeast + text;
    }

    QString total(std::size_t trial) const
    {
        const auto bytes = m_peaks[trial].total();
        return bytes ? totalOf(trial, toQt(inUnit(bytes, m_unit))) : QLatin1String(kUnknownCell);
    }

    // Against a first trial that ended out of memory there is no difference that can be known.
    QString totalDifference(std::size_t trial) const
    {
        const auto bytes = m_peaks[trial].total();
        if (!bytes || !m_peaks[0].profile)
            return QLatin1String(kUnknownCell);
        return totalOf(trial, toQt(signedInUnit(*bytes - m_peaks[0].profile->totalBytes, m_unit)));
    }

    QStringList totals() const
    {
        QStringList cells{QStringLiteral("Everything"), total(0)};
        if (areTwo())
            cells.append(total(1));
        for (std::size_t i = 1; i < m_peaks.size(); ++i)
            cells.append(totalDifference(i));
        return cells;
    }

    QStringList cells(const QString& name, const Amounts& amounts) const
    {
        QStringList cells{name, amount(0, amounts[0])};
        if (areTwo())
            cells.append(amount(1, amounts[1]));
        for (std::size_t i = 1; i < amounts.size(); ++i)
            cells.append(m_peaks[0].profile && m_peaks[i].profile ? toQt(signedInUnit(amounts[i] - amounts[0], m_unit))
                                                                  : QLatin1String(kUnknownCell));
        return cells;
    }

    // The same memory once more, by the lines of the program that allocated it.
    CompareRow frameRow() const
    {
        QStringList head{QStringLiteral("By line")};
        while (head.size() < header().size())
            head.append(QString());
        return {head,
            largestRows(m_frames,
                [](const std::string& frame) {
                    return frame.empty() ? QStringLiteral("no call stack")
                                         : toQt(trace::shortFrame(frame, kFrameLetters));
                }),
            true};
    }

    // A category that is of no part of the model has no rows.
    QList<CompareRow> partRows(const Parts& parts) const
    {
        if (parts.size() == 1 && parts.begin()->first.empty())
            return {};
        return largestRows(parts,
            [](const std::string& part) { return part.empty() ? QStringLiteral("outside of modules") : toQt(part); });
    }

    // Those that differ most.
    template <typename Name> QList<CompareRow> largestRows(const Parts& parts, const Name& nameOf) const
    {
        QList<CompareRow> rows;
        std::vector<std::pair<std::string, Amounts>> ordered(parts.begin(), parts.end());
        std::ranges::stable_sort(
            ordered, std::ranges::greater(), [](const auto& part) { return mostDifferent(part.second); });
        Amounts others(m_peaks.size());
        for (std::size_t i = 0; i < ordered.size(); ++i) {
            const auto& [part, amounts] = ordered[i];
            if (i < kMostParts || ordered.size() == kMostParts + 1)
                rows.append({cells(nameOf(part), amounts)});
            else
                add(others, amounts);
        }
        if (ordered.size() > kMostParts + 1)
            rows.append({cells(QStringLiteral("%1 others").arg(ordered.size() - kMostParts), others)});
        return rows;
    }

    const std::vector<KnownPeak>& m_peaks;
    SizeUnit m_unit;
    std::map<config::MemoryCategory, Parts> m_held;
    Parts m_frames; ///< by frame
};

} // namespace

namespace {

// "baseline, ltx-tradeoff". Trials of several experiments differ in much: the table of settings says all of it.
std::vector<std::string> experimentsOf(const std::vector<const report::ReportTrial*>& trials)
{
    std::vector<std::string> experiments;
    for (const report::ReportTrial* trial : trials)
        experiments.push_back(trial->source.value_or(report::TrialSource{}).title);
    return experiments;
}

// Whether no two trials have the same techniques in the same experiment.
bool areToldApartBy(const std::vector<std::string>& experiments, const std::vector<const report::ReportTrial*>& trials)
{
    std::set<std::pair<std::string, std::string>> names;
    for (std::size_t i = 0; i < trials.size(); ++i)
        names.emplace(trials[i]->techniques, experiments[i]);
    return names.size() == trials.size() && std::set(experiments.begin(), experiments.end()).size() > 1;
}

std::vector<std::string> circumstancesOf(const std::vector<const report::ReportTrial*>& trials)
{
    const std::vector<std::string> experiments = experimentsOf(trials);
    if (areToldApartBy(experiments, trials))
        return experiments;
    return report::Facets(trials, report::Facets::Of::Circumstances).labels(trials);
}

} // namespace

ComparedTrials namedTrials(std::vector<const report::ReportTrial*> trials)
{
    ComparedTrials compared{std::move(trials), {}};
    const std::vector<std::string> circumstance = circumstancesOf(compared.trials);
    for (std::size_t i = 0; i < compared.trials.size(); ++i) {
        const report::ReportTrial& trial = *compared.trials[i];
        QStringList words{toQt(trial.techniques.empty() ? trial.label() : trial.techniques)};
        const bool isSaid = i < circumstance.size() && words.front().endsWith(toQt(circumstance[i]));
        if (i < circumstance.size() && !circumstance[i].empty() && !isSaid) // a recording's name is its experiment's
            words.append(toQt(circumstance[i]));
        compared.names.append(words.join(QStringLiteral(", ")));
    }
    return compared;
}

std::string letterOf(std::size_t trial)
{
    return std::string(1, static_cast<char>('A' + trial));
}

namespace {

// "C held 77.4 GiB when it ran out of memory, in forward." Empty for a trial that has a peak.
QString endSentence(const ComparedTrials& compared, std::size_t place, const std::string& name)
{
    const report::ReportTrial& trial = *compared.trials[place];
    const KnownPeak peak = knownPeakOf(compared, place);
    if (peak.profile || !peak.atEnd)
        return {};
    const auto needed = trial.result.memory.need.needed;
    return toQt(name + " held " + sizeText(*peak.atEnd) + " when it ran out of memory"
        + (needed ? "; it needs " + sizeText(*needed) + " in all." : "."));
}

} // namespace

QStringList peakSentences(const ComparedTrials& compared)
{
    QStringList sentences;
    const bool hasLetters = compared.trials.size() > 2;
    const auto nameOf = [&](std::size_t trial) {
        return hasLetters ? letterOf(trial) : compared.names.at(static_cast<int>(trial)).toStdString();
    };
    const auto first = compared.trials.empty() ? std::nullopt : profileOf(compared, 0);
    for (std::size_t i = 1; first && i < compared.trials.size(); ++i) {
        const auto own = profileOf(compared, i);
        if (!own)
            continue;
        const config::Provenance provenance =
            std::max(compared.trials[i]->provenance(), compared.trials.front()->provenance());
        sentences.append(toQt(experiments::whyAbove({nameOf(i), *own}, {nameOf(0), *first}))
            + (provenance == config::Provenance::Measured         ? QString()
                    : provenance == config::Provenance::Predicted ? QStringLiteral(" (Predicted.)")
                                                                  : QStringLiteral(" (Rehearsed.)")));
    }
    for (std::size_t i = 0; i < compared.trials.size(); ++i)
        if (const auto ended = endSentence(compared, i, nameOf(i)); !ended.isEmpty())
            sentences.append(ended);
    return sentences;
}

CompareTable peakTable(const ComparedTrials& compared)
{
    std::vector<KnownPeak> peaks;
    for (std::size_t i = 0; i < compared.trials.size(); ++i)
        peaks.push_back(knownPeakOf(compared, i));
    if (std::ranges::none_of(peaks, [](const KnownPeak& peak) { return peak.total().has_value(); }))
        return {};
    return PeakRows(peaks, compared).table();
}

CompareTable settingsTable(const ComparedTrials& compared)
{
    const report::Facets facets(compared.trials, report::Facets::Of::Everything);
    CompareTable table{{QStringLiteral("Setting")}, {}};
    for (std::size_t i = 0; i < compared.trials.size(); ++i)
        table.header.append(toQt(letterOf(i)));
    for (const std::string& key : facets.varying()) {
        if (key == kContentOfRecordings)
            continue;
        QStringList row{toQt(key)};
        for (const report::ReportTrial* trial : compared.trials)
            row.append(toQt(facets.value(*trial, key)));
        table.rows.append({row});
    }
    table.rows.append(environmentRows(compared));
    return table;
}

} // namespace headroom::ui
