// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/CompareTables.h"

#include "core/base/Quantities.h"
#include "experiments/report/Facets.h"
#include "experiments/verdict/PeakSentences.h"

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kMostRows = 24;

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

Bytes heldIn(const trace::PeakProfile& profile, config::MemoryCategory category)
{
    Bytes bytes = 0;
    for (const trace::PeakShare& share : profile.shares)
        if (share.category == category)
            bytes += share.bytes;
    return bytes;
}

CompareTable sharesOfTwo(const ComparedTrials& compared, const trace::PeakProfile& own, const trace::PeakProfile& first)
{
    const trace::PeakDifference difference = trace::differenceOf(own, first);
    std::vector<std::optional<Bytes>> amounts{own.totalBytes, first.totalBytes};
    const SizeUnit unit = columnUnitFor(amounts);
    CompareTable table{{QStringLiteral("At the peak (%1)").arg(toQt(unit.name)), compared.names.at(0),
                           compared.names.at(1), QStringLiteral("difference")},
        {}};
    const auto cells = [&](const QString& name, Bytes before, Bytes now) {
        return QStringList{
            name, toQt(inUnit(before, unit)), toQt(inUnit(now, unit)), toQt(signedInUnit(now - before, unit))};
    };
    table.rows.append(cells(QStringLiteral("everything"), first.totalBytes, own.totalBytes));
    Bytes left = 0;
    for (const trace::ShareDifference& share : difference.shares) {
        if (table.rows.size() > kMostRows) {
            left += share.difference();
            continue;
        }
        const QString part = share.part.empty() ? QString() : QStringLiteral(", %1").arg(toQt(share.part));
        table.rows.append(cells(categoryName(share.category) + part, share.lowerBytes, share.higherBytes));
    }
    if (left != 0)
        table.rows.append({QStringLiteral("the rest"), {}, {}, toQt(signedInUnit(left, unit))});
    return table;
}

CompareTable categoriesOf(const ComparedTrials& compared, const std::vector<std::optional<trace::PeakProfile>>& peaks)
{
    std::vector<std::optional<Bytes>> totals;
    for (const auto& peak : peaks)
        totals.push_back(peak ? std::optional(peak->totalBytes) : std::nullopt);
    const SizeUnit unit = columnUnitFor(totals);
    CompareTable table{QStringList{QStringLiteral("At the peak (%1)").arg(toQt(unit.name))} + compared.names, {}};
    QStringList all{QStringLiteral("everything")};
    for (const auto& total : totals)
        all.append(toQt(inUnit(total, unit)));
    table.rows.append(all);
    for (const config::MemoryCategory category : config::kMemoryCategories) {
        QStringList row{categoryName(category)};
        bool isHeld = false;
        for (const auto& peak : peaks) {
            const auto bytes = peak ? std::optional(heldIn(*peak, category)) : std::nullopt;
            isHeld = isHeld || bytes.value_or(0) > 0;
            row.append(toQt(inUnit(bytes, unit)));
        }
        if (isHeld)
            table.rows.append(row);
    }
    return table;
}

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

QStringList peakSentences(const ComparedTrials& compared)
{
    QStringList sentences;
    const auto first = compared.trials.empty() ? std::nullopt : profileOf(*compared.trials.front());
    for (std::size_t i = 1; first && i < compared.trials.size(); ++i) {
        const auto own = profileOf(*compared.trials[i]);
        if (!own)
            continue;
        const bool isPredicted = compared.trials[i]->isPredicted() || compared.trials.front()->isPredicted();
        sentences.append(toQt(experiments::whyAbove({compared.names.at(static_cast<int>(i)).toStdString(), *own},
                             {compared.names.front().toStdString(), *first}))
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
    if (peaks.size() == 2 && peaks[0] && peaks[1])
        return sharesOfTwo(compared, *peaks[1], *peaks[0]);
    return categoriesOf(compared, peaks);
}

CompareTable settingsTable(const ComparedTrials& compared)
{
    const report::Facets facets(compared.trials, report::Facets::Of::Everything);
    CompareTable table{QStringList{QStringLiteral("Setting")} + compared.names, {}};
    for (const std::string& key : facets.varying()) {
        QStringList row{toQt(key)};
        for (const report::ReportTrial* trial : compared.trials)
            row.append(toQt(facets.value(*trial, key)));
        table.rows.append(row);
    }
    return table;
}

} // namespace headroom::ui
