// SPDX-License-Identifier: Apache-2.0
//
// Memory that a step leaves behind and the next one leaves behind again.
#include "core/memory/MemoryScopes.h"
#include "core/models/families/ModelZoo.h"
#include "core/tensor/DeviceContext.h"
#include "tests/profiling/comparisons/TracedRun.h"

#include <gtest/gtest.h>

#include <cctype>

namespace headroom::collectors {
namespace {

constexpr Bytes kLeakBytes = 4096;

config::Trial smallTrial(const std::string& device)
{
    return collectors::trialOf(device, {{"num_layers", 2}, {"dim", 32}, {"mult", 4}},
        {{"step", "train"}, {"batch", 2}, {"sequence_length", 24}});
}

// Runs steps of a trial's model by hand, with something to do after each, and tells what the trace makes of it.
class HandRun {
public:
    explicit HandRun(const std::string& device)
        : m_trial(smallTrial(device))
        , m_instruments(instrumentsOf(m_trial))
        , m_ledger(*m_instruments)
        , m_options(tensor::tensorOptions(m_trial.device, m_trial.configuration.workload.dtype))
        , m_model(models::buildModel(m_trial.configuration, m_options))
        , m_runner(*m_model, {}, m_trial.configuration.workload, models::makeInputs(m_trial.configuration, m_options),
              m_ledger)
    {
        m_runner.run(0);
    }

    protocol::MemoryBreakdown steps(int count, const std::function<void()>& afterEach)
    {
        TracePass pass(*m_instruments, m_ledger, nullptr);
        pass.addModel(*m_model);
        pass.beginSpan();
        for (int step = 0; step < count; ++step) {
            m_runner.run(step);
            afterEach();
            pass.stepEnded();
        }
        return pass.breakdown();
    }

    at::Tensor leak() const { return at::empty({kLeakBytes}, m_options.dtype(at::kByte)); }

private:
    config::Trial m_trial;
    std::unique_ptr<Instruments> m_instruments;
    PhaseLedger m_ledger;
    at::TensorOptions m_options;
    std::shared_ptr<models::Model> m_model;
    training::StepRunner m_runner;
};

class LeakTest : public testing::TestWithParam<const char*> { };

TEST_P(LeakTest, ofACategoryIsReportedByItsName)
{
    for (const auto category : {config::MemoryCategory::OptimizerState, config::MemoryCategory::Ema,
             config::MemoryCategory::UpcastCopies, config::MemoryCategory::Temporaries}) {
        HandRun run(GetParam());
        std::vector<at::Tensor> kept;
        const auto breakdown = run.steps(2, [&] {
            const tensor::MemoryScope scope(category);
            kept.push_back(run.leak());
        });
        ASSERT_EQ(breakdown.leaks.size(), 1U) << toText(category);
        EXPECT_EQ(breakdown.leaks.front().category, toText(category));
        EXPECT_EQ(breakdown.leaks.front().bytesPerStep, kLeakBytes);
    }
}

TEST_P(LeakTest, isNotWhatIsKeptOnce)
{
    HandRun run(GetParam());
    at::Tensor state;
    const auto breakdown = run.steps(2, [&] {
        const tensor::MemoryScope scope(config::MemoryCategory::OptimizerState);
        if (!state.defined())
            state = run.leak();
    });
    EXPECT_TRUE(breakdown.leaks.empty());
}

TEST_P(LeakTest, isNotToldFromOneStep)
{
    HandRun run(GetParam());
    at::Tensor kept;
    EXPECT_TRUE(run.steps(1, [&] { kept = run.leak(); }).leaks.empty());
}

INSTANTIATE_TEST_SUITE_P(Devices, LeakTest, testing::Values("cpu", "sim:cpu", "sim:a100-80gb"), [](const auto& device) {
    std::string name = device.param;
    std::erase_if(name, [](unsigned char letter) { return std::isalnum(letter) == 0; });
    return name;
});

} // namespace
} // namespace headroom::collectors
