// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/FieldReport.h"
#include "app/cli/output/Report.h"
#include "core/config/catalogue/Catalogue.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace headroom::cli {

using namespace config;
using experiments::OrderedJson;

namespace {

struct TechniquesArguments {
    std::string key;
    std::string format = "table";
};

OrderedJson techniqueRecord(const TechniqueDescriptor& technique)
{
    OrderedJson record{
        {"key", technique.key}, {"title", technique.title}, {"summary", technique.summary}, {"off", technique.off}};
    record["notation"] = OrderedJson::array();
    for (const NotationForm& form : technique.forms)
        record["notation"].push_back({{"form", form.form}, {"meaning", form.meaning}});
    record["options"] = fieldRecords(technique.options, "techniques." + technique.key);
    record["counters"] = OrderedJson::array();
    for (const CounterDescriptor& counter : technique.counters)
        record["counters"].push_back({{"name", counter.name}, {"help", counter.help}});
    return record;
}

template <typename Entries, typename Name, typename Text>
Table pairs(const char* first, const char* second, const Entries& entries, Name name, Text text)
{
    Table table({{first}, {second}});
    for (const auto& entry : entries)
        table.addRow({entry.*name, entry.*text});
    return table;
}

Report techniqueReport(const TechniqueDescriptor& technique)
{
    Report report;
    report.document = techniqueRecord(technique);
    report.records.push_back(report.document);
    report.sections.push_back({technique.key + ": " + technique.title, technique.summary,
        pairs("notation", "meaning", technique.forms, &NotationForm::form, &NotationForm::meaning), ""});
    if (!technique.options.all().empty())
        report.sections.push_back(
            {"Options, set as " + technique.key + ".NAME", "", fieldTable(technique.options), ""});
    if (!technique.counters.empty())
        report.sections.push_back({"Counters that prove it did something", "",
            pairs("counter", "meaning", technique.counters, &CounterDescriptor::name, &CounterDescriptor::help), ""});
    return report;
}

Report techniqueList()
{
    Table table({{"technique"}, {"notation"}, {"what it is"}});
    Report report;
    for (const TechniqueDescriptor& technique : techniqueCatalogue()) {
        report.records.push_back(techniqueRecord(technique));
        table.addRow({technique.key, technique.validForms(), technique.title});
    }
    report.document = {{"techniques", report.records}};
    report.sections.push_back({"", "", table, "headroom techniques NAME shows what each notation and option means."});
    return report;
}

int showTechniques(const TechniquesArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    print(arguments.key.empty() ? techniqueList() : techniqueReport(findTechnique(arguments.key, "techniques")), format,
        std::cout);
    return 0;
}

} // namespace

void addTechniquesCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command =
        app.add_subcommand("techniques", "List the memory techniques, or one with its notation and options");
    const auto arguments = std::make_shared<TechniquesArguments>();
    command->add_option("name", arguments->key, "a technique's key; without it, all are listed")->type_name("NAME");
    addFormatOption(*command, arguments->format);
    command->footer("Examples:\n  headroom techniques\n  headroom techniques split_ffn");
    command->callback([arguments, &chosen] { chosen = [arguments] { return showTechniques(*arguments); }; });
}

} // namespace headroom::cli
