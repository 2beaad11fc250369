// SPDX-License-Identifier: Apache-2.0
#include "app/cli/CommandLine.h"

#include "app/cli/commands/Commands.h"
#include "app/cli/output/StandardOutput.h"
#include "app/cli/trace/TraceCommand.h"
#include "core/base/Error.h"
#include "core/base/ShownText.h"
#include "core/base/Wording.h"
#include "core/config/Field.h"
#include "core/config/Installation.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string_view>

namespace headroom::cli {
namespace {

constexpr int kUsage = 2;
constexpr int kTrial = 3;
constexpr int kFile = 5;

constexpr const char* kJsonError = "[json.exception.";

constexpr const char* kProgramExamples = R"(Examples:
  headroom doctor                                  what works on this machine
  headroom run demo                                a first sweep, a minute or two
  headroom run --model ffn-stack-tiny --split-ffn off,2 --device cpu
  headroom run ffn-split --device sim:rtx4090      does it fit, how fast will it be
  headroom fit --model ltx-video-2b --set workload.step=train --set workload.batch=4 --device sim:rtx4090
                                                   what makes it fit
  headroom plan --model ltx-video-13b --frames 121 --trainable lora:16 --device sim:rtx4090
                                                   the fastest combination that fits
  headroom fill --model llama-3-8b --checkpointing none,all --axis batch --device sim:h200
                                                   the largest batch of each, and which is fastest at equal memory
  headroom models ffn-stack                        fields, shapes, sizes

Results go to standard output (--format table, md, csv, json, jsonl), everything else to standard error.
headroom COMMAND --help says more.)";

/// CLI11's help text with one blank line between groups and arguments called what they are ("[PRESET|FILE]").
class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter();

    std::string make_group(
        std::string group, bool isPositional, std::vector<const CLI::Option*> options) const override;
    std::string make_option_name(const CLI::Option* option, bool isPositional) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option_usage(const CLI::Option* option) const override;
};

HelpFormatter::HelpFormatter()
{
    column_width(34);
    label("Positionals", "Arguments");
}

// Groups but the first come after a blank line of make_groups.
std::string HelpFormatter::make_group(
    std::string group, bool isPositional, std::vector<const CLI::Option*> options) const
{
    const bool isFirst = isPositional || group == "Options";
    const std::string text = Formatter::make_group(std::move(group), isPositional, std::move(options));
    return isFirst ? text : text.substr(text.find_first_not_of('\n'));
}

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool isPositional) const
{
    return isPositional ? option->get_type_name() : Formatter::make_option_name(option, isPositional);
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const
{
    const std::string text = option->get_positional() ? "" : Formatter::make_option_opts(option);
    return text.substr(0, text.find(" Excludes:")); // the option's own words say so
}

std::string HelpFormatter::make_option_usage(const CLI::Option* option) const
{
    const std::string name = make_option_name(option, true);
    return option->get_required() ? name : "[" + name + "]";
}

void addCommands(CLI::App& app, Action& chosen)
{
    addRehearseCommand(app, chosen);
    addRunCommand(app, chosen);
    addFitCommand(app, chosen);
    addPlanCommand(app, chosen);
    addFillCommand(app, chosen);
    addSettingsCommand(app, chosen);
    addCostCommand(app, chosen);
    addReportCommand(app, chosen);
    addEffectsCommand(app, chosen);
    addTraceCommand(app, chosen);
    addCompareCommand(app, chosen);
    addWorkspaceCommand(app, chosen);
    addParityCommand(app, chosen);
    addValidateCommand(app, chosen);
    addCalibrateCommand(app, chosen);
    addGhostCommand(app, chosen);
    addModelsCommand(app, chosen);
    addTechniquesCommand(app, chosen);
    addDevicesCommand(app, chosen);
    addPresetsCommand(app, chosen);
    addEnvCommand(app, chosen);
    addDoctorCommand(app, chosen);
}

// The command that was given, or the program itself.
const CLI::App& innermost(const CLI::App& app)
{
    const auto given = app.get_subcommands();
    return given.empty() ? app : innermost(*given.front());
}

// "headroom trace show"
std::string fullNameOf(const CLI::App& command)
{
    const CLI::App* parent = command.get_parent();
    return parent == nullptr ? command.get_name() : fullNameOf(*parent) + " " + command.get_name();
}

std::vector<std::string> knownNames(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(sub->get_name());
    return names;
}

// "--train" was probably the beginning of "--trainable".
std::string beginningWith(const std::string& given, const std::vector<std::string>& names)
{
    constexpr std::size_t kTelling = 5;
    const auto longer = std::ranges::find_if(
        names, [&](const std::string& name) { return given.size() >= kTelling && name.starts_with(given); });
    return longer == names.end() ? "" : *longer;
}

// "--split-fnn" was probably "--split-ffn".
std::string hint(const CLI::App& command)
{
    for (const std::string& extra : command.remaining(true)) {
        const std::string given = extra.substr(0, extra.find('='));
        const std::vector<std::string> known = knownNames(command);
        std::string closest = beginningWith(given, known);
        if (closest.empty())
            closest = config::closestName(given, known);
        if (!closest.empty())
            return didYouMean(closest);
    }
    return "";
}

// "--junit=$FILE" with an empty variable: the parser would take the next word for the value.
std::string withoutValue(int argc, const char* const* argv)
{
    for (int i = 1; i < argc; ++i)
        if (const std::string word = argv[i]; word.starts_with("--") && word.find('=') == word.size() - 1)
            return word.substr(0, word.size() - 1);
    return {};
}

// What nothing is known of, in the order in which it was written.
std::string problemOf(const CLI::App& command, const CLI::ParseError& error)
{
    const std::vector<std::string> extras = command.remaining(true);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || extras.empty())
        return error.what();
    const bool isCommand = !command.get_subcommands([](const CLI::App*) { return true; }).empty();
    if (isCommand && !extras.front().starts_with('-'))
        return "unknown command \"" + extras.front() + "\"";
    return std::string(extras.size() == 1 ? "The following argument was" : "The following arguments were")
        + " not expected: " + joined(extras, " ");
}

