// SPDX-License-Identifier: Apache-2.0
//
// The technique in steps of a workload.
#include "core/techniques/ema/Ema.h"

#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/StepHookLists.h"
#include "tests/core/techniques/ema/EmaSample.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

namespace headroom::techniques {
namespace {

/// A model that is trained with the technique as StepRunner would, with plain gradient descent.
class Training {
public:
    explicit Training(const EmaChoice& choice, c10::ScalarType type = at::kFloat, std::uint64_t seed = 11)
        : ema(choice.setting())
    {
        at::manual_seed(seed);
        const config::Configuration configuration = config::defaultConfiguration("ffn-stack-tiny", "");
        model = models::buildModel(configuration, onTestDevice(type));
        inputs = models::makeInputs(configuration, onTestDevice(type));
        freezeOne();
        hooks.append("ema", ema.apply(*model));
    }

    void step(int microSteps = 1)
    {
        hooks.beginStep();
        for (int micro = 0; micro < microSteps; ++micro) {
            models::Inputs batch = inputs;
            hooks.prepareInputs(batch);
            const at::Tensor loss = model->forward(batch).square().mean();
            loss.backward();
            hooks.microStepDone(loss.detach());
        }
        {
            const torch::NoGradGuard noGradients;
            for (at::Tensor parameter : model->parameters())
                if (parameter.grad().defined()) {
                    parameter.add_(parameter.grad(), -0.3);
                    parameter.mutable_grad() = at::Tensor();
                }
        }
        parametersUpdated();
        hooks.updateDone({});
    }
    void parametersUpdated()
    {
        for (const UpdatePhase& phase : hooks.parametersUpdated)
            phase.run();
    }
    Training& steps(int count)
    {
        for (int i = 0; i < count; ++i)
            step();
        return *this;
    }

