// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/DistinctFiles.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/SignalWatcher.h"
#include "app/cli/plan/PlanOutcome.h"
#include "app/cli/plan/TrainerOffers.h"
#include "core/base/Quantities.h"
#include "core/base/ReplacedFile.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "experiments/plan/TracedPredictions.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/sweep/SpecWriter.h"
#include "experiments/verdict/DeviceFit.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::PlannedChoice;
using experiments::PlannedTrial;
using experiments::PlanProgress;

namespace {

constexpr std::size_t kVerified = 3;
constexpr const char* kPlanExamples =
    R"(Takes the arguments of headroom run, but no sweeps: one model, one value of everything, one simulated card. Searches all
combinations of checkpointing, casting, offload, split feed-forwards, attention kernels, the place of the EMA, the form of
the optimizer, and the batch in accumulated parts: what does not change the task. The answer is the fastest that fits, with
margin; beside it what needs least at nearly its speed, and why others lose. Nothing is run or written.

Examples:
  headroom plan --model ltx-video-13b --frames 121 --trainable lora:16 --device sim:rtx4090
      the fastest LoRA training of LTX-Video 13B that fits a 24 GB card
  headroom plan --model llama-3-8b --trainable all --optimizer adamw --device sim:a100-80gb --memory 60GiB
      with 60 GiB of the card
  headroom plan ./train.toml --device sim:rtx3090 --for diffusers
      by settings that diffusers has
  headroom plan ./train.toml --device sim:rtx3090 --forbid offload --keep casting=off
      without offload, and weights as they are
  headroom plan ./train.toml --device sim:rtx3090 --allow optimizer=sgd --allow optimizer.state_dtype=bfloat16
      what changes the training is tried where it is allowed
  headroom plan --model llama-tiny --trainable lora:4 --device sim:t4 --verify cpu
      the best few measured: does the prediction hold?

Exit codes:
  0  there is an answer (and with --verify every prediction held)
  1  nothing fits, and everything was looked at
  2  bad usage or spec
  3  the predictions failed, or a trial that was measured
  4  the search ended without an answer, or a prediction did not hold
  5  a file cannot be read or written
  130  interrupted; what was found until then is printed)";

/// Makes one plan, from the request to the outcome.
class PlanCommand {
public:
    PlanCommand(const PlanRequest& request, std::stop_token stop, OutputFormat format, Console& console)
        : m_stop(std::move(stop))
        , m_format(format)
        , m_console(console)
        , m_deviceFit(config::resourceDirectory())
    {
        m_outcome.request = request;
    }

    PlanOutcome carryOut()
    {
        m_console.status("looking at what can be combined");
        m_outcome.result = experiments::planFor(
            m_outcome.request.asked.planned.trial, m_outcome.request.rules, m_outcome.request.options,
            [this](const PlanProgress& progress) { show(progress); }, m_stop);
        if (m_format != OutputFormat::Table && m_format != OutputFormat::Markdown)
            addRecords();
        if (m_outcome.request.verifyOn && m_outcome.result.answer)
            verify();
        m_console.clearStatus();
        return std::move(m_outcome);
    }

private:
    void show(const PlanProgress& progress)
    {
        const std::string best = progress.best ? ", best " + speedText(1 / progress.best->seconds) : ", none fits yet";
        m_console.status(fmt::format("{} simulated, {} of {} combinations decided{}",
            grouped(static_cast<std::int64_t>(progress.predictions)),
            grouped(static_cast<std::int64_t>(progress.considered)),
            grouped(static_cast<std::int64_t>(progress.combinations)), best));
    }

    // As a run of the same trials would have them, however the search ended.
    void addRecords()
    {
        m_console.status("simulating what is listed, for its records");
        const std::vector<PlannedTrial> planned = recordedTrials(m_outcome);
        std::vector<config::Trial> trials;
        for (const PlannedTrial& one : planned)
            trials.push_back(one.trial);
        const auto results = experiments::recordPredictions(trials, m_outcome.request.options.patience);
        for (std::size_t i = 0; i < planned.size(); ++i) {
            experiments::TrialResult record = experiments::trialResult(m_outcome.request.asked.experiment, planned[i],
                {results[i]}, [&](const auto& trial, const auto& memory) { return m_deviceFit.fits(trial, memory); });
            record.errorBound = m_deviceFit.errorBound(record);
            m_outcome.records.emplace(planned[i].trialId, std::move(record));
        }
    }

