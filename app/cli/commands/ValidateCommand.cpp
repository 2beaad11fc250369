// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/MeasuredCard.h"
#include "app/cli/commands/ValidationPlan.h"
#include "app/cli/commands/ValidationReport.h"
#include "app/cli/commands/WorkerAnswer.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/SignalWatcher.h"
#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/ReplacedFile.h"
#include "core/base/Wording.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

namespace headroom::cli {

using experiments::ValidationDocument;
using experiments::ValidationRow;

namespace {

constexpr const char* kValidateExamples =
    R"(Draws combinations of models, workloads and techniques, measures each in a fresh process, predicts each on the
simulated device, and lists by how much the predictions are off: peaks of allocated and reserved memory, step times.
The same seed draws the same combinations. No workspace is written.

Examples:
  headroom validate --device cpu --against sim:cpu
      50 small models on this machine's processor
  headroom validate --device cuda:0 --against sim:h200 --trials 200 --jobs 6
      memory alone, six trials at a time
  headroom validate --device cuda:0 --against sim:h200 --model ltx-video-2b,llama-3-8b
      these models in full
  headroom validate --device cuda:0 --against sim:h200 --model my-model.pt2
      an exported model of your own, at its example's sizes
  headroom validate --device cpu --against sim:cpu --size middle --filter "workload.step=train"
      larger models, and of what is drawn the training steps alone
  headroom validate --device cpu --against sim:cpu --trials 200 --jobs 2 --output resources/validations/cpu.json
      what records of sim:cpu then name as the error of their predictions

Exit codes:
  0  every trial ended as an outcome should on both sides (running out of memory is one)
  2  bad usage, nothing was run
  3  a trial failed, crashed or timed out on a side, or the device cannot be used
  5  a file cannot be read or written
  130  interrupted; the trials that were finished are listed)";

constexpr int kFailedTrial = 3;
constexpr int kValidationInterrupted = 130;
constexpr std::size_t kCauses = 10; // of the worst predictions; each costs a measurement
constexpr int kMostSideBySide = 256;

// The format that the file's ending names.
OutputFormat formatOfOutput(const std::string& file)
{
    static const std::array<std::pair<const char*, OutputFormat>, 4> kEndings{{{".json", OutputFormat::Json},
        {".jsonl", OutputFormat::JsonLines}, {".md", OutputFormat::Markdown}, {".csv", OutputFormat::Csv}}};
    for (const auto& [ending, format] : kEndings)
        if (std::filesystem::path(file).extension() == ending)
            return format;
    throw UsageError("found \"" + file + "\"", "--output", "FILE.json, FILE.jsonl, FILE.md, FILE.csv");
}

/// A file for the result: one that cannot be written is told before anything is run.
class ValidationFile {
public:
    ValidationFile(const std::string& path, std::stop_token stop)
    {
        if (path.empty())
            return;
        m_format = formatOfOutput(path);
        m_file.emplace(path, std::move(stop));
    }

    void write(const Report& report)
    {
        if (!m_file)
            return;
        std::ostringstream text;
        print(report, m_format, text);
        m_file->write(text.str());
        m_file->commit();
    }

private:
    OutputFormat m_format = OutputFormat::Json;
    std::optional<ReplacedFile> m_file;
};

// Without a card every trial would fail, each with the same reason.
void requireUsableCard(ValidationPlan& plan, Console& console)
{
    const config::DeviceSpec& device = plan.pairs.front().measured.trial.device;
    if (device.kind != config::DeviceKind::Cuda)
        return;
    const WorkerAnswer answer = askWorker();
    if (!answer.description)
        throw TrialError(answer.problem, "headroom-worker");
    const MeasuredCard card = MeasuredCard::find(*answer.description, device);
    plan.document.deviceTitle = card.title;
    const std::string differences = differencesBetween(card, plan.predicting);
    if (!differences.empty())
        console.colouredLine({{"warning", Colour::Yellow},
            {fmt::format(": {} ({}) is not like {}: {}; what is off is not the prediction's error", device.name(),
                card.title, plan.document.against, differences)}});
}

/// Carries out one validation, from the plan to the document.
class Validation {
public:
    Validation(const ValidationPlan& plan, std::stop_token stop)
        : m_plan(plan)
        , m_options(plan.options)
    {
        m_options.stop = std::move(stop);
    }

    ValidationDocument carryOut(Console& console, OutputFormat format)
    {
        const auto begin = std::chrono::steady_clock::now();
        ValidationDocument document = m_plan.document;
        experiments::ValidationRows rows = experiments::validate(
            m_plan.pairs, m_options, [&](const ValidationRow& row) { show(row, console, format); });
        findCauses(rows, document, console);
        document.environment.worker = rows.worker;
        document.rows = std::move(rows.rows);
        document.isInterrupted = m_options.stop.stop_requested() || rows.failure;
        m_failure = rows.failure;
        document.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        console.clearStatus();
        return document;
    }

    // What ended it early, once what was compared is printed.
    void throwFailure() const
    {
        if (m_failure)
            std::rethrow_exception(m_failure);
    }

private:
    // What was compared is not lost where a trace cannot be written.
    void findCauses(const experiments::ValidationRows& rows, ValidationDocument& document, Console& console)
    {
        console.status("finding the causes of the worst predictions");
        try {
            document.causes = peakCauses(m_plan.pairs, rows, kCauses, m_options);
        } catch (const FileError& error) {
            console.line(std::string("note: the causes of the worst predictions are not known: ") + error.what());
        }
    }

