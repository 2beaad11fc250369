// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan/FitTrial.h"

#include "app/cli/run/RunPlan.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "experiments/spec/SettingField.h"
#include "experiments/sweep/SweepAxis.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using experiments::ExperimentSpec;
using experiments::PlannedTrial;
using experiments::SweepAxis;

namespace {

// "split_ffn" for "techniques.split_ffn", as --filter and --set accept it.
std::string shortPath(const std::string& path)
{
    const auto [table, name] = experiments::splitPath(path);
    return table == "techniques" ? name : path;
}

std::string valuesText(const SweepAxis& axis)
{
    std::string text;
    for (const experiments::PlacedValue& value : axis.values)
        text += (text.empty() ? "" : ", ") + config::toLabel(value.value);
    return shortPath(axis.path) + " (" + text + ")";
}

// The axes of the sweep; empty if it consists of several parts of one trial each.
std::string axesOf(const ExperimentSpec& spec)
{
    std::string text;
    for (const experiments::SpecSettings& part : spec.parts)
        for (const SweepAxis& axis : experiments::sweepAxes(part))
            if (const std::string found = valuesText(axis);
                axis.values.size() > 1 && text.find(found) == std::string::npos)
                text += (text.empty() ? "" : ", ") + found;
    return text;
}

[[noreturn]] void refuseSweep(const RunPlan& plan, std::size_t runnable, const std::string& command)
{
    const std::string axes = axesOf(plan.spec);
    throw UsageError(fmt::format("found {} trials, and the changes that one trial needs are searched for", runnable),
        command,
        "a spec of one trial: " + (axes.empty() ? std::string() : "one value each of " + axes + ", or ")
            + "--filter PATH=VALUE");
}

// The simulated devices with a memory profile.
std::string cardNames(const simulator::ProfileCatalogue& profiles)
{
    std::vector<std::string> names;
    for (const simulator::DeviceProfile& device : profiles.devices())
        if (device.memory)
            names.push_back("sim:" + device.name);
    return joined(names);
}

bool saysDevice(const experiments::ExperimentSpec& spec)
{
    return std::ranges::any_of(spec.parts, [](const auto& part) { return part.contains("device.name"); });
}

void requireCard(const config::DeviceSpec& device, bool isGiven)
{
    const simulator::ProfileCatalogue profiles(config::resourceDirectory());
    if (device.isSimulated() && profiles.parseSimulatedDevice(device.notation(), "device.name").device.memory)
        return;
    const std::string found = isGiven ? "found " + device.notation() : "no device is given";
    throw UsageError(found + ", and changes are searched for on a simulated card", "--device", cardNames(profiles));
}

} // namespace

FitTrial fitTrialOf(const RunArguments& arguments, const std::string& command)
{
    const RunPlan plan = planOf(arguments);
    std::vector<PlannedTrial> runnable = plan.trials;
    std::erase_if(runnable, [](const PlannedTrial& planned) { return !planned.isRunnable(); });
    if (runnable.empty())
        throw UsageError(
            "the trial cannot work: " + plan.trials.front().skipReason(), command, "settings that work together");
    if (runnable.size() > 1)
        refuseSweep(plan, runnable.size(), command);
    requireCard(runnable.front().trial.device, saysDevice(plan.spec));
    return {plan.spec.name, runnable.front(), plan.task};
}

} // namespace headroom::cli
