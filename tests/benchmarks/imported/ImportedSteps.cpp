// SPDX-License-Identifier: Apache-2.0
//
// What exported models take on this machine, one row each, in processor time: to read the archive, to plan with it
// (closed forms, refusals, blocks, feed-forwards), to make the model on a simulated H100, and to simulate one more step
// of training, of LoRA's and of inference once the first has run. Give the archives' files.
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
};

config::Configuration configurationFor(const std::string& model, config::StepKind step, const std::string& trainable)
{
    config::Configuration result = config::defaultConfiguration(model, "");
    result.workload.step = step;
    if (const auto batch = result.workload.shapes.find("batch"); batch != result.workload.shapes.end())
        batch->second = 1;
    if (!trainable.empty()) {
        choose(result, "trainable", trainable);
        choose(result, "optimizer", "adamw");
    }
    return result;
}

StepTimes timesOf(const config::Configuration& configuration)
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
    });
    times.first = secondsOf([&] { runner->run(0); });
    times.step = secondsOf([&] {
        for (int step = 1; step <= kSteps; ++step)
            runner->run(step);
    }) / kSteps;
    return times;
}

std::string stepText(const std::string& model, config::StepKind step, const std::string& trainable)
{
    const config::Configuration configuration = configurationFor(model, step, trainable);
    if (const auto problems = config::conflicts(configuration); !problems.empty())
        return "refused | refused";
    try {
        const StepTimes times = timesOf(configuration);
        return fmt::format("{:.3f} | {:.3f}", times.make, times.step);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return "failed | failed";
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
    std::cout << fmt::format("| {} | {} | {:.3f} | {:.3f} | {} | {} | {} |", file.stem().string(), nodes, read, plan,
        stepText(name, config::StepKind::Train, ""), stepText(name, config::StepKind::Train, "lora:16"),
        stepText(name, config::StepKind::Inference, ""))
              << std::endl;
}

} // namespace

int main(int count, char** arguments)
{
    std::cout << "| model | nodes | read (s) | plan (s) | train: make (s) | step (s) | LoRA: make (s) | step (s) | "
                 "inference: make (s) | step (s) |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for (int i = 1; i < count; ++i)
        printRow(arguments[i]);
    return 0;
}
