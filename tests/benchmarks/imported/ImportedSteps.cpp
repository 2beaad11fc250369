// SPDX-License-Identifier: Apache-2.0
//
// What exported models take on this machine, one row each, in processor time: to read the archive, to plan with it
// (closed forms, refusals, blocks, feed-forwards), to make the model on a simulated H100, and to simulate one more step
// of training and of LoRA's, without and with checkpointing of all blocks, and of inference once the first has run. The
// same of training where peaks and step time alone are asked for, so that blocks that are alike are repeated; and how
// many. At batch 1 where the export allows it. Give the archives' files.
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/training/StepRunner.h"
#include "profiling/collectors/simulated/SimulatedInstruments.h"
#include "profiling/measurement/PhaseLedger.h"
#include "tests/support/Checkout.h"
#include "tests/support/Configurations.h"

#include <fmt/format.h>

#include <ctime>
#include <iostream>

namespace {

using namespace headroom;

double processorSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <typename Action> double secondsOf(const Action& action)
{
    const double begin = processorSeconds();
    action();
    return processorSeconds() - begin;
}

simulator::SimulatedDevice device()
{
    static const simulator::ProfileCatalogue catalogue(shippedResources());
    return catalogue.parseSimulatedDevice("sim:h100-80gb");
}

/// A step of one kind: making the model, then steps past the first one.
struct StepTimes {
    double make = 0;
    double first = 0;
    double step = 0;
    std::int64_t repeatedBlocks = 0; ///< in a step
};

struct StepChoice {
    config::StepKind step = config::StepKind::Train;
    std::string trainable{};
    std::string checkpointing{};
};

config::Configuration configurationFor(const std::string& model, const StepChoice& choice)
{
    config::Configuration result = config::defaultConfiguration(model, "");
    result.workload.step = choice.step;
    if (!choice.trainable.empty()) {
        choose(result, "trainable", choice.trainable);
        choose(result, "optimizer", "adamw");
    }
    if (!choice.checkpointing.empty())
        choose(result, "checkpointing", choice.checkpointing);
    config::Configuration single = result;
    if (const auto batch = single.workload.shapes.find("batch"); batch != single.workload.shapes.end())
        batch->second = 1;
    return config::conflicts(single).empty() ? single : result;
}

enum class Blocks { Run, Repeat };

StepTimes timesOf(const config::Configuration& configuration, Blocks blocks)
{
    constexpr int kSteps = 3;
    StepTimes times;
    collectors::SimulatedInstruments instruments(device(), std::nullopt, collectors::DeviceLimit::Lifted);
    collectors::PhaseLedger ledger(instruments);
    const auto options = at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16);
    std::shared_ptr<models::Model> model;
    techniques::TechniqueStack techniques(configuration);
    std::unique_ptr<training::StepRunner> runner;
    times.make = secondsOf([&] {
        model = models::buildModel(configuration, options);
        techniques.apply(*model);
        runner = std::make_unique<training::StepRunner>(
            *model, techniques.hooks(), configuration.workload, models::makeInputs(configuration, options), ledger);
        if (blocks == Blocks::Repeat)
            model->setBlockShortcut(instruments.shortcutFor(*model, nullptr));
    });
    times.first = secondsOf([&] { runner->run(0); });
    times.step = secondsOf([&] {
        for (int step = 1; step <= kSteps; ++step)
            runner->run(step);
    }) / kSteps;
    times.repeatedBlocks = instruments.repeatedRuns() / (kSteps + 1);
    model->setBlockShortcut(nullptr);
    return times;
}

std::string stepText(const std::string& model, const StepChoice& choice, bool isMakeShown = false)
{
    const config::Configuration configuration = configurationFor(model, choice);
    const auto twice = [&](const std::string& text) { return isMakeShown ? text + " | " + text : text; };
    if (const auto problems = config::conflicts(configuration); !problems.empty())
        return twice("refused");
    try {
        const StepTimes times = timesOf(configuration, Blocks::Run);
        return (isMakeShown ? fmt::format("{:.3f} | ", times.make) : "") + fmt::format("{:.3f}", times.step);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return twice("failed");
    }
}

std::string answerText(const std::string& model, const StepChoice& choice)
{
    const config::Configuration configuration = configurationFor(model, choice);
    if (!config::conflicts(configuration).empty())
        return "refused";
    try {
        const StepTimes times = timesOf(configuration, Blocks::Repeat);
        return fmt::format("{:.3f} ({})", times.step, times.repeatedBlocks);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return "in full";
    }
}

void printRow(const std::filesystem::path& file)
{
    std::string name;
    const double read = secondsOf([&] { archive::readExportedModel(file); });
    const double plan = secondsOf([&] {
        name = config::importModel(file);
        config::problemsOf(config::defaultConfiguration(name, ""));
    });
    const std::size_t nodes = config::importedArchiveOf(name)->graph.nodes.size();
    std::cout << fmt::format(
        "| {} | {} | {:.3f} | {:.3f} | {} |", file.stem().string(), nodes, read, plan, stepText(name, {}, true))
              << std::flush;
    for (const StepChoice& choice : {StepChoice{.checkpointing = "all"}, StepChoice{.trainable = "lora:16"},
             StepChoice{.trainable = "lora:16", .checkpointing = "all"},
             StepChoice{.step = config::StepKind::Inference}})
        std::cout << " " << stepText(name, choice) << " |" << std::flush;
    for (const StepChoice& choice : {StepChoice{}, StepChoice{.checkpointing = "all"}})
        std::cout << " " << answerText(name, choice) << " |" << std::flush;
    std::cout << std::endl;
}

} // namespace

int main(int count, char** arguments)
{
    std::cout << "| model | nodes | read (s) | plan (s) | make (s) | step: train (s) | train, all (s) | LoRA (s) | "
                 "LoRA, all (s) | inference (s) | answer: train (s) | train, all (s) "
                 "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for (int i = 1; i < count; ++i)
        printRow(arguments[i]);
    return 0;
}
