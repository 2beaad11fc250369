// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/HealthChecks.h"
#include "app/cli/commands/OpRulesReport.h"
#include "app/cli/commands/WorkerAnswer.h"
#include "app/cli/output/Report.h"
#include "app/cli/output/WorkspaceOption.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::OrderedJson;
using protocol::Json;

namespace {

OrderedJson orNull(const std::string& text)
{
    return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

struct Collector {
    std::string name;
    std::string tells;
    std::string version;
    std::string reason;
    Health health;
};

Collector collectorFrom(const Json& json)
{
    return {json.value("name", std::string()), json.value("tells", std::string()), json.value("version", std::string()),
        json.value("reason", std::string()), json.value("available", false) ? Health::Good : Health::Absent};
}

// In the rows of csv and jsonl a collector is one more check.
void addCollector(Report& report, Table& table, OrderedJson& list, const Collector& collector)
{
    const std::string found = collector.health == Health::Good ? collector.version : collector.reason;
    table.addRow({collector.name, toText(collector.health), found, collector.tells});
    list.push_back({{"name", collector.name}, {"available", collector.health == Health::Good},
        {"reason", orNull(collector.reason)}, {"version", orNull(collector.version)}, {"tells", collector.tells}});
    report.records.push_back({{"check", "collector " + collector.name}, {"state", toText(collector.health)},
        {"found", found}, {"meaning", collector.tells}});
}

// Adds to what `headroom doctor` prints which collectors can look at memory here, why others cannot, and how much a
// trace tells because of that. Nothing where the worker did not answer.
void addCollectors(Report& report, const WorkerAnswer& worker)
{
    report.document["collectors"] = OrderedJson::array();
    report.document["capture"] = nullptr;
    if (!worker.description || !worker.description->details.contains("collectors"))
        return;
    const Json& details = worker.description->details;
    Table table({{"collector"}, {"state"}, {"found"}, {"tells of"}});
    for (const Json& collector : details.at("collectors"))
        addCollector(report, table, report.document["collectors"], collectorFrom(collector));
    const Json capture = details.value("capture", Json::object());
    const std::string meaning = capture.value("meaning", std::string());
    report.document["capture"] = {{"rung", capture.value("name", std::string())}, {"meaning", meaning}};
    report.sections.push_back({"What a trace can see here", "", table, "A trace has " + meaning + "."});
}

struct DoctorArguments {
    GivenWorkspace workspace;
    std::string format = "table";
    std::vector<std::string> models;
    std::string device = "sim:h100-80gb";
};

std::string healthVerdict(int exitCode)
{
    return exitCode == 0 ? "Headroom works here." : "Headroom does not fully work here: see what is broken.";
}

int showHealth(const DoctorArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    if (!arguments.models.empty()) {
        print(opRulesReport(arguments.models, arguments.device), format, std::cout);
        return 0;
    }
    const WorkerAnswer worker = askWorker();
    const std::vector<HealthCheck> checks = examine(worker, workspacePath(arguments.workspace));
    Report report;
    Table table({{"check"}, {"state"}, {"found"}, {"what that means"}});
    for (const HealthCheck& check : checks) {
        report.records.push_back(recordOf(check));
        table.addRow({check.name, toText(check.health), check.found, check.meaning});
    }
    const int code = exitCodeOf(checks);
    report.document = {{"checks", report.records}, {"works", code == 0}};
    report.sections.push_back({"", "", table, healthVerdict(code)});
    addCollectors(report, worker);
    print(report, format, std::cout);
    return code;
}

} // namespace

void addDoctorCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command =
        app.add_subcommand("doctor", "Say what works on this machine, what is missing and what that means");
    const auto arguments = std::make_shared<DoctorArguments>();
    addWorkspaceOptions(*command, arguments->workspace);
    command
        ->add_option("--model", arguments->models,
            "say instead which ops of these models the simulator has no rule for, in every kind of step")
        ->type_name("M")
        ->delimiter(',');
    command->add_option("--device", arguments->device, "with --model: the simulated device")
        ->type_name("D")
        ->capture_default_str();
    addFormatOption(*command, arguments->format);
    command->footer(
        "Writes nothing. Exit codes: 0 everything that every run needs is there (a GPU is not), 3 the worker\n"
        "does not work, 5 the resources or the workspace cannot be used.");
    command->callback([arguments, &chosen] { chosen = [arguments] { return showHealth(*arguments); }; });
}

} // namespace headroom::cli