int refuse(const CLI::App& app, const CLI::ParseError& error)
{
    const CLI::App& command = innermost(app);
    std::cerr << errorLine(
        problemOf(command, error) + hint(command) + " (" + fullNameOf(command) + " --help says what there is)")
              << '\n';
    return kUsage;
}

int failWith(const std::exception& error, int code)
{
    std::cerr << errorLine(error.what()) << std::endl;
    return code;
}

// In words of our own; without a path it was the working folder that was asked for.
FileError fileErrorOf(const std::filesystem::filesystem_error& error)
{
    return FileError("cannot be reached: " + error.code().message(),
        error.path1().empty() ? "the working folder" : error.path1().string());
}

int perform(const Action& action)
{
    const int code = action();
    if (!std::cout.flush() && !isReaderGone(STDOUT_FILENO))
        throw FileError("standard output cannot be written");
    return code;
}

int carryOutAction(const Action& action)
{
    try {
        return perform(action);
    } catch (const UsageError& error) {
        return failWith(error, kUsage);
    } catch (const FileError& error) {
        return failWith(error, kFile);
    } catch (const std::filesystem::filesystem_error& error) {
        return failWith(fileErrorOf(error), kFile);
    } catch (const std::ios_base::failure& error) {
        return failWith(error, kFile);
    } catch (const std::bad_alloc&) {
        return failWith(std::runtime_error("this machine has no memory left for the program itself"), kTrial);
    } catch (const std::exception& error) {
        return failWith(error, kTrial);
    }
}

// "headroom help plan" and "headroom version", as other programs have it.
std::vector<const char*> withoutHelpWords(int argc, const char* const* argv)
{
    std::vector<const char*> words(argv, argv + argc);
    if (words.size() > 1 && words[1] == std::string_view("help")) {
        words.erase(words.begin() + 1);
        words.push_back("--help");
    } else if (words.size() == 2 && words[1] == std::string_view("version"))
        words[1] = "--version";
    return words;
}

} // namespace

std::string errorLine(const std::string& message)
{
    std::string text = message.substr(0, message.find_last_not_of(" \n\r") + 1);
    // A library's name for its error says nothing to anybody else.
    if (const auto begin = text.find(kJsonError); begin != std::string::npos)
        if (const auto end = text.find("] ", begin); end != std::string::npos)
            text.erase(begin, end + 2 - begin);
    return "headroom: error: " + config::shownLine(text);
}

int runCommandLine(int argc, const char* const* argv)
{
    CLI::App app("Which combination of memory techniques fits a GPU and loses the least speed", "headroom");
    Action chosen;
    app.set_version_flag("--version", config::version());
    app.require_subcommand(0, 1);
    app.formatter(std::make_shared<HelpFormatter>());
    app.footer(kProgramExamples);
    addCommands(app, chosen);
    if (const std::string option = withoutValue(argc, argv); !option.empty()) {
        std::cerr << errorLine(option + ": found nothing after \"=\" (valid: " + option + "=VALUE)") << '\n';
        return kUsage;
    }
    try {
        const std::vector<const char*> words = withoutHelpWords(argc, argv);
        app.parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::Success& help) {
        return carryOutAction([&] { return app.exit(help, std::cout, std::cerr); });
    } catch (const CLI::ParseError& error) {
        return refuse(app, error);
    }
    if (chosen)
        return carryOutAction(chosen);
    std::cerr << errorLine("a command is missing (headroom --help lists them)") << '\n';
    return kUsage;
}

} // namespace headroom::cli
