// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/output/Report.h"
#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/spec/PresetCatalogue.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"

#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

namespace headroom::cli {

using experiments::OrderedJson;
using experiments::Preset;

namespace {

struct PresetsArguments {
    std::string name;
    std::string format = "table";
};

std::string contents(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream)
        throw FileError("preset cannot be read", file.string());
    return text;
}

std::size_t trialsOf(const Preset& preset, const std::filesystem::path& resources)
{
    return experiments::expand(experiments::loadPreset(preset.name, resources, {})).size();
}

OrderedJson presetRecord(const Preset& preset, const std::filesystem::path& resources)
{
    return {{"name", preset.name}, {"title", preset.title}, {"description", preset.description},
        {"trials", trialsOf(preset, resources)}, {"file", preset.file.string()}};
}

Report presetReport(const Preset& preset, const std::filesystem::path& resources)
{
    const std::string toml = contents(preset.file);
    Report report;
    report.document = presetRecord(preset, resources);
    report.document["toml"] = toml;
    report.records.push_back(report.document);
    report.sections.push_back({preset.name, "```toml\n" + toml + "```", {}, ""});
    return report;
}

Report presetList(const std::filesystem::path& resources)
{
    Table table({{"preset"}, {"trials", Alignment::Right}, {"what it is"}});
    Report report;
    for (const Preset& preset : experiments::listPresets(resources)) {
        report.records.push_back(presetRecord(preset, resources));
        table.addRow({preset.name, std::to_string(report.records.back()["trials"].get<std::size_t>()), preset.title});
    }
    report.document = {{"presets", report.records}};
    report.sections.push_back({"", "", table,
        "headroom run NAME runs one, headroom presets NAME prints it: redirected into a file it is a spec of your "
        "own."});
    return report;
}

int showPresets(const PresetsArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    const std::filesystem::path resources = config::resourceDirectory();
    if (arguments.name.empty()) {
        print(presetList(resources), format, std::cout);
        return 0;
    }
    const Preset preset = experiments::findPreset(arguments.name, resources, "presets");
    // The table format prints the file unchanged, so that it can be redirected into a new file.
    if (format == OutputFormat::Table)
        std::cout << contents(preset.file);
    else
        print(presetReport(preset, resources), format, std::cout);
    return 0;
}

} // namespace

void addPresetsCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("presets", "List the specs that come with Headroom, or print one");
    const auto arguments = std::make_shared<PresetsArguments>();
    command->add_option("name", arguments->name, "a preset's name; without it, all are listed")->type_name("NAME");
    addFormatOption(*command, arguments->format);
    command->footer("Examples:\n  headroom presets\n  headroom presets demo > mine.toml    a spec to start from");
    command->callback([arguments, &chosen] { chosen = [arguments] { return showPresets(*arguments); }; });
}

} // namespace headroom::cli
