// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/WorkerAnswer.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/Report.h"
#include "experiments/results/Environment.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::OrderedJson;

namespace {

std::string environmentCell(const OrderedJson& value)
{
    if (value.is_null())
        return {};
    return value.is_string() ? value.get<std::string>() : value.dump();
}

void addRows(Table& table, const OrderedJson& object, const std::string& prefix)
{
    for (const auto& [key, value] : object.items())
        if (value.is_object())
            addRows(table, value, prefix + key + ".");
        else
            table.addRow({prefix + key, environmentCell(value)});
}

int showEnvironment(const std::string& formatText)
{
    const OutputFormat format = outputFormatFromText(formatText);
    experiments::Environment environment = experiments::captureEnvironment();
    WorkerAnswer worker = askWorker();
    environment.worker = std::move(worker.description);
    if (!worker.problem.empty())
        Console().line("note: nothing is known of LibTorch and CUDA: " + worker.problem);
    Report report;
    report.document = toJson(environment);
    report.records.push_back(report.document);
    Table table({{"what"}, {"value"}});
    addRows(table, report.document, "");
    report.sections.push_back({"", "", table, ""});
    print(report, format, std::cout);
    return 0;
}

} // namespace

void addEnvCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("env", "Show what every run records about this machine");
    const auto format = std::make_shared<std::string>("table");
    addFormatOption(*command, *format);
    command->footer("Only environment variables on an allow-list are recorded: others may be secrets.");
    command->callback([format, &chosen] { chosen = [format] { return showEnvironment(*format); }; });
}

} // namespace headroom::cli
