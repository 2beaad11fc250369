// SPDX-License-Identifier: Apache-2.0
#include "experiments/RunSummary.h"

#include <array>

namespace headroom::experiments {

using protocol::Outcome;

std::int64_t RunSummary::count(Outcome outcome) const
{
    const auto it = outcomes.find(outcome);
    return it == outcomes.end() ? 0 : it->second;
}

int RunSummary::exitCode() const
{
    if (interrupted)
        return 130;
    return count(Outcome::Failed) + count(Outcome::TimedOut) + count(Outcome::Cancelled) > 0 ? 3 : 0;
}

OrderedJson toJson(const RunSummary& summary)
{
    constexpr std::array kOutcomes{Outcome::Completed, Outcome::OutOfMemory, Outcome::Failed, Outcome::TimedOut,
        Outcome::Cancelled, Outcome::Skipped};
    OrderedJson json{{"schema", "headroom.summary/1"}, {"experiment", summary.experiment}, {"trials", summary.trials}};
    for (const Outcome outcome : kOutcomes)
        json[protocol::toText(outcome)] = summary.count(outcome);
    json["not_run"] = summary.notRun;
    json["interrupted"] = summary.interrupted;
    json["wall_seconds"] = summary.seconds;
    json["exit_code"] = summary.exitCode();
    return json;
}

} // namespace headroom::experiments
