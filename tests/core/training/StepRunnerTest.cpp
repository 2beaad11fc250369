// SPDX-License-Identifier: Apache-2.0
#include "core/training/StepRunner.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "core/training/Gradients.h"
#include "tests/support/Configurations.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace headroom::training::step_runner_test {
namespace {

using config::StepKind;
using testing::ElementsAre;

class PhaseLog final : public StepObserver {
public:
    void phaseBegins(const std::string& phase, std::int64_t step) override { log("begin ", phase, step); }
    void phaseEnds(const std::string& phase, std::int64_t step) override { log("end ", phase, step); }
    std::vector<std::string> entries;

private:
    void log(const char* what, const std::string& phase, std::int64_t step)
    {
        entries.push_back(what + phase + " " + std::to_string(step));
    }
};

config::Workload workload(StepKind step, config::Loss loss = config::Loss::MeanSquare)
{
    config::Workload result = config::defaultConfiguration("ffn-stack-tiny", "").workload;
    result.step = step;
    result.loss = loss;
    return result;
}

/// A small model in float64 with its input, the same in every test.
struct Bench {
    std::shared_ptr<models::Model> model;
    at::Tensor input;
    PhaseLog phases;

    Bench()
    {
        at::manual_seed(73);
        model = models::buildModel(config::defaultConfiguration("ffn-stack-tiny", ""), onTestDevice(at::kDouble));
        input = at::randn({2, 8, 16}, onTestDevice(at::kDouble));
    }
    StepRunner runner(const config::Workload& work) { return {*model, {}, work, {{"hidden_states", input}}, phases}; }
    std::vector<at::Tensor> gradients() const
    {
        std::vector<at::Tensor> result;
        for (const at::Tensor& parameter : model->parameters())
            result.push_back(parameter.grad().clone());
        return result;
    }
};

void expectClose(const std::vector<at::Tensor>& values, const std::vector<at::Tensor>& expected, double factor = 1.0)
{
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_TRUE(closeNumbers(values[i], expected[i] * factor, 1e-12, 1e-15)) << i;
}

TEST(StepRunnerTest, inferenceMakesNoGraph)
{
    Bench bench;
    const StepOutput result = bench.runner(workload(StepKind::Inference)).run(0);
    EXPECT_FALSE(result.output.requires_grad());
    EXPECT_FALSE(result.output.grad_fn());
    EXPECT_FALSE(result.loss.defined());
    EXPECT_FALSE(bench.model->is_training());
    EXPECT_THAT(bench.phases.entries, ElementsAre("begin forward 0", "end forward 0"));
    for (const at::Tensor& parameter : bench.model->parameters())
        EXPECT_FALSE(parameter.grad().defined());
}

TEST(StepRunnerTest, theOutputIsTheModelsAndHasNoGraph)
{
    requireValues();
    Bench bench;
    const at::Tensor expected = bench.model->forward({{"hidden_states", bench.input}});
    config::Workload work = workload(StepKind::ForwardBackward);
    work.output = config::ModelOutput::Held;
    const StepOutput result = bench.runner(work).run(0);
    EXPECT_TRUE(sameNumbers(result.output, expected));
    EXPECT_FALSE(result.output.requires_grad());
    EXPECT_DOUBLE_EQ(result.loss.item<double>(), expected.square().mean().item<double>());
    EXPECT_FALSE(result.loss.requires_grad());
    EXPECT_TRUE(bench.model->is_training());
}

/// A Linear of which an observer asks, at each beginning and end of a phase, whether its output is still there.
class OutputWatch final : public models::Model, public StepObserver {
public:
    OutputWatch()
        : m_weight(register_parameter("weight", at::ones({3, 3}, onTestDevice(at::kDouble))))
    {
    }
    at::Tensor forward(const models::Inputs&) override
    {
        const at::Tensor result = at::mm(at::ones({2, 3}, onTestDevice(at::kDouble)), m_weight);
        m_output = result.storage().getWeakStorageImpl();
        return result;
    }
    std::vector<models::FeedForward*> feedForwards() override { return {}; }
    void phaseBegins(const std::string& phase, std::int64_t) override { note("begin " + phase); }
    void phaseEnds(const std::string& phase, std::int64_t) override { note("end " + phase); }
    bool isThere() const { return m_output && !m_output->expired(); }
    std::vector<std::string> seen;

private:
    void note(const std::string& what)
    {
        if (m_output)
            seen.push_back(what + (isThere() ? ": there" : ": gone"));
    }
    at::Tensor m_weight;
    std::optional<c10::weak_intrusive_ptr<c10::StorageImpl>> m_output;
};

std::vector<std::string> outputIn(StepKind step, config::ModelOutput output)
{
    OutputWatch watch;
    config::Workload work = workload(step, config::Loss::Mean); // a mean needs nothing of the output afterwards
    work.output = output;
    StepRunner runner(watch, {}, work, {}, watch);
    const StepOutput result = runner.run(0);
    EXPECT_EQ(result.output.defined(), watch.isThere());
    return watch.seen;
}

TEST(StepRunnerTest, theOutputGoesWhenTheLossIsThere)
{
    EXPECT_THAT(outputIn(StepKind::Train, config::ModelOutput::Released),
        ElementsAre("end forward: gone", "begin backward: gone", "end backward: gone", "begin optimizer: gone",
            "end optimizer: gone"));
    EXPECT_THAT(outputIn(StepKind::ForwardBackward, config::ModelOutput::Released),
        ElementsAre("end forward: gone", "begin backward: gone", "end backward: gone"));
}

TEST(StepRunnerTest, aHeldOutputStaysToTheEndOfTheStep)
{
    EXPECT_THAT(outputIn(StepKind::Train, config::ModelOutput::Held),
        ElementsAre("end forward: there", "begin backward: there", "end backward: there", "begin optimizer: there",
            "end optimizer: there"));
}

// It is what inference is for.
TEST(StepRunnerTest, theOutputOfInferenceStaysInAnyCase)
{
    for (const auto output : {config::ModelOutput::Released, config::ModelOutput::Held})
        EXPECT_THAT(outputIn(StepKind::Inference, output), ElementsAre("end forward: there"));
}

TEST(StepRunnerTest, forwardBackwardLeavesGradientsAndWeightsAlone)
{
    Bench bench, reference;
    bench.runner(workload(StepKind::ForwardBackward)).run(0);
    reference.model->forward({{"hidden_states", reference.input}}).square().mean().backward();
    expectClose(bench.gradients(), reference.gradients());
    expectClose(bench.model->parameters(), reference.model->parameters());
    EXPECT_THAT(
        bench.phases.entries, ElementsAre("begin forward 0", "end forward 0", "begin backward 0", "end backward 0"));
}

TEST(StepRunnerTest, clearedGradientsStartAnewAndKeptOnesAddUp)
{
    for (const auto clearing :
        {config::GradientClearing::SetToNone, config::GradientClearing::Zero, config::GradientClearing::Keep}) {
        Bench bench;
        config::Workload work = workload(StepKind::ForwardBackward);
        work.gradients = clearing;
        StepRunner runner = bench.runner(work);
        runner.run(0);
        const auto first = bench.gradients();
        runner.run(1);
        runner.run(2);
        expectClose(bench.gradients(), first, clearing == config::GradientClearing::Keep ? 3.0 : 1.0);
    }
}

// The mean over n equal micro-batches is the mean over the batch that holds them all.
TEST(StepRunnerTest, accumulatingEqualsOneBigStep)
{
    for (const config::Loss loss : {config::Loss::Mean, config::Loss::MeanSquare}) {
        Bench micro, big;
        config::Workload work = workload(StepKind::ForwardBackward, loss);
        big.input = at::cat({big.input, big.input, big.input}, 0);
        big.runner(work).run(0);
        work.accumulate = 3;
        micro.runner(work).run(0);
        expectClose(micro.gradients(), big.gradients());
    }
}

// Equal micro-batches have equal losses, and each counts a third.
TEST(StepRunnerTest, theLossOfSeveralMicroStepsIsSummedInOneScalar)
{
    requireValues();
    Bench single, several;
    const double expected = single.runner(workload(StepKind::ForwardBackward)).run(0).loss.item<double>();
    config::Workload work = workload(StepKind::ForwardBackward);
    work.accumulate = 3;
    StepRunner runner = several.runner(work);
    const at::Tensor first = runner.run(0).loss;
    EXPECT_NEAR(first.item<double>(), expected, 4 * 0x1p-53 * expected) << "three quotients and two sums";
    const at::Tensor second = runner.run(1).loss;
    EXPECT_EQ(second.const_data_ptr(), first.const_data_ptr()) << "cleared in place";
    EXPECT_NEAR(second.item<double>(), expected, 4 * 0x1p-53 * expected);
}

TEST(StepRunnerTest, zeroedGradientsAddUpOverMicroStepsAsDroppedOnesDo)
{
    for (const auto clearing : {config::GradientClearing::SetToNone, config::GradientClearing::Zero}) {
        Bench bench, reference;
        config::Workload work = workload(StepKind::ForwardBackward);
        reference.runner(work).run(0);
        work.accumulate = 4;
        work.gradients = clearing;
        StepRunner runner = bench.runner(work);
        runner.run(0);
        runner.run(1);
        expectClose(bench.gradients(), reference.gradients());
    }
}

TEST(StepRunnerTest, trainTakesOneStepOfGradientDescent)
{
    Bench bench, reference;
    bench.runner(workload(StepKind::Train)).run(0);
    reference.model->forward({{"hidden_states", reference.input}}).square().mean().backward();
    const auto moved = bench.model->parameters();
    const auto initial = reference.model->parameters();
    for (std::size_t i = 0; i < moved.size(); ++i)
        EXPECT_TRUE(closeNumbers(moved[i].detach(), (initial[i] - 1e-3 * initial[i].grad()).detach(), 1e-13, 1e-15));
}

TEST(StepRunnerTest, clippingLimitsTheJointNorm)
{
    requireValues();
    Bench plain, clipped;
    config::Workload work = workload(StepKind::ForwardBackward);
    plain.runner(work).run(0);
    const double norm = gradientNorm(plain.model->parameters()).item<double>();
    work.clipGradNorm = norm / 4;
    clipped.runner(work).run(0);
    expectClose(clipped.gradients(), plain.gradients(), norm / 4 / (norm + 1e-6));
}

TEST(StepRunnerTest, phasesComeInOrderWithTheStepsNumber)
{
    Bench bench;
    config::Workload work = workload(StepKind::Train);
    work.accumulate = 2;
    work.clipGradNorm = 1.0;
    bench.runner(work).run(7);
    EXPECT_THAT(bench.phases.entries,
        ElementsAre("begin forward 7", "end forward 7", "begin backward 7", "end backward 7", "begin forward 7",
            "end forward 7", "begin backward 7", "end backward 7", "begin clip 7", "end clip 7", "begin optimizer 7",
            "end optimizer 7"));
}

TEST(StepRunnerTest, hooksAreCalledBetweenThePhases)
{
    Bench bench;
    std::vector<std::string>& log = bench.phases.entries;
    const auto note = [&log](const char* what) { return [&log, what](const auto&...) { log.emplace_back(what); }; };
    techniques::StepHookLists hooks;
    hooks.append("shadow",
        {.holdInputs = note("holdInputs"),
            .beginStep = note("beginStep"),
            .prepareInputs = note("prepareInputs"),
            .microStepDone = note("microStepDone"),
            .parametersUpdated = note("parametersUpdated"),
            .updateDone = note("updateDone")});
    config::Workload work = workload(StepKind::Train);
    work.accumulate = 2;
    StepRunner(*bench.model, hooks, work, {{"hidden_states", bench.input}}, bench.phases).run(7);
    EXPECT_THAT(log,
        ElementsAre("holdInputs", "beginStep", "begin forward 7", "prepareInputs", "end forward 7", "begin backward 7",
            "end backward 7", "microStepDone", "begin forward 7", "prepareInputs", "end forward 7", "begin backward 7",
            "end backward 7", "microStepDone", "begin optimizer 7", "end optimizer 7", "begin shadow 7",
            "parametersUpdated", "end shadow 7", "updateDone"));
}

TEST(StepRunnerTest, theTargetOfMseStaysTheSame)
{
    requireValues();
    Bench bench;
    StepRunner runner = bench.runner(workload(StepKind::ForwardBackward, config::Loss::Mse));
    const double first = runner.run(0).loss.item<double>();
    EXPECT_EQ(runner.run(1).loss.item<double>(), first);
    EXPECT_GT(first, 0.5) << "a random target of variance 1 is far away";
}

TEST(StepRunnerTest, everyStepClearsTheTechniquesCounters)
{
    Bench bench;
    config::Configuration configuration = config::defaultConfiguration("ffn-stack-tiny", "");
    choose(configuration, "split_ffn", "4");
    techniques::TechniqueStack techniques(configuration);
    techniques.apply(*bench.model);
    config::Workload work = workload(StepKind::ForwardBackward);
    work.accumulate = 3;
    StepRunner runner(*bench.model, techniques.hooks(), work, {{"hidden_states", bench.input}}, bench.phases);
    runner.run(0);
    runner.run(1);
    EXPECT_EQ(techniques.counters().at("split_ffn").at("slices_run"), 3 * 2 * 4)
        << "micro-steps times layers times slices";
}

TEST(StepRunnerTest, frozenParametersGetNoGradientAndDoNotMove)
{
    Bench bench;
    at::Tensor frozen = bench.model->parameters().front();
    frozen.requires_grad_(false);
    const at::Tensor before = frozen.clone();
    StepRunner runner = bench.runner(workload(StepKind::Train));
    runner.run(0);
    EXPECT_EQ(runner.parameters().size() + 1, bench.model->parameters().size());
    EXPECT_FALSE(frozen.grad().defined());
    EXPECT_TRUE(sameNumbers(frozen, before));
}

/// Throws in its forward, or in the backward of what it gives.
class Failing final : public models::Model {
public:
    enum class Where { Forward, Backward };
    explicit Failing(Where where)
        : m_where(where)
        , m_weight(register_parameter("weight", at::ones({2}, onTestDevice(at::kDouble))))
    {
    }
    at::Tensor forward(const models::Inputs&) override
    {
        if (m_where == Where::Forward)
            throw std::domain_error("forward");
        const at::Tensor result = m_weight * 2;
        result.register_hook([](const at::Tensor& gradient) -> at::Tensor {
            static_cast<void>(gradient);
            throw std::domain_error("backward");
        });
        return result;
    }
    std::vector<models::FeedForward*> feedForwards() override { return {}; }

private:
    Where m_where;
    at::Tensor m_weight;
};

TEST(StepRunnerTest, aPhaseEndsWhenItFails)
{
    PhaseLog phases;
    Failing forward(Failing::Where::Forward);
    StepRunner first(forward, {}, workload(StepKind::Train), {}, phases);
    EXPECT_THROW(first.run(0), std::domain_error);
    EXPECT_THAT(phases.entries, ElementsAre("begin forward 0", "end forward 0"));

    phases.entries.clear();
    Failing backward(Failing::Where::Backward);
    StepRunner second(backward, {}, workload(StepKind::Train), {}, phases);
    EXPECT_THROW(second.run(1), std::domain_error);
    EXPECT_THAT(phases.entries, ElementsAre("begin forward 1", "end forward 1", "begin backward 1", "end backward 1"));
}

} // namespace
} // namespace headroom::training::step_runner_test
