// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/PeakCauses.h"

#include "core/base/Quantities.h"
#include "experiments/archive/SpoolFiles.h"
#include "experiments/run/RepeatExecutor.h"
#include "experiments/run/TraceFolder.h"
#include "experiments/verdict/PeakSentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace headroom::experiments {
namespace {

double errorSize(const ValidationRow& row)
{
    return std::abs(row.allocatedError().value_or(0));
}

std::vector<PeakShareError> sharesOf(const trace::PeakDifference& difference, bool isPredictedHigher)
{
    std::vector<PeakShareError> shares;
    for (const trace::ShareDifference& share : difference.shares)
        shares.push_back({share.category, share.part, isPredictedHigher ? share.lowerBytes : share.higherBytes,
            isPredictedHigher ? share.higherBytes : share.lowerBytes});
    return shares;
}

// A peak that depends on the moment, as where threads take memory side by side, is another one when it is traced.
std::string tracedRemark(const ValidationRow& row, const protocol::MemoryBreakdown& measured)
{
    if (!row.measured.allocated || *row.measured.allocated == measured.totalBytes)
        return {};
    return fmt::format(" Measured again, with a trace, the peak is {} instead of {}.",
        exactSizeText(measured.totalBytes), exactSizeText(*row.measured.allocated));
}

std::string rulesRemark(const ValidationRow& row)
{
    return row.opsWithoutRule.empty()
        ? std::string()
        : fmt::format(" The simulation has no rule for {}.", fmt::join(row.opsWithoutRule, ", "));
}

PeakCause withoutTrace(const ValidationRow& row, const protocol::RepeatResult& traced)
{
    return {.trialId = row.trialId,
        .text = "Not known: measured again, with a trace, it ended otherwise"
            + (traced.reason.empty() ? "." : " (" + traced.reason + ").") + rulesRemark(row),
        .opsWithoutRule = row.opsWithoutRule};
}

} // namespace

std::vector<std::size_t> worstRows(const std::vector<ValidationRow>& rows, std::size_t count)
{
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t index) { return errorSize(rows[index]) == 0; });
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t index) { return errorSize(rows[index]); });
    order.resize(std::min(order.size(), count));
    return order;
}

PeakCause causeOf(
    const ValidationRow& row, const protocol::MemoryBreakdown& measured, const protocol::MemoryBreakdown& predicted)
{
    const NamedPeak real{"measured", profileOf(measured)};
    const NamedPeak simulated{"predicted", profileOf(predicted)};
    const bool isPredictedHigher = simulated.profile.totalBytes >= real.profile.totalBytes;
    const trace::PeakDifference difference = isPredictedHigher ? trace::differenceOf(simulated.profile, real.profile)
                                                               : trace::differenceOf(real.profile, simulated.profile);
    return {.trialId = row.trialId,
        .text = whyAbove(real, simulated) + tracedRemark(row, measured) + rulesRemark(row),
        .shares = sharesOf(difference, isPredictedHigher),
        .opsWithoutRule = row.opsWithoutRule};
}

std::vector<PeakCause> peakCauses(const std::vector<ValidationPair>& pairs, const ValidationRows& rows,
    std::size_t count, const ValidationOptions& options)
{
    const std::vector<std::size_t> worst = worstRows(rows.rows, count);
    if (worst.empty())
        return {};
    const TraceFolder folder;
    RepeatExecutor executor(options.worker, [](const std::string&) { });
    std::vector<PeakCause> causes;
    for (const std::size_t index : worst) {
        if (options.stop.stop_requested())
            break;
        const ValidationRow& row = rows.rows[index];
        const SpoolGuard guard(folder.spool());
        const protocol::RepeatResult traced = executor.carryOut(pairs[rows.pairs[index]].measured, 0, folder.spool(),
            {.timeout = options.timeout, .stop = options.stop}, {});
        const bool isKnown = traced.breakdown && row.predictedBreakdown;
        causes.push_back(
            isKnown ? causeOf(row, *traced.breakdown, *row.predictedBreakdown) : withoutTrace(row, traced));
    }
    return causes;
}

OrderedJson toJson(const PeakCause& cause)
{
    OrderedJson json{{"trial_id", cause.trialId}, {"text", cause.text}, {"shares", OrderedJson::array()},
        {"ops_without_rule", cause.opsWithoutRule}};
    for (const PeakShareError& share : cause.shares)
        json["shares"].push_back({{"category", std::string(config::toText(share.category))}, {"part", share.part},
            {"measured_bytes", share.measured}, {"predicted_bytes", share.predicted},
            {"difference_bytes", share.predicted - share.measured}});
    return json;
}

} // namespace headroom::experiments
