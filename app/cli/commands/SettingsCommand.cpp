// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/Report.h"
#include "app/cli/run/ChosenTrial.h"
#include "core/base/ShellWords.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/handoff/Handoff.h"
#include "experiments/plan/TrialPredictor.h"
#include "experiments/spec/RunWords.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::Handoff;
using experiments::LackingSetting;
using experiments::OrderedJson;
using experiments::PlannedTrial;

namespace {

constexpr const char* kSettingsExamples =
    R"(Takes the arguments of headroom run; a sweep of several trials needs --trial. Nothing is run; where the
trainer lacks a technique and the device is simulated, it is predicted whether the rest still fits.

What the trainer lacks, or does differently, is named in comments at the top of the text and listed in JSON: nothing that the
trial asks for is left out in silence. Names of options are those of the versions that the text mentions.

Examples:
  headroom settings --model ltx-video-2b --trainable lora:32 --checkpointing every:2 --optimizer adamw:fused --for diffusers
  headroom settings --model llama-3-8b --optimizer adamw --checkpointing ops:mm/2 --for torchtitan > train_config.toml
  headroom settings ltx-checkpointing --trial "checkpointing all" --for diffusers
  headroom settings ./sweep.toml --trial a8cae614 --for pytorch --format json

Exit codes: 0 the text was written, 2 bad usage or spec, 5 a file cannot be read.)";

struct SettingsArguments {
    RunArguments run;
    std::string trial;
    std::string target;
};

OrderedJson lackingJson(const Handoff& handoff)
{
    OrderedJson list = OrderedJson::array();
    for (const LackingSetting& each : handoff.lacking)
        list.push_back({{"path", each.path}, {"notation", each.notation}, {"why", each.why}});
    return list;
}

Report settingsReport(const Handoff& handoff, const PlannedTrial& planned)
{
    Report report;
    report.records = lackingJson(handoff);
    report.document = {{"schema", "headroom.settings/1"}, {"target", handoff.target},
        {"trial",
            {{"trial_id", planned.trialId}, {"label", planned.label},
                {"command", experiments::shellCommand(experiments::runWords(planned.trial))}}},
        {"text", handoff.text}, {"file", handoff.file}, {"lacking", report.records}};
    const std::string language = handoff.file.ends_with(".py") ? "python" : "toml";
    report.sections.push_back({handoff.file, "```" + language + "\n" + handoff.text + "```", {}, ""});
    return report;
}

std::string settingsSentence(const Handoff& handoff)
{
    const std::string lacking = handoff.lacking.empty()
        ? "every setting of the trial is in it"
        : counted(std::ssize(handoff.lacking), "setting") + " lacking or different, named at its top";
    return handoff.file + " for " + handoff.target + ": " + lacking;
}

/// A trial as the trainer has it.
struct Remainder {
    config::Trial trial;
    std::vector<std::string> without; ///< techniques, and options of techniques
    std::string instead; ///< the policy that blocks have; empty: that of the trial
};

// nullptr: the text has it.
const LackingSetting* lackingAt(const Handoff& handoff, const std::string& path)
{
    const auto found = std::ranges::find(handoff.lacking, path, &LackingSetting::path);
    return found == handoff.lacking.end() ? nullptr : &*found;
}

void dropOptions(Remainder& rest, const config::TechniqueDescriptor& technique, const Handoff& handoff)
{
    config::TechniqueSetting& setting = rest.trial.configuration.techniques.at(technique.key);
    config::ValueMap options = setting.options;
    for (const auto& [name, value] : setting.options)
        if (lackingAt(handoff, "techniques." + technique.key + "." + name) != nullptr) {
            options.erase(name);
            rest.without.push_back(technique.key + "." + name);
        }
    if (options.size() < setting.options.size())
        setting = config::makeSetting(technique, setting.notation, options, technique.key);
}

// Levers alone: what decides the task has to be there in some way.
Remainder remainderOf(const config::Trial& trial, const Handoff& handoff)
{
    Remainder rest{trial, {}, {}};
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        config::TechniqueSetting& setting = rest.trial.configuration.techniques.at(technique.key);
        if (technique.role != config::TechniqueRole::Lever || setting.notation == technique.off)
            continue;
        const LackingSetting* lacking = lackingAt(handoff, "techniques." + technique.key);
        if (lacking == nullptr) {
            dropOptions(rest, technique, handoff);
        } else if (!lacking->instead.empty()) {
            setting = config::makeSetting(technique, lacking->instead, setting.options, technique.key);
            rest.instead = technique.key + " " + lacking->instead;
        } else {
            setting = config::makeSetting(technique, technique.off, {}, technique.key);
            rest.without.push_back(technique.key);
        }
    }
    return rest;
}

std::string conditionOf(const Remainder& rest)
{
    if (rest.without.empty())
        return "With " + rest.instead + ", which the trainer has,";
    return "If the trainer does without " + joined(rest.without)
        + (rest.instead.empty() ? "," : ", and with " + rest.instead + ",");
}

// Empty where nothing that costs or saves memory is lacking, or the device is not one that can be predicted.
std::string remainderSentence(const config::Trial& trial, const Handoff& handoff)
{
    const Remainder rest = remainderOf(trial, handoff);
    if ((rest.without.empty() && rest.instead.empty()) || !trial.device.isSimulated()
        || !config::problemsOf(rest.trial).empty())
        return {};
    const experiments::TrialPrediction prediction = experiments::TrialPredictor().predict(rest.trial, {});
    if (prediction.verdict.kind == experiments::FitVerdict::Kind::Unknown)
        return {};
    const auto seconds = prediction.stepSeconds();
    return conditionOf(rest) + " it is predicted for " + trial.device.notation() + ": "
        + experiments::sentenceFor(prediction.verdict)
        + (seconds ? fmt::format(", {:.3g} steps/s", 1 / *seconds) : std::string());
}

int carryOutSettings(const SettingsArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.run.format);
    const PlannedTrial planned = chooseTrialOf(arguments.run, arguments.trial);
    const Handoff handoff = experiments::handOff(planned.trial, arguments.target);
    if (format == OutputFormat::Table)
        std::cout << handoff.text; // as it is, to be redirected into the file
    else
        print(settingsReport(handoff, planned), format, std::cout);
    std::cout.flush();
    Console().line(settingsSentence(handoff));
    if (const std::string rest = remainderSentence(planned.trial, handoff); !rest.empty())
        Console().line(rest);
    return 0;
}

std::string targetHelp()
{
    std::vector<std::string> names;
    for (const experiments::HandoffTarget& target : experiments::handoffTargets())
        names.push_back(target.name + " (" + target.title + ")");
    return "the trainer: " + joined(names);
}

} // namespace

void addSettingsCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command =
        app.add_subcommand("settings", "Print a trial as code or configuration for your trainer, and what it lacks");
    const auto arguments = std::make_shared<SettingsArguments>();
    addSweepOptions(*command, arguments->run);
    command->remove_option(command->get_option("--shard")); // one trial cannot be divided
    command->add_option("--for", arguments->target, targetHelp())->type_name("TARGET")->check(notEmpty)->required();
    command->add_option("--trial", arguments->trial, "the trial of a sweep: an id, the beginning of one, or a label")
        ->type_name("TRIAL")
        ->check(notEmpty);
    addFormatOption(*command, arguments->run.format);
    command->footer(kSettingsExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return carryOutSettings(*arguments); }; });
}

} // namespace headroom::cli
