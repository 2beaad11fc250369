// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/RunPlan.h"

#include "app/cli/run/TrialFilter.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/DeviceSpec.h"
#include "core/config/Installation.h"
#include "experiments/spec/BudgetReader.h"
#include "experiments/spec/PresetCatalogue.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/BudgetMatcher.h"
#include "experiments/sweep/TaskText.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using namespace experiments;

namespace {

SpecOverrides runOverrides(const RunArguments& arguments)
{
    SpecOverrides overrides;
    if (!arguments.models.empty())
        overrides.setModels(joined(arguments.models));
    if (!arguments.devices.empty())
        overrides.setDevices(joined(arguments.devices));
    if (!arguments.allocators.empty())
        overrides.setAllocators(arguments.allocators);
    for (const auto& [key, notations] : arguments.techniques)
        if (!notations.empty())
            overrides.setTechnique(key, joined(notations));
    for (const std::string& assignment : arguments.assignments)
        overrides.assign(assignment);
    layOver(overrides, arguments.workload);
    if (arguments.quick)
        overrides.useQuickProtocol();
    return overrides;
}

ExperimentSpec specOf(const RunArguments& arguments)
{
    const SpecOverrides overrides = runOverrides(arguments);
    if (arguments.source.empty())
        return loadOverrides(overrides);
    if (isSpecFile(arguments.source))
        return loadSpecFile(arguments.source, overrides);
    return loadPreset(arguments.source, config::resourceDirectory(), overrides);
}

// A notation that is not a device may be the name of a simulated device's profile.
void refuseDevice(const UsageError& error, const std::string& notation)
{
    const simulator::ProfileCatalogue profiles(config::resourceDirectory());
    const std::size_t at = std::min(notation.find('@'), notation.size());
    const std::string closest = profiles.closestDevice(notation.substr(0, at));
    const std::string meant =
        closest.empty() ? config::closestName(notation, {"cuda:0"}) : "sim:" + closest + notation.substr(at);
    throw UsageError(error.problem() + didYouMean(meant), error.where(), error.valid());
}

void requireDeviceNotations(const ExperimentSpec& spec)
{
    const auto require = [](const config::Value& value, const std::string& where) {
        try {
            if (value.isText())
                config::parseDevice(value.text(), where);
        } catch (const UsageError& error) {
            refuseDevice(error, value.text());
        }
    };
    for (const SpecSettings& part : spec.parts)
        if (const auto found = part.find("device.name"); found != part.end()) {
            const SpecSetting& setting = found->second;
            require(setting.value, setting.where);
            for (std::size_t i = 0; setting.value.isList() && i < setting.value.list().size(); ++i)
                require(setting.value.list()[i], setting.whereOf(i));
        }
}

// Refuses missing profiles before anything is run, listed or written.
void requireKnownDevices(const std::vector<PlannedTrial>& trials)
{
    const auto hasProfile = [](const PlannedTrial& planned) { return planned.trial.device.hasProfile(); };
    if (std::none_of(trials.begin(), trials.end(), hasProfile))
        return;
    const simulator::ProfileCatalogue profiles(config::resourceDirectory());
    for (const PlannedTrial& planned : trials)
        if (hasProfile(planned))
            profiles.simulatedDevice(planned.trial);
}

void addBudgets(ExperimentSpec& spec, const std::string& file)
{
    if (!file.empty())
        for (Budget& budget : loadBudgetFile(file))
            spec.budgets.push_back(std::move(budget));
    requireDistinctNames(spec.budgets);
}

// The filter is checked against the whole plan; a shard need not contain any of the selected trials.
std::set<std::string> tracedTrials(const RunArguments& arguments, const std::vector<PlannedTrial>& trials)
{
    std::set<std::string> traced;
    if (!arguments.trace && arguments.traceFilter.empty())
        return traced;
    for (const PlannedTrial& planned : TrialFilter(arguments.traceFilter, "--trace-filter").kept(trials))
        traced.insert(planned.trialId);
    return traced;
}

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
    record["runtime"] = device.hasProfile() ? OrderedJson(device.runtime) : OrderedJson(nullptr);
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
            config::toText(config::provenanceOf(planned.trial.device)), std::to_string(planned.trial.protocol.repeats),
            planned.skipReason()});
    return table;
}

std::string planExtent(const RunPlan& plan)
{
    const auto skipped =
        std::count_if(plan.trials.begin(), plan.trials.end(), [](const auto& t) { return !t.isRunnable(); });
    const std::string part = plan.shard
        ? fmt::format("Shard {} of {}: {} of ", plan.shard->number, plan.shard->count, grouped(std::ssize(plan.trials)))
        : "";
    return fmt::format(
        "{}{}, {} of them skipped.", part, counted(std::int64_t(plan.unshardedTrials), "trial"), grouped(skipped));
}

} // namespace

RunPlan planOf(const RunArguments& arguments)
{
    RunPlan plan;
    if (!arguments.shard.empty())
        plan.shard = Shard::fromText(arguments.shard);
    plan.spec = specOf(arguments);
    addBudgets(plan.spec, arguments.budgets);
    requireDeviceNotations(plan.spec);
    plan.trials = expand(plan.spec);
    requireKnownDevices(plan.trials);
    requireUsable(plan.spec.budgets, plan.trials);
    plan.trials = TrialFilter(arguments.filter, "--filter").kept(std::move(plan.trials));
    plan.unshardedTrials = plan.trials.size();
    plan.traced = tracedTrials(arguments, plan.trials);
    if (plan.shard)
        plan.trials = plan.shard->part(std::move(plan.trials));
    plan.task = taskLine(plan.trials, impliedStep(plan.spec));
    return plan;
}

Report planReport(const RunPlan& plan)
{
    Report report;
    for (const PlannedTrial& planned : plan.trials)
        report.records.push_back(recordOfTrial(planned));
    report.document = {{"schema", "headroom.plan/1"}, {"experiment", plan.spec.name},
        {"shard", plan.shard ? OrderedJson(plan.shard->text()) : OrderedJson(nullptr)}, {"trials", report.records}};
    report.sections.push_back({plan.spec.name, plan.task, planTable(plan.trials),
        planExtent(plan) + " Dry run: nothing was run or written."});
    return report;
}

} // namespace headroom::cli
