// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/SignalWatcher.h"
#include "app/cli/plan/FillPlan.h"
#include "app/cli/plan/FillReport.h"
#include "app/cli/plan/TrainerOffers.h"
#include "core/config/Installation.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/plan/fill/PredictedFill.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/verdict/DeviceFit.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::FilledTrial;
using experiments::FillProgress;
using experiments::FillSearch;
using experiments::PlannedTrial;
using experiments::TrialPredictor;

namespace {

constexpr const char* kFillExamples =
    R"(Takes the arguments of headroom run. For each combination of the spec the axis is raised as far as it fits: a value is
the largest found that fits, and the next one, which was simulated as well, does not. Speeds are then compared at equal
memory. Nothing is run or written.

Examples:
  headroom fill llama-fill
      the published comparison of checkpointing policies of language models, each with the batch that fills the memory
  headroom fill --model ltx-video-2b --checkpointing none,all --axis frames --device sim:rtx4090
      how many frames can be trained without and with checkpointing
  headroom fill ./train.toml --axis batch --memory 20GiB --format json
      with a part of the card, as a document for programs
  headroom fill --model ./mine.pt2 --axis input_ids.1 --device sim:h100-80gb
      along a size that the export left free

Exit codes:
  0  something fits
  1  nothing fits, not even with the least value
  2  bad usage or spec: an axis that the model does not have, a device without a memory of its own
  3  a prediction failed
  5  a file cannot be read
  130  interrupted; what was found until then is listed)";

// As of headroom fit: nobody is waiting at a form.
constexpr std::chrono::minutes kFillPatience{5};

/// Carries out the searches, from the plan to the rows.
class FillCommand {
public:
    FillCommand(FillPlan plan, std::stop_token stop)
        : m_stop(std::move(stop))
        , m_predictor(plan.timeout.value_or(kFillPatience))
        , m_deviceFit(config::resourceDirectory())
    {
        m_outcome.plan = std::move(plan);
    }

    FillOutcome carryOut(Console& console)
    {
        FillSearch search = experiments::predictedFill(m_predictor, m_stop);
        search.setProgress([&](const FillProgress& progress) { show(progress, console); });
        std::vector<FilledTrial> filled = search.run(m_outcome.plan.tasks, m_stop);
        m_outcome.wasStopped = m_stop.stop_requested();
        for (std::size_t i = 0; i < filled.size(); ++i)
            m_outcome.rows.push_back(rowOf(std::move(filled[i]), m_outcome.plan.labels[i]));
        console.clearStatus();
        return std::move(m_outcome);
    }

private:
    void show(const FillProgress& progress, Console& console) const
    {
        console.status(fmt::format("{} of {}: {} {} {}, {} simulations", progress.task + 1, m_outcome.plan.tasks.size(),
            m_outcome.plan.axis, progress.value, progress.fits ? "fits" : "does not fit", progress.simulations));
    }

    // With everything that a record has; the search asks for peaks alone.
    FillRow rowOf(FilledTrial filled, const std::string& label)
    {
        FillRow row{label, std::move(filled), {}, {}};
        const PlannedTrial planned{row.filled.trial, protocol::trialId(row.filled.trial),
            protocol::configId(row.filled.trial.configuration), label, {}, {}, {}};
        const auto fits = [this](const auto& trial, const auto& memory) { return m_deviceFit.fits(trial, memory); };
        if (!row.filled.value && !row.filled.next) {
            row.result = experiments::notRunResult(m_outcome.plan.experiment, planned);
            row.result.reason = row.filled.reason;
            return row;
        }
        const auto result = m_predictor.simulate(planned.trial, protocol::SimulationAim::Record, {});
        row.result = experiments::trialResult(m_outcome.plan.experiment, planned, {result}, fits);
        row.result.errorBound = m_deviceFit.errorBound(row.result);
        const auto device = m_predictor.profiles().parseSimulatedDevice(planned.trial.device.notation());
        row.verdict = experiments::judgeFit(planned.trial, *device.device.memory, result);
        return row;
    }

    std::stop_token m_stop;
    TrialPredictor m_predictor;
    experiments::DeviceFit m_deviceFit;
    FillOutcome m_outcome;
};

int fill(const FillArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.run.format);
    FillPlan plan = fillPlanOf(arguments);
    std::stop_source stop;
    Console console;
    SignalWatcher signals([&stop] {
        std::cerr << "\nstopping; what was found is listed (the signal again ends at once)" << std::endl;
        stop.request_stop();
    });
    const FillOutcome outcome = FillCommand(std::move(plan), stop.get_token()).carryOut(console);
    print(fillReport(outcome), format, std::cout);
    std::cout.flush();
    if (format != OutputFormat::Table && format != OutputFormat::Markdown)
        console.line(fillSentences(outcome));
    return outcome.exitCode();
}

} // namespace

void addFillCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command =
        app.add_subcommand("fill", "Find the largest batch, or other size, with which each combination fits its card");
    const auto arguments = std::make_shared<FillArguments>();
    addSweepOptions(*command, arguments->run);
    command->remove_option(command->get_option("--shard")); // combinations are compared with each other
    command
        ->add_option("--axis", arguments->axis,
            "the size to raise: batch, frames, sequence_length, ...; any number of the model's workload (default: "
            "batch)")
        ->type_name("A")
        ->check(notEmpty)
        ->group("What is filled");
    command
        ->add_option("--memory", arguments->memory,
            "memory of the device to be filled, the driver's context included (24GiB); else all that it has")
        ->type_name("SIZE")
        ->check(notEmpty)
        ->group("What is filled");
    addTrainerOption(*command, arguments->trainer)->group("What is filled");
    addFormatOption(*command, arguments->run.format);
    command->footer(kFillExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return fill(*arguments); }; });
}

} // namespace headroom::cli
