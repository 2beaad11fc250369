// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/ArchiveRows.h"

#include "core/protocol/TrialCodec.h"
#include "experiments/sweep/TrialQueue.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

std::optional<std::string> unlessEmpty(const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

} // namespace

store::TrialRow trialRow(const PlannedTrial& planned, std::size_t ordinal)
{
    const config::DeviceSpec& device = planned.trial.device;
    store::TrialRow row;
    row.ordinal = static_cast<std::int64_t>(ordinal);
    row.trialId = planned.trialId;
    row.configId = planned.configId;
    row.label = planned.label;
    row.device = device.name();
    row.runtime = unlessEmpty(device.runtime);
    row.predicted = device.isSimulated();
    row.requestJson = protocol::toJson(planned.trial).dump();
    row.expectedRepeats = std::max(1, repeatsNeeded(planned));
    return row;
}

store::RepeatImport importOf(
    const protocol::RepeatResult& result, int repeat, store::Timestamp startedAt, store::Timestamp finishedAt)
{
    store::RepeatImport import;
    import.retry = store::Retry::Failures;
    import.repeat.repeatIndex = repeat;
    import.repeat.outcome = result.outcome;
    import.repeat.reason = unlessEmpty(result.reason);
    import.repeat.phase = unlessEmpty(result.phase);
    import.repeat.startedAt = startedAt;
    import.repeat.finishedAt = finishedAt;
    import.repeat.peakAllocatedBytes = result.memory.peak.allocated;
    import.repeat.peakReservedBytes = result.memory.peak.reserved;
    for (std::size_t step = 0; step < result.stepSeconds.size(); ++step)
        import.samples.push_back({static_cast<std::int64_t>(step), result.stepSeconds[step]});
    for (const std::string& remark : result.diagnostics)
        import.diagnostics.push_back({.severity = store::Severity::Warning, .kind = "worker", .message = remark});
    return import;
}

} // namespace headroom::experiments