    Ema ema;
    StepHookLists hooks;
    std::shared_ptr<models::Model> model;
    models::Inputs inputs;

private:
    void freezeOne() { model->parameters().front().requires_grad_(false); }
};

Tensors shadowAfter(const EmaChoice& choice, int steps)
{
    Training training(choice);
    return clones(training.steps(steps).ema.states().front().shadow());
}

TEST(EmaTest, everyPlacementFollowsTheTrainingAlike)
{
    for (const std::string& mode : everyMode()) {
        const Tensors expected = shadowAfter({"device", {{"mode", mode}}}, 7);
        for (const EmaChoice& placement : everyPlacement())
            EXPECT_TRUE(allEqual(shadowAfter(placement.with("mode", mode), 7), expected)) << placement.text() << mode;
    }
}

// The reference by itself: the same parameters, step by step, in the words of the formula.
TEST(EmaTest, theShadowIsTheFormulas)
{
    Training training({"device", {{"decay", 0.3}}});
    Tensors expected = clones(training.model->parameters());
    for (int step = 1; step <= 5; ++step) {
        training.step();
        const double weight = 1 - config::EmaSchedule{.decay = 0.3}.decayAt(step);
        const torch::NoGradGuard noGradients;
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected[i].sub_(at::mul(expected[i] - training.model->parameters()[i], weight));
    }
    EXPECT_TRUE(allEqual(training.ema.states().front().shadow(), expected));
}

TEST(EmaTest, everyOptionOfTheScheduleChangesTheShadow)
{
    requireValues();
    const Tensors plain = shadowAfter({"device"}, 6);
    const std::pair<const char*, config::Value> options[]{
        {"decay", 0.1}, {"min_decay", 0.9}, {"update_after_step", 3}, {"use_ema_warmup", true}, {"interval", 2}};
    for (const auto& [name, value] : options)
        EXPECT_FALSE(allEqual(shadowAfter({"device", {{name, value}}}, 6), plain)) << name;
    const EmaChoice warm{"device", {{"use_ema_warmup", true}}};
    const Tensors warmed = shadowAfter(warm, 6);
    EXPECT_FALSE(allEqual(shadowAfter(warm.with("power", 0.9), 6), warmed));
    EXPECT_FALSE(allEqual(shadowAfter(warm.with("inv_gamma", 3), 6), warmed));
}

TEST(EmaTest, anIntervalLeavesOutOptimizerUpdatesAndTheDecayCountsTheOthers)
{
    for (const char* notation : {"device", "host:async"}) {
        Training training({notation, {{"interval", 3}}});
        std::int64_t updates = 0;
        for (int step = 1; step <= 10; ++step) {
            training.step();
            if (notation == std::string("device")) {
                EXPECT_EQ(training.ema.counters().at("updates"), step % 3 == 0 ? 1 : 0) << step;
            }
            updates += training.ema.counters().at("updates");
        }
        EXPECT_EQ(updates, 3) << notation;
        EXPECT_EQ(training.ema.states().front().optimizationStep(), 3);
        EXPECT_EQ(training.ema.states().front().currentDecay(), config::EmaSchedule{}.decayAt(3));
    }
}

TEST(EmaTest, severalShadowsAreThoseThatEachWouldBeAlone)
{
    for (const EmaChoice& placement : everyPlacement()) {
        Training training(placement.with("decays", config::Value::List{"0.5", "0.2", "0.9999"}));
        training.steps(5);
        std::vector<EmaModel>& states = training.ema.states();
        ASSERT_EQ(states.size(), 3U);
        const double decays[]{0.5, 0.2, 0.9999};
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_TRUE(allEqual(states[i].shadow(), shadowAfter(placement.with("decay", decays[i]), 5)))
                << placement.text() << " " << decays[i];
    }
}

TEST(EmaTest, frozenParametersAreFollowedUnlessTheyAreLeftOut)
{
    Training all({"device"}), trainable({"device", {{"parameters", "trainable"}}});
    EXPECT_EQ(all.ema.parameters().size(), all.model->parameters().size());
    EXPECT_EQ(trainable.ema.parameters().size(), all.model->parameters().size() - 1);
    Tensors shadow = clones(all.steps(3).ema.states().front().shadow());
    EXPECT_TRUE(sameNumbers(shadow.front(), all.model->parameters().front()));
    shadow.erase(shadow.begin());
    EXPECT_TRUE(allEqual(trainable.steps(3).ema.states().front().shadow(), shadow));
}

// An update on side streams belongs to the step beside which it runs; micro-steps have it beside the first.
TEST(EmaTest, countersAreThoseOfOneStep)
{
    const std::int64_t bytes = [] {
        std::int64_t sum = 0;
        for (const at::Tensor& parameter : Training({"device"}).model->parameters())
            sum += static_cast<std::int64_t>(parameter.nbytes());
        return sum;
    }();
    const std::map<std::string, std::pair<std::int64_t, std::int64_t>> expected{
        {"device", {0, 0}}, {"host", {bytes, bytes}}, {"host:cpu", {bytes, 0}}};
    for (const auto& [notation, moved] : expected) {
        Training training({notation});
        for (int step = 0; step < 3; ++step) {
            training.step(2);
            EXPECT_THAT(training.ema.counters(),
                testing::ElementsAre(testing::Pair("bytes_to_device", moved.second),
                    testing::Pair("bytes_to_host", moved.first), testing::Pair("pinned_allocations", 0),
                    testing::Pair("updates", 1)))
                << notation;
        }
    }
    Training beside({"host:async"});
    for (int step = 0; step < 3; ++step) {
        beside.step(2);
        EXPECT_EQ(beside.ema.counters().at("updates"), step == 0 ? 0 : 1);
        EXPECT_EQ(beside.ema.counters().at("bytes_to_device") > 0, step != 0);
        EXPECT_EQ(beside.ema.counters().at("pinned_allocations"), 0);
    }
    EXPECT_EQ(beside.ema.states().front().optimizationStep(), 3);
}

TEST(EmaTest, aStepThatChangesParametersBeforeAnUpdateHasReadThemIsRefused)
{
    Training training({"host:async"});
    training.step();
    EXPECT_EQ(refusal<TrialError>([&] { training.parametersUpdated(); }),
        "ema = host:async: the parameters have changed before an update has read them (valid: a step that tells of its "
        "inputs)");
}

TEST(EmaTest, saysWhatItReallyDoes)
{
    const auto effective = [](const EmaChoice& choice) { return Training(choice).ema.effective(); };
    EXPECT_EQ(effective({"off"}), "off");
    EXPECT_EQ(effective({"device"}), "a shadow of 8 parameters, 25728 bytes each, on the device, loop");
    EXPECT_EQ(effective({"host", {{"interval", 5}}}),
        "a shadow of 8 parameters, 25728 bytes each, in pinned host memory, as a whole to the device and back, "
        "non-blocking, loop, every 5 optimizer updates");
    EXPECT_EQ(effective({"host", {{"pinned", false}, {"mode", "foreach"}}}),
        "a shadow of 8 parameters, 25728 bytes each, in pageable host memory, as a whole to the device and back, "
        "blocking, "
        "foreach");
    EXPECT_EQ(effective({"host:async", {{"slice_bytes", 4096}, {"decays", config::Value::List{"0.5", "0.6"}}}}),
        "2 shadows of 8 parameters, 25728 bytes each, in pinned host memory, updated on side streams through 2 slices "
        "of "
        "4096 bytes on the device, loop");
    EXPECT_EQ(effective({"host:cpu", {{"mode", "foreach_no_temporary"}}}),
        "a shadow of 8 parameters, 25728 bytes each, in pageable host memory, updated there; parameters arrive in "
        "pageable "
        "host memory, foreach_no_temporary");
    EXPECT_TRUE(Training({"off"}).hooks.parametersUpdated.empty());
    EXPECT_EQ(Training({"host"}).hooks.parametersUpdated.size(), 1U);
}

// Where nothing can be pinned the work goes on, blocking, and says so.
TEST(EmaTest, whatCannotBePinnedIsPageableForAReason)
{
    const Tensors expected = shadowAfter({"device"}, 4);
    const tensor::PinnedAllocationScope refusing(
        [](at::IntArrayRef, const at::TensorOptions&) -> at::Tensor { TORCH_CHECK(false, "no pinned memory here"); });
    const char* reason = "pageable host memory, as pinned is not to be had: no pinned memory here";
    for (const char* notation : {"host", "host:async"}) {
        Training training({notation});
        EXPECT_THAT(training.ema.effective(), testing::HasSubstr(std::string("in ") + reason)) << notation;
        EXPECT_TRUE(allEqual(training.steps(4).ema.states().front().shadow(), expected)) << notation;
        EXPECT_EQ(training.ema.counters().at("pinned_allocations"), 0);
    }
    EXPECT_THAT(Training({"host"}).ema.effective(), testing::HasSubstr(", blocking, "));
    EXPECT_THAT(Training({"host:cpu", {{"pinned", true}}}).ema.effective(),
        testing::HasSubstr(std::string("arrive in ") + reason));
}

// What is resumed from a state knows nothing else of the run before: bit by bit what an uninterrupted run gives, decay
// included.
TEST(EmaTest, aRunThatIsResumedFromAStateEqualsAnUninterruptedOne)
{
    for (const EmaChoice& placement : everyPlacement())
        for (const std::string& mode : everyMode()) {
            const EmaChoice choice = placement.with("mode", mode);
            Training whole(choice), first(choice), second(choice, at::kFloat, 77);
            whole.steps(9);
            first.steps(4);
            const torch::NoGradGuard noGradients;
            for (std::size_t i = 0; i < first.model->parameters().size(); ++i)
                second.model->parameters()[i].copy_(first.model->parameters()[i]);
            second.inputs = first.inputs;
            second.ema.states().front().load(first.ema.states().front().state());
            const torch::AutoGradMode gradients(true);
            second.steps(5);
            EXPECT_TRUE(allEqual(second.ema.states().front().shadow(), whole.ema.states().front().shadow()))
                << choice.text();
            EXPECT_EQ(second.ema.states().front().optimizationStep(), 9);
            EXPECT_EQ(second.ema.states().front().currentDecay(), whole.ema.states().front().currentDecay());
        }
}

TEST(EmaTest, aStateOfBeforeAnyStepGivesTheSameOutput)
{
    Training training({"host:async"}), loaded({"device"}, at::kFloat, 5);
    loaded.ema.states().front().load(training.ema.states().front().state());
    loaded.ema.states().front().copyTo(loaded.ema.parameters());
    const torch::NoGradGuard noGradients;
    EXPECT_TRUE(sameNumbers(loaded.model->forward(training.inputs), training.model->forward(training.inputs)));
}

} // namespace
} // namespace headroom::techniques