    // The answer, what needs least, and what comes next.
    void verify()
    {
        const config::DeviceSpec& device = *m_outcome.request.verifyOn;
        m_console.status((device.isRehearsed() ? "rehearsing on " : "measuring on ") + device.notation());
        std::vector<PlannedChoice> choices{*m_outcome.result.answer};
        const auto add = [&](const PlannedChoice& choice) {
            if (choices.size() < kVerified
                && std::ranges::find(choices, choice.trial, &PlannedChoice::trial) == choices.end())
                choices.push_back(choice);
        };
        if (m_outcome.result.leastMemory)
            add(*m_outcome.result.leastMemory);
        for (const PlannedChoice& choice : m_outcome.result.front)
            add(choice);
        m_outcome.verification = verified(choices, *m_outcome.request.verifyOn, m_outcome.request.asked.experiment,
            m_outcome.request.options.patience, m_stop);
    }

    std::stop_token m_stop;
    OutputFormat m_format;
    Console& m_console;
    experiments::DeviceFit m_deviceFit;
    PlanOutcome m_outcome;
};

void writeSpecOf(const PlanOutcome& outcome, const std::string& file)
{
    if (file.empty() || !outcome.result.answer)
        return;
    const std::vector<PlannedTrial> trials = recordedTrials(outcome);
    ReplacedFile written(file);
    written.write(experiments::writeSpec(
        experiments::specOfTrials(outcome.request.asked.experiment, std::span(trials).first(1))));
    written.commit();
}

int plan(const PlanArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.run.format);
    const PlanRequest request = planRequestOf(arguments);
    if (!arguments.writeSpec.empty()) {
        DistinctFiles files;
        files.keep(arguments.run.source, "the spec");
        files.write("--write-spec", arguments.writeSpec);
    }
    std::stop_source stop;
    Console console;
    SignalWatcher signals([&stop] {
        std::cerr << "\nstopping; what was found is printed (the signal again ends at once)" << std::endl;
        stop.request_stop();
    });
    const PlanOutcome outcome = PlanCommand(request, stop.get_token(), format, console).carryOut();
    print(planOutcomeReport(outcome), format, std::cout);
    std::cout.flush();
    if (format != OutputFormat::Table && format != OutputFormat::Markdown)
        console.line(planSentence(outcome));
    writeSpecOf(outcome, arguments.writeSpec);
    return outcome.exitCode();
}

void addPlanOptions(CLI::App& command, PlanArguments& arguments)
{
    constexpr const char* kGroup = "What is searched";
    const auto text = [&](const char* flag, std::string& target, const char* type, const char* help) {
        return command.add_option(flag, target, help)->type_name(type)->check(notEmpty)->group(kGroup);
    };
    const auto list = [&](const char* flag, std::vector<std::string>& target, const char* type, const char* help) {
        command.add_option(flag, target, help)
            ->type_name(type)
            ->allow_extra_args(false)
            ->check(notEmpty)
            ->group(kGroup);
    };
    text("--memory", arguments.memory, "SIZE",
        "most that may be needed, the driver's context included (24GiB); else the card's");
    text("--max-slowdown", arguments.maxSlowdown, "X%",
        "how much slower than the answer what needs least memory may be; 5%");
    list("--keep", arguments.keep, "TECHNIQUE[=NOTATION]", "a technique, or batch, that stays as it is, or as said");
    list("--forbid", arguments.forbid, "TECHNIQUE[.OPTION][=NOTATION,...]",
        "a technique, or some of its settings (checkpointing=budget,ops), that are not used");
    list("--allow", arguments.allow, "TECHNIQUE=NOTATION,...",
        "settings that change what is trained and are tried all the same: trainable=lora:8, optimizer=sgd, "
        "optimizer.state_dtype=bfloat16");
    addTrainerOption(command, arguments.trainer)->group(kGroup);
    command
        .add_option("--seconds", arguments.seconds, "after which the search ends all the same, with what it has; 600")
        ->type_name("SECONDS")
        ->group(kGroup);
    command.add_option("--simulations", arguments.simulations, "most simulations of the search, by which it ends; 160")
        ->type_name("N")
        ->group(kGroup);
    text("--verify", arguments.verify, "DEVICE",
        "measure the best few there (cpu, cuda:N), or rehearse them (rehearsal): did the prediction hold?");
    text("--write-spec", arguments.writeSpec, "FILE", "write the answer's spec, as TOML");
}

} // namespace

void addPlanCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("plan", "Find the combination that fits a card and loses the least speed");
    const auto arguments = std::make_shared<PlanArguments>();
    addSweepOptions(*command, arguments->run);
    command->remove_option(command->get_option("--shard")); // one trial cannot be divided
    addPlanOptions(*command, *arguments);
    addFormatOption(*command, arguments->run.format);
    command->footer(kPlanExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return plan(*arguments); }; });
}

} // namespace headroom::cli
