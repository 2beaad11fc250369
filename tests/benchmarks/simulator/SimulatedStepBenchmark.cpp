// SPDX-License-Identifier: Apache-2.0
//
// What one simulated step of LTX-Video 2B takes, layer by layer of the simulation: the program on tensors without
// bytes, then with ops intercepted, with the allocator, with everything, with the trace written to a spool.
#include "app/worker/SpoolSink.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "profiling/collectors/AccountedMemory.h"
#include "profiling/collectors/simulated/SimulatedInstruments.h"
#include "profiling/measurement/PhaseLedger.h"
#include "profiling/simulator/devices/AllocatorFactory.h"

#include <benchmark/benchmark.h>

#include <filesystem>

namespace {

using namespace headroom;

class SilentObserver final : public training::StepObserver {
public:
    void phaseBegins(const std::string&, std::int64_t) override { }
    void phaseEnds(const std::string&, std::int64_t) override { }
};

simulator::SimulatedDevice device()
{
    static const simulator::ProfileCatalogue catalogue(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources");
    return catalogue.parseSimulatedDevice("sim:a100-80gb@torch-2.5");
}

config::Configuration configuration(const std::string& policy)
{
    config::Configuration result = config::defaultConfiguration("ltx-video-2b", "");
    result.workload.step = config::StepKind::ForwardBackward;
    result.workload.dtype = config::Dtype::BFloat16;
    result.workload.gradients = config::GradientClearing::Keep;
    result.techniques["checkpointing"] =
        config::makeSetting(config::findTechnique("checkpointing", ""), policy, {}, "techniques.checkpointing");
    return result;
}

// A model with its runner, past the first step.
class Program {
public:
    Program(const std::string& policy, training::StepObserver& observer)
        : m_configuration(configuration(policy))
        , m_model(models::buildModel(m_configuration, options()))
        , m_techniques(m_configuration)
    {
        m_techniques.apply(*m_model);
        m_runner = std::make_unique<training::StepRunner>(*m_model, m_techniques.hooks(), m_configuration.workload,
            models::makeInputs(m_configuration, options()), observer);
        step();
    }

    void step() { m_runner->run(0); }

private:
    static at::TensorOptions options() { return at::TensorOptions().device(at::kMeta).dtype(at::kBFloat16); }

    config::Configuration m_configuration;
    std::shared_ptr<models::Model> m_model;
    techniques::TechniqueStack m_techniques;
    std::unique_ptr<training::StepRunner> m_runner;
};

void run(benchmark::State& state, Program& program)
{
    for (auto _ : state)
        program.step();
}

void opsWithoutBytes(benchmark::State& state, const std::string& policy)
{
    const collectors::KernelRules rules(device());
    const collectors::KernelRules::Scope scope(rules);
    SilentObserver observer;
    Program program(policy, observer);
    run(state, program);
}

void opsIntercepted(benchmark::State& state, const std::string& policy)
{
    const collectors::KernelRules rules(device());
    const collectors::KernelRules::Scope scope(rules);
    tensor::OpInterceptor interceptor;
    const tensor::OpInterceptor::Scope interception(interceptor);
    SilentObserver observer;
    Program program(policy, observer);
    run(state, program);
}

void withAllocator(benchmark::State& state, const std::string& policy)
{
    const collectors::KernelRules rules(device());
    const collectors::KernelRules::Scope scope(rules);
    const auto memory = std::make_shared<collectors::AccountedMemory>(simulator::makeAllocator(device(), {}, 0));
    const tensor::MetaMemory metaMemory(memory);
    SilentObserver observer;
    Program program(policy, observer);
    run(state, program);
}

void withEverything(benchmark::State& state, const std::string& policy)
{
    collectors::SimulatedInstruments instruments(device(), std::nullopt);
    collectors::PhaseLedger ledger(instruments);
    Program program(policy, ledger);
    run(state, program);
}

void withSpool(benchmark::State& state, const std::string& policy)
{
    collectors::SimulatedInstruments instruments(device(), std::nullopt);
    collectors::PhaseLedger ledger(instruments);
    const auto path = std::filesystem::temp_directory_path() / "headroom-benchmark.spool";
    std::filesystem::remove(path);
    worker::SpoolSink sink(path);
    Program program(policy, ledger);
    instruments.observeAllocations([&](const trace::AllocatorEvent& event) { sink.event(event); });
    ledger.setSpanListener([&](const trace::PhaseSpan& span) { sink.phase(span); });
    run(state, program);
    instruments.observeAllocations(nullptr);
    ledger.setSpanListener(nullptr);
    sink.finish();
    std::filesystem::remove(path);
}

} // namespace

#define HEADROOM_STEP_BENCHMARK(function)                                                                              \
    BENCHMARK_CAPTURE(function, none, "none")->Unit(benchmark::kMillisecond);                                          \
    BENCHMARK_CAPTURE(function, all, "all")->Unit(benchmark::kMillisecond)

HEADROOM_STEP_BENCHMARK(opsWithoutBytes);
HEADROOM_STEP_BENCHMARK(opsIntercepted);
HEADROOM_STEP_BENCHMARK(withAllocator);
HEADROOM_STEP_BENCHMARK(withEverything);
HEADROOM_STEP_BENCHMARK(withSpool);
