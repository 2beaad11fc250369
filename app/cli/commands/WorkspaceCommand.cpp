// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/HealthChecks.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/Report.h"
#include "app/cli/output/WorkspaceOption.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/imported/ShownModelName.h"
#include "experiments/archive/StoredExperiment.h"
#include "experiments/results/OrderedJson.h"
#include "profiling/store/workspace/WorkspaceRepair.h"

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace headroom::cli {

using experiments::OrderedJson;

namespace {

namespace fs = std::filesystem;

constexpr int kPartIsLost = 4;

constexpr const char* kWorkspaceExamples = R"(Examples:
  headroom workspace list results.db
      the experiments in it, the newest first: what --experiment may name
  headroom workspace check results.db
      every page, reference, result and trace of it, spools beside it, the file system that it is on
  headroom workspace repair results.db -o rescued.db
      copies what can be read of it into a new file; the old one stays as it is

headroom workspace COMMAND --help says more.)";

struct WorkspaceArguments {
    GivenWorkspace workspace;
    std::string output;
    std::string format = "table";
};

int checkIt(const WorkspaceArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    const std::string path = workspacePath(arguments.workspace);
    const std::vector<HealthCheck> checks = examineWorkspace(path);
    const int code = exitCodeOf(checks);
    Report report;
    Table table({{"check"}, {"state"}, {"found"}, {"what that means"}});
    for (const HealthCheck& check : checks) {
        report.records.push_back(recordOf(check));
        table.addRow({check.name, toText(check.health), check.found, check.meaning});
    }
    report.document = {
        {"schema", "headroom.workspace/1"}, {"workspace", path}, {"checks", report.records}, {"sound", code == 0}};
    report.sections.push_back({"", "", table, code == 0 ? "The workspace is sound." : "The workspace is not sound."});
    print(report, format, std::cout);
    return code;
}

std::string secondText(store::Timestamp time)
{
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

// "3 completed, 1 out of memory, 4 not run"
std::string outcomesText(const store::ExperimentTally& tally)
{
    std::vector<std::pair<std::int64_t, std::string>> counts;
    for (const auto& [outcome, count] : tally.outcomes)
        counts.emplace_back(count, inWords(toText(outcome)));
    if (tally.reached < tally.trials)
        counts.emplace_back(tally.trials - tally.reached, "not run");
    return tallied(counts);
}

OrderedJson recordOf(const store::ExperimentRow& row, const store::ExperimentTally& tally)
{
    OrderedJson outcomes = OrderedJson::object();
    for (const auto& [outcome, count] : tally.outcomes)
        outcomes[toText(outcome)] = count;
    return {{"number", row.id}, {"experiment", row.name}, {"started_at", secondText(row.createdAt)},
        {"finished_at", row.finishedAt ? OrderedJson(secondText(*row.finishedAt)) : OrderedJson(nullptr)},
        {"models", tally.models}, {"devices", tally.devices}, {"trials", tally.trials}, {"reached", tally.reached},
        {"outcomes", std::move(outcomes)}};
}

int listIt(const WorkspaceArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    const std::string path = workspacePath(arguments.workspace);
    store::Workspace workspace = experiments::openForReading(path);
    std::map<std::int64_t, store::ExperimentTally> tallies = workspace.tallies(); // not of one without trials
    Report report;
    Table table({{"number", Alignment::Right}, {"experiment"}, {"started"}, {"model"}, {"device"},
        {"trials", Alignment::Right}, {"outcomes"}});
    for (const store::ExperimentRow& row : workspace.experiments()) {
        const store::ExperimentTally& tally = tallies[row.id];
        report.records.push_back(recordOf(row, tally));
        std::vector<std::string> models;
        std::ranges::transform(tally.models, std::back_inserter(models), config::shownModelName);
        table.addRow({std::to_string(row.id), row.name, secondText(row.createdAt), joined(models),
            joined({tally.devices.begin(), tally.devices.end()}), std::to_string(tally.trials), outcomesText(tally)});
    }
    report.document = {
        {"schema", "headroom.experiments/1"}, {"workspace", path}, {"experiments", OrderedJson(report.records)}};
    const bool isEmpty = report.records.empty();
    report.sections.push_back({"", "", table,
        isEmpty ? "There is no experiment in it." : "Where a command takes --experiment, it is a name or a number."});
    print(report, format, std::cout);
    return 0;
}

// "results.db" becomes "results.repaired.db".
fs::path repairedName(const fs::path& workspace)
{
    const std::string ending = workspace.extension().empty() ? ".db" : workspace.extension().string();
    return workspace.parent_path() / (workspace.stem().string() + ".repaired" + ending);
}

std::string repairVerdict(const store::RepairReport& repaired, const fs::path& output)
{
    std::string text = fmt::format("{} holds {} rows; ", output.string(), repaired.copied());
    text += repaired.lost() == 0 ? "nothing was lost." : fmt::format("{} at least are lost.", repaired.lost());
    for (const std::string& remark : repaired.remarks)
        text += "\n" + remark;
    return text;
}

Report reportOf(const store::RepairReport& repaired, const std::string& path, const fs::path& output)
{
    Report report;
    Table table({{"table"}, {"rows copied", Alignment::Right}, {"rows lost", Alignment::Right}});
    for (const store::RepairedTable& entry : repaired.tables) {
        report.records.push_back({{"table", entry.name}, {"copied", entry.copied}, {"lost", entry.lost}});
        if (entry.copied > 0 || entry.lost > 0)
            table.addRow({entry.name, std::to_string(entry.copied), std::to_string(entry.lost)});
    }
    report.document = {{"schema", "headroom.repair/1"}, {"workspace", path}, {"output", output.string()},
        {"copied", repaired.copied()}, {"lost", repaired.lost()}, {"tables", report.records},
        {"remarks", repaired.remarks}};
    report.sections.push_back({"", "", table, repairVerdict(repaired, output)});
    return report;
}

int repairIt(const WorkspaceArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    const std::string path = workspacePath(arguments.workspace);
    const fs::path output = arguments.output.empty() ? repairedName(path) : fs::path(arguments.output);
    const store::RepairReport repaired = store::repairWorkspace(path, output);
    print(reportOf(repaired, path, output), format, std::cout);
    return repaired.lost() == 0 ? 0 : kPartIsLost;
}

CLI::App* addPart(CLI::App& group, const char* name, const char* help, WorkspaceArguments& arguments)
{
    CLI::App* command = group.add_subcommand(name, help);
    addWorkspaceOptions(*command, arguments.workspace);
    addFormatOption(*command, arguments.format);
    return command;
}

void addCheck(CLI::App& group, Action& chosen)
{
    const auto arguments = std::make_shared<WorkspaceArguments>();
    CLI::App* command = addPart(group, "check", "Say whether a workspace is sound", *arguments);
    command->footer("Reads all of it and changes nothing.\n\n"
                    "Exit codes: 0 it is sound, 2 bad usage, 5 it is damaged or cannot be read.");
    command->callback([arguments, &chosen] { chosen = [arguments] { return checkIt(*arguments); }; });
}

void addList(CLI::App& group, Action& chosen)
{
    const auto arguments = std::make_shared<WorkspaceArguments>();
    CLI::App* command = addPart(group, "list", "List the experiments of a workspace, the newest first", *arguments);
    command->footer("Exit codes: 0 done, 2 bad usage, 5 the workspace cannot be read.");
    command->callback([arguments, &chosen] { chosen = [arguments] { return listIt(*arguments); }; });
}

void addRepair(CLI::App& group, Action& chosen)
{
    const auto arguments = std::make_shared<WorkspaceArguments>();
    CLI::App* command =
        addPart(group, "repair", "Copy what can be read of a damaged workspace into a new one", *arguments);
    command->add_option("-o,--output", arguments->output, "the new file (else FILE with .repaired in its name)")
        ->type_name("OUT")
        ->check(notEmpty);
    command->footer(
        "The damaged file stays as it is, and an existing file is never replaced.\n\n"
        "Exit codes: 0 all of it was copied, 2 bad usage, 4 a part is lost (the output says which), 5 nothing could\n"
        "be read, or the new file cannot be written.");
    command->callback([arguments, &chosen] { chosen = [arguments] { return repairIt(*arguments); }; });
}

} // namespace

void addWorkspaceCommand(CLI::App& app, Action& chosen)
{
    CLI::App* group =
        app.add_subcommand("workspace", "List the experiments of a workspace, check it, recover a damaged one");
    group->require_subcommand(0, 1);
    group->footer(kWorkspaceExamples);
    addList(*group, chosen);
    addCheck(*group, chosen);
    addRepair(*group, chosen);
    group->callback([group, &chosen] {
        if (group->get_subcommands().empty())
            chosen = []() -> int {
                throw UsageError("what to do with the workspace is missing (headroom workspace --help says more)",
                    "headroom workspace", "list, check, repair");
            };
    });
}

} // namespace headroom::cli
