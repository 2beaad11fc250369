// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/FieldReport.h"
#include "app/cli/commands/ImportedReport.h"
#include "app/cli/output/Report.h"
#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/config/Installation.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/catalogue/WeightBytes.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/config/imported/ImportedRefusals.h"
#include "experiments/spec/ModelFiles.h"

#include <CLI/CLI.hpp>

#include <array>
#include <filesystem>
#include <iostream>
#include <memory>

namespace headroom::cli {

using namespace config;
using experiments::OrderedJson;

namespace {

struct ModelsArguments {
    std::string name;
    bool wantsCaptureScript = false;
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

constexpr const char* kCaptureScript = "capture/headroom_capture.py";

// For people the path alone, as a shell takes it.
void printCaptureScript(OutputFormat format)
{
    const std::filesystem::path script = (config::resourceDirectory() / kCaptureScript).lexically_normal();
    if (!std::filesystem::is_regular_file(script))
        throw FileError("there is no such file", script.string(), "the file as it is installed");
    if (format == OutputFormat::Table || format == OutputFormat::Markdown) {
        std::cout << script.string() << '\n';
        return;
    }
    Report report;
    report.document = {{"capture_script", script.string()}};
    report.records.push_back(report.document);
    print(report, format, std::cout);
}

Report namedReport(const std::string& name)
{
    const ModelDescriptor model = experiments::namedModel(name, "models");
    if (const auto archive = importedArchiveOf(model.name))
        requireKnownOperators(*archive);
    Report report = modelReport(model);
    if (isImportedName(model.name))
        addImported(report, model, inspectImported(model));
    else
        report.document["imported"] = nullptr;
    return report;
}

int showModels(const ModelsArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    if (arguments.wantsCaptureScript)
        printCaptureScript(format);
    else
        print(arguments.name.empty() ? modelList() : namedReport(arguments.name), format, std::cout);
    return 0;
}

} // namespace

void addModelsCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("models", "List the models, or one with its fields, shapes and sizes");
    const auto arguments = std::make_shared<ModelsArguments>();
    command
        ->add_option("name", arguments->name,
            "a model's name, upstream's configuration file or an exported model (FILE.pt2); without it, all are listed")
        ->type_name("NAME");
    command
        ->add_flag("--capture-script", arguments->wantsCaptureScript,
            "instead of NAME: print the path of headroom_capture.py, which exports a PyTorch model")
        ->excludes("name");
    addFormatOption(*command, arguments->format);
    command->footer(
        "Examples:\n  headroom models\n  headroom models ffn-stack\n  headroom models ffn-stack --format json\n"
        "  headroom models my-model.pt2\n  headroom models --capture-script");
    command->callback([arguments, &chosen] { chosen = [arguments] { return showModels(*arguments); }; });
}

} // namespace headroom::cli