    void show(const ValidationRow& row, Console& console, OutputFormat format)
    {
        ++m_finished;
        console.clearStatus();
        if (format == OutputFormat::JsonLines)
            std::cout << jsonLine(toJson(row)) << std::endl;
        if (!row.isAnswered())
            console.colouredLine({{"not compared", Colour::Red},
                {fmt::format(": {}: {}: {}", row.model, row.techniques, rowRemark(row))}});
        const auto error = row.allocatedError();
        console.status(fmt::format("[{}/{}] {}: {}{}", m_finished, m_plan.pairs.size(), row.model, row.techniques,
            error ? ": allocated " + signedPercentText(*error) : ""));
    }

    const ValidationPlan& m_plan;
    experiments::ValidationOptions m_options;
    std::size_t m_finished = 0;
    std::exception_ptr m_failure;
};

// The trials' lines are printed as they end; what follows is the document without them.
void printValidation(const Report& report, OutputFormat format)
{
    if (format != OutputFormat::JsonLines) {
        print(report, format, std::cout);
        std::cout.flush();
        return;
    }
    experiments::OrderedJson document = report.document;
    document["rows"] = nullptr;
    std::cout << jsonLine(document) << std::endl;
}

int exitCodeOf(const ValidationDocument& document)
{
    if (document.isInterrupted)
        return kValidationInterrupted;
    return document.unanswered() > 0 ? kFailedTrial : 0;
}

int carryOutValidation(ValidationPlan plan, const ValidateArguments& arguments, OutputFormat format)
{
    std::stop_source stop;
    Console console;
    SignalWatcher signals([&stop] {
        std::cerr << "\nstopping; what was compared is listed (the signal again ends at once)" << std::endl;
        stop.request_stop();
    });
    ValidationFile file(arguments.output, stop.get_token());
    requireUsableCard(plan, console);
    Validation validation(plan, stop.get_token());
    const ValidationDocument document = validation.carryOut(console, format);
    const Report report = validationReport(document);
    printValidation(report, format);
    file.write(report);
    console.line(validationSentence(document));
    validation.throwFailure();
    return exitCodeOf(document);
}

int validate(const ValidateArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    ValidationPlan plan = planOf(arguments);
    if (!arguments.dryRun)
        return carryOutValidation(std::move(plan), arguments, format);
    print(drawReport(plan), format, std::cout);
    return 0;
}

void addDrawOptions(CLI::App& command, ValidateArguments& arguments)
{
    const char* group = "What is compared";
    const auto add = [&](const char* flag, auto& target, const char* type, const char* help) {
        return command.add_option(flag, target, help)->type_name(type)->check(notEmpty)->group(group);
    };
    add("--device", arguments.device, "D", "measured: cpu, cuda:N")->required();
    add("--against", arguments.against, "sim:NAME", "predicted: the simulated device (headroom devices)")->required();
    add("--trials", arguments.trials, "N", "combinations (default 50)")->check(CLI::Range(1, 100000).description(""));
    add("--seed", arguments.seed, "S", "what they are drawn from (default 1)");
    add("--model", arguments.models, "M",
        "of these models, commas between them, in full; -tiny ones in drawn sizes; exported models by their files")
        ->delimiter(',')
        ->allow_extra_args(false);
    add("--size", arguments.size, "SIZE", "of every family: tiny (default), middle (widths of about 512), mixed")
        ->check(CLI::IsMember({"tiny", "middle", "mixed"}).description(""));
    add("--filter", arguments.filter, "EXPR", "only drawn trials that meet PATH=VALUE,... or PATH!=VALUE,...");
}

void addMeasuringOptions(CLI::App& command, ValidateArguments& arguments)
{
    const char* group = "How it is measured";
    const auto add = [&](const char* flag, auto& target, const char* type, const char* help) {
        return command.add_option(flag, target, help)->type_name(type)->check(notEmpty)->group(group);
    };
    add("--jobs", arguments.jobs, "J", "trials side by side (default 1); more than one: memory alone is compared")
        ->check(CLI::Range(1, kMostSideBySide).description(""));
    add("--steps", arguments.steps, "N", "timed steps of a trial (default 5)")
        ->check(CLI::Range(1, 100000).description(""));
    command.add_flag("--dry-run", arguments.dryRun, "list what is drawn; nothing is run or written")
        ->disable_flag_override()
        ->group(group);
    add("--timeout", arguments.timeoutSeconds, "SECONDS", "most seconds that a side of a trial may take");
    command
        .add_option("-o,--output", arguments.output,
            "writes the result there too, whole, also where it is interrupted; an existing file is replaced")
        ->type_name("FILE.json|.jsonl|.md|.csv")
        ->check(notEmpty)
        ->group(group);
}

} // namespace

void addValidateCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("validate", "Compare predictions with measurements, over drawn trials");
    const auto arguments = std::make_shared<ValidateArguments>();
    addDrawOptions(*command, *arguments);
    addMeasuringOptions(*command, *arguments);
    addFormatOption(*command, arguments->format);
    command->footer(kValidateExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return validate(*arguments); }; });
}

} // namespace headroom::cli
