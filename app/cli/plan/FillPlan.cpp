// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan/FillPlan.h"

#include "app/cli/output/SizeArgument.h"
#include "app/cli/plan/TrainerOffers.h"
#include "app/cli/run/RunPlan.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/sweep/SweepLabels.h"
#include "experiments/sweep/TaskText.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <algorithm>
#include <set>

namespace headroom::cli {

using experiments::FillTask;
using experiments::PlannedTrial;
using experiments::WorkloadAxis;

namespace {

constexpr const char* kAxisFlag = "--axis";
constexpr const char* kMemoryFlag = "--memory";
// Enough for another number of tokens, of which several frames may be one.
constexpr std::int64_t kApart = 64;

std::string cardsToFill(const simulator::ProfileCatalogue& profiles)
{
    std::vector<std::string> names;
    for (const simulator::DeviceProfile& device : profiles.devices())
        if (device.memory)
            names.push_back("sim:" + device.name);
    return joined(names);
}

const simulator::MemoryProfile& cardOf(
    const config::Trial& trial, const simulator::ProfileCatalogue& profiles, simulator::SimulatedDevice& device)
{
    if (trial.device.isSimulated())
        device = profiles.parseSimulatedDevice(trial.device.notation(), "device.name");
    if (!device.device.memory)
        throw UsageError("found " + trial.device.notation() + ", and what fits is found out on a simulated card",
            "--device", cardsToFill(profiles));
    return *device.device.memory;
}

// Throws UsageError for limits that contradict each other.
config::Trial onMemory(
    const config::Trial& trial, const std::optional<Bytes>& memory, const simulator::ProfileCatalogue& profiles)
{
    simulator::SimulatedDevice device;
    const simulator::MemoryProfile& card = cardOf(trial, profiles, device);
    if (!memory)
        return trial;
    if (trial.memoryLimitBytes)
        throw UsageError("found device.memory_limit_bytes beside it", kMemoryFlag, "one of the two");
    return experiments::withMemory(trial, *memory, card, kMemoryFlag);
}

// Trials that are the same but for the axis have the same text.
std::string withoutAxis(const FillTask& task)
{
    return protocol::trialId(task.axis.with(task.trial, task.axis.least()));
}

// As of a sweep in which the axis does not vary.
std::vector<std::string> labelsOf(const std::vector<FillTask>& tasks)
{
    std::vector<PlannedTrial> planned;
    for (const FillTask& task : tasks) {
        const config::Trial trial = task.axis.with(task.trial, task.axis.valueIn(tasks.front().trial));
        planned.push_back({trial, protocol::trialId(trial), protocol::configId(trial.configuration), {}, {}, {}, {}});
    }
    experiments::labelTrials(planned);
    std::vector<std::string> labels;
    for (PlannedTrial& trial : planned)
        labels.push_back(std::move(trial.label));
    return labels;
}

// In one line that leaves the axis out, as it does with what varies.
std::string taskOf(const std::vector<FillTask>& tasks, const std::optional<experiments::ImpliedStep>& implied)
{
    const std::int64_t least = tasks.front().axis.least();
    std::vector<config::Trial> trials;
    for (const FillTask& task : tasks)
        for (const std::int64_t value : {least, least + kApart})
            trials.push_back(task.axis.with(task.trial, value));
    std::vector<const config::Trial*> pointers;
    for (const config::Trial& trial : trials)
        pointers.push_back(&trial);
    return experiments::taskLine(pointers, implied);
}

// Levers of a trial that the trainer does not have.
std::vector<std::string> lackingLevers(const config::Trial& trial, const experiments::Offers& offers)
{
    std::vector<std::string> labels;
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const config::TechniqueSetting& setting = trial.configuration.techniques.at(technique.key);
        const bool isLever = technique.role == config::TechniqueRole::Lever;
        if (isLever && config::isChosen(technique, setting) && offers && !offers(trial, technique.key))
            labels.push_back(config::settingLabel(technique, setting));
    }
    return labels;
}

std::vector<FillTask> tasksOf(const FillArguments& arguments, const RunPlan& plan, const std::optional<Bytes>& memory,
    std::vector<std::string>& notOffered)
{
    const simulator::ProfileCatalogue profiles(config::resourceDirectory());
    const experiments::Offers offers = offersOf(arguments.trainer, plan.trials.front().trial);
    std::vector<FillTask> tasks;
    std::set<std::string> known;
    for (const PlannedTrial& planned : plan.trials) {
        if (!planned.excludedBecause.empty())
            continue;
        if (const auto lacking = lackingLevers(planned.trial, offers); !lacking.empty()) {
            for (const std::string& label : lacking)
                if (std::ranges::find(notOffered, label) == notOffered.end())
                    notOffered.push_back(label);
            continue;
        }
        const WorkloadAxis axis(arguments.axis, planned.trial, kAxisFlag);
        FillTask task{onMemory(planned.trial, memory, profiles), axis};
        if (known.insert(withoutAxis(task)).second)
            tasks.push_back(std::move(task));
    }
    return tasks;
}

} // namespace

FillPlan fillPlanOf(const FillArguments& arguments)
{
    std::optional<Bytes> memory;
    if (!arguments.memory.empty())
        memory = bytesFromText(arguments.memory, kMemoryFlag);
    const RunPlan run = planOf(arguments.run);
    FillPlan plan{.experiment = run.spec.name, .axis = arguments.axis, .memoryBytes = memory};
    plan.trainer = arguments.trainer;
    plan.tasks = tasksOf(arguments, run, memory, plan.notOffered);
    if (plan.tasks.empty() && !plan.notOffered.empty())
        throw UsageError("found " + plan.trainer + ", which has none of these combinations: " + joined(plan.notOffered),
            "--for", "combinations that it has, or another trainer");
    if (plan.tasks.empty())
        throw UsageError("the spec excludes every combination", "fill", "a spec that leaves some");
    plan.axis = plan.tasks.front().axis.field();
    plan.labels = labelsOf(plan.tasks);
    plan.timeout = run.trials.front().timeout;
    plan.task = taskOf(plan.tasks, experiments::impliedStep(run.spec));
    return plan;
}

} // namespace headroom::cli
