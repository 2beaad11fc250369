// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/FieldReport.h"
#include "app/cli/output/Report.h"
#include "core/base/Quantities.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/WeightBytes.h"
#include "experiments/spec/ModelFiles.h"

#include <CLI/CLI.hpp>

#include <array>
#include <iostream>
#include <memory>

namespace headroom::cli {

using namespace config;
using experiments::OrderedJson;

namespace {

struct ModelsArguments {
    std::string name;
    std::string format = "table";
};

constexpr std::array kParameterDtypes{Dtype::Float32, Dtype::BFloat16, Dtype::Float16, Dtype::Float64};
constexpr std::array kFlopSteps{StepKind::Inference, StepKind::ForwardBackward, StepKind::Train};

std::int64_t parametersOf(const ModelDescriptor& model)
{
    return model.family->parameters(model.fields.defaults());
}

Bytes weightBytesOf(const ModelDescriptor& model, Dtype dtype)
{
    return weightBytes(*model.family, model.fields.defaults(), dtype);
}

double flopsOf(const ModelDescriptor& model, StepKind step)
{
    return model.family->flopsPerStep(model.fields.defaults(), model.shapes.defaults(), step);
}

// The model's sizes with its default fields, from closed forms.
OrderedJson sizesOf(const ModelDescriptor& model)
{
    OrderedJson sizes;
    sizes["parameters"] = parametersOf(model);
    for (const Dtype dtype : kParameterDtypes)
        sizes["weight_bytes"][toText(dtype)] = weightBytesOf(model, dtype);
    for (const StepKind step : kFlopSteps)
        sizes["flops_per_step"][toText(step)] = flopsOf(model, step);
    sizes["tokens_per_step"] = model.family->tokensPerStep(model.shapes.defaults());
    sizes["blocks"] = model.family->blocks(model.fields.defaults());
    return sizes;
}

OrderedJson modelRecord(const ModelDescriptor& model)
{
    OrderedJson record{{"name", model.name}, {"family", model.family->name}, {"title", model.title}};
    record.update(sizesOf(model));
    return record;
}

Table sizesTable(const ModelDescriptor& model)
{
    Table table({{"size"}, {"of"}, {"value", Alignment::Right}});
    table.addRow({"parameters", "", std::to_string(parametersOf(model))});
    for (const Dtype dtype : kParameterDtypes)
        table.addRow({"weight bytes", toText(dtype), sizeText(weightBytesOf(model, dtype))});
    for (const StepKind step : kFlopSteps)
        table.addRow({"operations per step", toText(step), metricText(flopsOf(model, step), "FLOP")});
    table.addRow({"tokens per step", "", std::to_string(model.family->tokensPerStep(model.shapes.defaults()))});
    table.addRow({"blocks", "", std::to_string(model.family->blocks(model.fields.defaults()))});
    return table;
}

Report modelReport(const ModelDescriptor& model)
{
    Report report;
    report.sections.push_back({model.name + ": " + model.title, "", sizesTable(model), ""});
    report.sections.push_back({"Fields, set as model.NAME", "", fieldTable(model.fields), ""});
    report.sections.push_back({"Shapes, set as workload.NAME", "", fieldTable(model.shapes), ""});
    report.document = modelRecord(model);
    report.document["fields"] = fieldRecords(model.fields, "model");
    report.document["shapes"] = fieldRecords(model.shapes, "workload");
    for (const char* set : {"fields", "shapes"})
        for (const OrderedJson& field : report.document[set])
            report.records.push_back(field);
    return report;
}

Report modelList()
{
    Table table({{"model"}, {"family"}, {"parameters", Alignment::Right}, {"float32 weights", Alignment::Right},
        {"what it is"}});
    Report report;
    for (const std::string& name : modelNames()) {
        const ModelDescriptor model = findModel(name, "model");
        report.records.push_back(modelRecord(model));
        table.addRow({name, model.family->name, std::to_string(parametersOf(model)),
            sizeText(weightBytesOf(model, Dtype::Float32)), model.title});
    }
    report.document = {{"models", report.records}};
    report.sections.push_back({"", "", table, "headroom models NAME shows a model's fields, shapes and sizes."});
    return report;
}

int showModels(const ModelsArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    print(arguments.name.empty() ? modelList() : modelReport(experiments::namedModel(arguments.name, "models")), format,
        std::cout);
    return 0;
}

} // namespace

void addModelsCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("models", "List the models, or one with its fields, shapes and sizes");
    const auto arguments = std::make_shared<ModelsArguments>();
    command
        ->add_option(
            "name", arguments->name, "a model's name, or upstream's configuration file; without it, all are listed")
        ->type_name("NAME");
    addFormatOption(*command, arguments->format);
    command->footer(
        "Examples:\n  headroom models\n  headroom models ffn-stack\n  headroom models ffn-stack --format json");
    command->callback([arguments, &chosen] { chosen = [arguments] { return showModels(*arguments); }; });
}

} // namespace headroom::cli
