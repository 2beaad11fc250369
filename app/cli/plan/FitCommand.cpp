// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/SignalWatcher.h"
#include "app/cli/plan/FitReport.h"
#include "app/cli/plan/TrainerOffers.h"
#include "app/cli/run/RunSession.h"
#include "core/config/Installation.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/sweep/SweepLabels.h"
#include "experiments/verdict/DeviceFit.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::FitProgress;
using experiments::FitVerdict;
using experiments::PlannedTrial;
using experiments::TrialPredictor;

namespace {

constexpr const char* kFitExamples =
    R"(Takes the arguments of headroom run, but no sweeps: one model, one value of everything, one simulated card.
Techniques of the spec keep their settings, or get other ones if that is what it takes.

Tries one technique at a time, then two, then smaller batches; the first stage in which something fits ends the search,
which then tries milder settings that use the free memory. *Make it fit* in the workbench does the same. Nothing is run
or written.

Examples:
  headroom fit --model ltx-video-13b --trainable lora:32 --set workload.step=train --set workload.dtype=bfloat16 \
      --device sim:rtx4090
      what makes LoRA training of LTX-Video 13B fit a 24 GB card
  headroom fit ./train.toml --for diffusers --device sim:rtx4090
      by settings that diffusers has
  headroom fit ./train.toml --device sim:rtx3090
      the trial of a file on another card
  headroom fit ./sweep.toml --filter "checkpointing=none batch=4"
      one trial of a sweep
  headroom fit ./train.toml --set device.memory_limit_bytes=8589934592 --format json
      with 8 GiB of it, as a document for programs

Exit codes:
  0  it fits: already, or with the changes that are listed
  1  nothing fits that was looked at, and everything was
  2  bad usage or spec: a sweep of several trials, a device without a memory of its own
  3  the predictions failed
  4  the search ended without an answer: it looks at a few hundred combinations at most
  5  a file cannot be read
  130  interrupted; what was found until then is listed)";

// On a busy machine a prediction takes many times longer than on an idle one, and nobody is waiting at a form for this
// one.
constexpr std::chrono::minutes kPatience{5};

/// Carries out one search, from the arguments to the printed report.
class FitCommand {
public:
    FitCommand(const FitTrial& asked, std::stop_token stop)
        : m_stop(std::move(stop))
        , m_predictor(asked.planned.timeout.value_or(kPatience))
        , m_deviceFit(config::resourceDirectory())
        , m_offers(offersOf(asked.trainer, asked.planned.trial))
    {
        m_outcome.asked = asked;
    }

    FitOutcome carryOut(Console& console)
    {
        const config::Trial& trial = m_outcome.asked.planned.trial;
        console.status("predicting the trial as it is");
        m_outcome.prediction = m_predictor.predict(trial, m_stop);
        const FitVerdict::Kind kind = m_outcome.prediction.verdict.kind;
        if (kind == FitVerdict::Kind::Tight || kind == FitVerdict::Kind::DoesNotFit)
            m_outcome.search = experiments::searchForFit(
                m_predictor, trial, [&](const FitProgress& progress) { show(progress, console); }, m_stop, m_offers);
        m_outcome.wasStopped = m_stop.stop_requested();
        addResults();
        console.clearStatus();
        return std::move(m_outcome);
    }

private:
    static void show(const FitProgress& progress, Console& console)
    {
        console.status(fmt::format("{} of about {} combinations predicted, {} found", progress.simulations,
            progress.expectedSimulations, progress.found.size()));
    }

    // Adds the results as a run of the same trials would have them: all of them, however the search ended.
    void addResults()
    {
        std::vector<PlannedTrial> trials{m_outcome.asked.planned};
        if (m_outcome.search)
            for (const experiments::FittingChange& found : m_outcome.search->found)
                trials.push_back({found.trial, protocol::trialId(found.trial),
                    protocol::configId(found.trial.configuration), {}, {}, {}, {}});
        experiments::labelTrials(trials);
        m_outcome.result = resultOf(trials.front());
        for (std::size_t i = 1; i < trials.size(); ++i)
            m_outcome.results.push_back(resultOf(trials[i]));
    }

    experiments::TrialResult resultOf(const PlannedTrial& planned)
    {
        const bool isAsked = planned.trialId == m_outcome.asked.planned.trialId;
        const bool isAnswered = m_outcome.prediction.verdict.kind != FitVerdict::Kind::Unknown;
        const protocol::RepeatResult result = isAsked && !isAnswered
            ? m_outcome.prediction.result
            : m_predictor.simulate(planned.trial, protocol::SimulationAim::Record, {});
        experiments::TrialResult record = experiments::trialResult(m_outcome.asked.experiment, planned, {result},
            [&](const auto& trial, const auto& memory) { return m_deviceFit.fits(trial, memory); });
        record.errorBound = m_deviceFit.errorBound(record);
        return record;
    }

    std::stop_token m_stop;
    TrialPredictor m_predictor;
    experiments::DeviceFit m_deviceFit;
    experiments::Offers m_offers;
    FitOutcome m_outcome;
};

struct FitArguments {
    RunArguments run;
    std::string trainer; ///< whose settings alone are tried; empty: all
};

int fit(const FitArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.run.format);
    FitTrial asked = fitTrialOf(arguments.run);
    asked.trainer = arguments.trainer;
    std::stop_source stop;
    Console console;
    SignalWatcher signals([&stop] {
        std::cerr << "\nstopping; what was found is listed (the signal again ends at once)" << std::endl;
        stop.request_stop();
    });
    const FitOutcome outcome = FitCommand(asked, stop.get_token()).carryOut(console);
    print(fitReport(outcome), format, std::cout);
    std::cout.flush();
    if (format != OutputFormat::Table && format != OutputFormat::Markdown)
        console.line(fitSentence(outcome));
    return outcome.exitCode();
}

} // namespace

void addFitCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command =
        app.add_subcommand("fit", "List the smallest changes with which a trial is predicted to fit a card");
    const auto arguments = std::make_shared<FitArguments>();
    addSweepOptions(*command, arguments->run);
    command->remove_option(command->get_option("--shard")); // one trial cannot be divided
    addTrainerOption(*command, arguments->trainer);
    addFormatOption(*command, arguments->run.format);
    command->footer(kFitExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return fit(*arguments); }; });
}

} // namespace headroom::cli
