// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/output/Console.h"
#include "app/cli/output/OptionChecks.h"
#include "app/cli/output/Report.h"
#include "app/cli/output/SizeArgument.h"
#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "experiments/rehearsal/ghost/GhostCheckpoint.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::GhostCheckpoint;
using experiments::GhostFile;
using experiments::GhostModel;
using experiments::OrderedJson;

namespace {

constexpr const char* kGhostExamples =
    R"(A ghost has the names, shapes and types of a checkpoint and a hole in place of its data: from_pretrained, device_map
and quantised loading take it for the real one, and it takes a few kilobytes of disk. Its weights read as zeros, so what
a model computes with them means nothing; memory and shapes are those of the real one. Nothing is downloaded.

SOURCE is one of
  CONFIG.json   the configuration of a model of transformers or diffusers
  FOLDER        one with a config.json, or a pipeline's with a model_index.json; what else is there (tokenizer,
                generation settings, schedulers) is copied, but for weights
  MODEL         a model of headroom models

Where no tokenizer is given, one of the right vocabulary is made: its tokens are not the real ones, and texts come to
other numbers of them. Which architectures are known: docs/ghost.md; another one is refused by name.

Examples:
  headroom ghost config.json -o ./ghost
  headroom ghost llama-3-8b -o ./llama --dtype bfloat16
  headroom ghost ~/.cache/huggingface/hub/models--X--Y/snapshots/Z -o ./ghost --shards 2GB
  headroom ghost ./flux-configs -o ./flux --format json

Exit codes: 0 the ghost is there, 2 bad usage, or a model that is not known or cannot be, 5 a file cannot be read or
written; the folder is there as a whole or not at all, and one that exists is never touched.)";

struct GhostArguments {
    std::string source;
    std::string output;
    std::string dtype;
    std::string shards;
    std::string format = "table";
};

OrderedJson modelJson(const GhostModel& model)
{
    return {{"folder", model.folder.empty() ? "." : model.folder}, {"class", model.className},
        {"library", model.library}, {"dtype", model.dtype}, {"tensors", model.tensors},
        {"parameters", model.parameters}, {"bytes", model.bytes}};
}

OrderedJson fileJson(const GhostFile& file)
{
    return {{"file", file.name}, {"bytes", file.bytes}, {"disk_bytes", file.diskBytes}};
}

Section fileSection(const GhostCheckpoint& ghost)
{
    Table table({{"file"}, {"size", Alignment::Right}, {"on the disk", Alignment::Right}});
    for (const GhostFile& file : ghost.files)
        table.addRow({file.name, sizeText(file.bytes), sizeText(file.diskBytes)});
    return {"", "", std::move(table), ""};
}

Report ghostReport(const GhostCheckpoint& ghost, const std::string& folder)
{
    Report report;
    OrderedJson models = OrderedJson::array();
    for (const GhostModel& model : ghost.models)
        models.push_back(modelJson(model));
    for (const GhostFile& file : ghost.files)
        report.records.push_back(fileJson(file));
    report.document = {{"schema", "headroom.ghost/1"}, {"folder", folder}, {"models", models},
        {"parameters", ghost.parameters()}, {"bytes", ghost.bytes()}, {"disk_bytes", ghost.diskBytes()},
        {"own_tokenizer", ghost.hasOwnTokenizer}, {"files", report.records}};
    report.sections.push_back(fileSection(ghost));
    return report;
}

std::string ghostSentence(const GhostCheckpoint& ghost, const std::string& folder)
{
    std::vector<std::string> models;
    for (const GhostModel& model : ghost.models)
        models.push_back(model.className + " (" + model.dtype + ")");
    return enumerated(models) + " of " + largeCountText(static_cast<double>(ghost.parameters())) + " parameters in "
        + folder + ": " + sizeText(ghost.bytes()) + " by its names and shapes, " + sizeText(ghost.diskBytes())
        + " on the disk" + (ghost.hasOwnTokenizer ? "; the tokenizer is made up, as none was given" : "");
}

// Upstream's limits are said in decimal units ("5GB"), and so may be this one.
Bytes shardBytesFrom(const std::string& text)
{
    for (const auto& [unit, bytes] : {std::pair("GB", 1'000'000'000LL), std::pair("MB", 1'000'000LL)})
        if (text.ends_with(unit))
            return bytesFromText(text.substr(0, text.size() - 2), "--shards") * bytes;
    return bytesFromText(text, "--shards");
}

int ghost(const GhostArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    experiments::GhostRequest request{arguments.source, arguments.output, arguments.dtype, {}};
    if (!arguments.shards.empty())
        request.shardBytes = shardBytesFrom(arguments.shards);
    const GhostCheckpoint made = experiments::makeGhost(request, config::resourceDirectory());
    print(ghostReport(made, arguments.output), format, std::cout);
    std::cout.flush();
    Console().line(ghostSentence(made, arguments.output));
    return 0;
}

} // namespace

void addGhostCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command =
        app.add_subcommand("ghost", "Make a checkpoint of the right names, shapes and types that takes no room");
    const auto arguments = std::make_shared<GhostArguments>();
    command->add_option("source", arguments->source, "the model: a config.json, a folder with one, or a model's name")
        ->type_name("SOURCE")
        ->check(notEmpty)
        ->required();
    command->add_option("-o,--output", arguments->output, "the folder to make; it must not exist")
        ->type_name("FOLDER")
        ->check(notEmpty)
        ->required();
    command
        ->add_option("--dtype", arguments->dtype,
            "the type of the weights: bfloat16, float16, float32, float64, float8_e4m3fn; else what the configuration "
            "says, or float32")
        ->type_name("D")
        ->check(notEmpty);
    command
        ->add_option("--shards", arguments->shards,
            "the largest file, as in 2GB or 500MiB; else 5GB, and 10GB for diffusers, as published checkpoints have it")
        ->type_name("SIZE")
        ->check(notEmpty);
    addFormatOption(*command, arguments->format);
    command->footer(kGhostExamples);
    command->callback([arguments, &chosen] { chosen = [arguments] { return ghost(*arguments); }; });
}

} // namespace headroom::cli
