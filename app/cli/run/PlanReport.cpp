// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/PlanReport.h"

#include "core/base/Wording.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using experiments::OrderedJson;
using experiments::PlannedTrial;

namespace {

OrderedJson recordOfTrial(const PlannedTrial& planned)
{
    const config::DeviceSpec& device = planned.trial.device;
    OrderedJson record;
    record["trial_id"] = planned.trialId;
    record["config_id"] = planned.configId;
    record["label"] = planned.label;
    record["model"] = planned.trial.configuration.model;
    record["step"] = toText(planned.trial.configuration.workload.step);
    record["dtype"] = toText(planned.trial.configuration.workload.dtype);
    record["device"] = device.name();
    record["runtime"] = device.isSimulated() ? OrderedJson(device.runtime) : OrderedJson(nullptr);
    record["predicted"] = device.isSimulated();
    record["repeats"] = planned.trial.protocol.repeats;
    record["skipped"] = !planned.isRunnable();
    record["reason"] = planned.isRunnable() ? OrderedJson(nullptr) : OrderedJson(planned.skipReason());
    return record;
}

Table planTable(const std::vector<PlannedTrial>& trials)
{
    Table table({{"trial"}, {"configuration"}, {"label"}, {"device"}, {"kind"}, {"repeats", Alignment::Right},
        {"skipped because"}});
    for (const PlannedTrial& planned : trials)
        table.addRow({planned.trialId, planned.configId, planned.label, planned.trial.device.notation(),
            planned.trial.device.isSimulated() ? "predicted" : "measured",
            std::to_string(planned.trial.protocol.repeats), planned.skipReason()});
    return table;
}

std::string extentOf(const RunPlan& plan)
{
    const auto skipped =
        std::count_if(plan.trials.begin(), plan.trials.end(), [](const auto& t) { return !t.isRunnable(); });
    const std::string part = plan.shard
        ? fmt::format("Shard {} of {}: {} of ", plan.shard->number, plan.shard->count, plan.trials.size())
        : "";
    return fmt::format(
        "{}{}, {} of them skipped.", part, counted(std::int64_t(plan.unshardedTrials), "trial"), skipped);
}

} // namespace

Report planReport(const RunPlan& plan)
{
    Report report;
    for (const PlannedTrial& planned : plan.trials)
        report.records.push_back(recordOfTrial(planned));
    report.document = {{"schema", "headroom.plan/1"}, {"experiment", plan.spec.name},
        {"shard", plan.shard ? OrderedJson(plan.shard->text()) : OrderedJson(nullptr)}, {"trials", report.records}};
    report.sections.push_back(
        {plan.spec.name, plan.task, planTable(plan.trials), extentOf(plan) + " Dry run: nothing was run or written."});
    return report;
}

} // namespace headroom::cli
