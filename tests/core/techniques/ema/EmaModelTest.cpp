// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic and the state, wherever the shadow lives.
#include "core/techniques/ema/EmaModel.h"

#include "tests/core/techniques/ema/EmaSample.h"
#include "tests/reference/ReferenceFill.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

namespace headroom::techniques {
namespace {

template <typename Check> void everywhere(Check check)
{
    for (const EmaChoice& placement : everyPlacement())
        for (const std::string& mode : everyMode()) {
            const EmaChoice choice = placement.with("mode", mode);
            SCOPED_TRACE(choice.text());
            check(choice);
        }
}

std::vector<double> values(const at::Tensor& tensor)
{
    const at::Tensor doubles = onHost(tensor).to(at::kDouble).contiguous();
    return {doubles.const_data_ptr<double>(), doubles.const_data_ptr<double>() + doubles.numel()};
}

void expectNear(const at::Tensor& tensor, const std::vector<double>& expected, double tolerance)
{
    const std::vector<double> found = values(tensor);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

// models-and-techniques.md, section 11: eight or nine digits in float32; the last of them is a unit of rounding.
TEST(EmaModelTest, theShortSequenceIsTheReferences)
{
    requireValues();
    const double first[]{1.5, 2.31818175, 3.5795455, 5.25524473, 7.34115887, 9.83646393};
    const double frozen[]{3.5, 4.5, 6, 8, 10.5, 13.5};
    everywhere([&](const EmaChoice& choice) {
        const Tensors parameters{
            at::tensor({1.0F, 2.0F}).to(testDevice()).requires_grad_(), at::tensor({3.0F}).to(testDevice())};
        EmaModel ema = emaOf(choice.with("decay", 0.999), parameters);
        for (int step = 1; step <= 6; ++step) {
            const torch::NoGradGuard noGradients;
            for (const at::Tensor& parameter : parameters)
                at::Tensor(parameter).add_(0.5 * step);
            stepAndFinish(ema, parameters);
            expectNear(ema.shadow()[0], {first[step - 1], first[step - 1] + 1}, 2e-6);
            expectNear(ema.shadow()[1], {frozen[step - 1]}, 0);
        }
    });
}

TEST(EmaModelTest, theLongSequenceIsTheReferences)
{
    requireValues();
    everywhere([](const EmaChoice& choice) {
        const Tensors parameters{reference::filled({5}, 1).requires_grad_(), reference::filled({3}, 2)};
        EmaModel ema = emaOf(choice.with("use_ema_warmup", true).with("power", 0.75), parameters);
        for (std::uint32_t step = 1; step <= 50; ++step) {
            const torch::NoGradGuard noGradients;
            at::Tensor(parameters[0]).add_(reference::filled({5}, 11 + step), 0.1);
            at::Tensor(parameters[1]).add_(reference::filled({3}, 12 + step), 0.1);
            stepAndFinish(ema, parameters);
        }
        expectNear(ema.shadow()[0], {-1.2782589, -0.39071918, 0.34253484, 0.78175443, 0.29259819}, 1e-6);
        expectNear(ema.shadow()[1], {-0.62455487, -0.56831527, 0.51176453}, 1e-6);
        EXPECT_NEAR(ema.currentDecay(), 0.946817041, 5e-10);
        EXPECT_EQ(ema.optimizationStep(), 50);
    });
}

TEST(EmaModelTest, everyUpdateCountsOne)
{
    everywhere([](const EmaChoice& choice) {
        const Tensors parameters = randomParameters(at::kFloat);
        EmaModel ema = emaOf(choice, parameters);
        EXPECT_EQ(ema.optimizationStep(), 0);
        ema.step(parameters);
        EXPECT_EQ(ema.optimizationStep(), 1);
        ema.step(parameters);
        ema.step(parameters);
        EXPECT_EQ(ema.optimizationStep(), 3);
    });
}

TEST(EmaModelTest, theShadowOfUnchangedParametersEqualsThem)
{
    everywhere([](const EmaChoice& choice) {
        const Tensors parameters = randomParameters(at::kFloat);
        EmaModel ema = emaOf(choice, parameters);
        for (int step = 0; step < 5; ++step) {
            stepAndFinish(ema, parameters);
            EXPECT_TRUE(allEqual(ema.shadow(), parameters)) << step;
        }
    });
}

// The first update's decay is 0: the shadow becomes the parameters up to the rounding of s - (s - p), half a unit of
// the difference and half one of the result. From the second on it lags behind, unless they are frozen.
TEST(EmaModelTest, theShadowOfChangedParametersLagsBehindThem)
{
    requireValues();
    everywhere([](const EmaChoice& choice) {
        const Tensors parameters = randomParameters(at::kDouble);
        EmaModel ema = emaOf(choice, parameters);
        for (int step = 0; step < 5; ++step) {
            change(parameters, step);
            stepAndFinish(ema, parameters);
            for (std::size_t i = 0; i < parameters.size(); ++i) {
                const at::Tensor distance = (ema.shadow()[i] - parameters[i].detach()).abs();
                const double largest = distance.numel() == 0 ? 0 : distance.max().item<double>();
                if (!parameters[i].requires_grad() || distance.numel() == 0) {
                    EXPECT_EQ(largest, 0);
                } else if (step == 0) {
                    EXPECT_LT(largest, 1e-14);
                } else {
                    EXPECT_GT(largest, 1e-3);
                }
            }
        }
    });
}

TEST(EmaModelTest, twoRoundsGiveTwoShadows)
{
    requireValues();
    everywhere([](const EmaChoice& choice) {
        const Tensors parameters = randomParameters(at::kFloat);
        EmaModel ema = emaOf(choice, parameters);
        change(parameters);
        stepAndFinish(ema, parameters);
        const Tensors first = clones(ema.shadow());
        change(parameters, 1);
        stepAndFinish(ema, parameters);
        for (std::size_t i = 0; i < first.size(); ++i)
            EXPECT_TRUE(first[i].numel() == 0 || !sameBits(first[i], ema.shadow()[i])) << i;
    });
}

TEST(EmaModelTest, withoutDecayTheShadowIsTheNewestParameters)
{
    everywhere([](const EmaChoice& choice) {
        const Tensors parameters = randomParameters(at::kDouble);
        EmaModel ema = emaOf(choice.with("decay", 0), parameters);
        for (int step = 0; step < 4; ++step) {
            change(parameters, step);
            stepAndFinish(ema, parameters);
            for (std::size_t i = 0; i < parameters.size(); ++i)
                EXPECT_TRUE(closeNumbers(ema.shadow()[i], parameters[i].detach(), 0, 1e-14)) << i;
        }
    });
}

// Interpolation takes the parameter itself where it takes all of it.
TEST(EmaModelTest, withoutTemporaryADecayOfNoughtCopiesBitByBit)
{
    const Tensors parameters = randomParameters(at::kFloat);
    EmaModel ema = emaOf({"device", {{"mode", "foreach_no_temporary"}}}, parameters);
    change(parameters);
    stepAndFinish(ema, parameters);
    EXPECT_TRUE(allEqual(ema.shadow(), parameters));
}

// docs/techniques/ema.md, "Numerics". With u the unit roundoff and an update s' = s - w (s - p) of values up to M (so
// that the difference is up to 2 M): the difference is rounded by 2 u M, its product with w by 2 u w M more, w itself
// by 2 u w M, and the result by u M; two ways to write it differ by no more than twice the sum, 2 (1 + 6 w) u M.
// Earlier differences decay with 1 - w, so that after n updates it is at most n times as much.
TEST(EmaModelTest, modesAgreeUpToTheRoundingOfTheirArithmetic)
{
    requireValues();
    const std::pair<c10::ScalarType, double> types[]{
        {at::kDouble, std::ldexp(1, -53)}, {at::kFloat, std::ldexp(1, -24)}, {at::kBFloat16, std::ldexp(1, -8)}};
    constexpr int kSteps = 6;
    for (const auto& [type, roundoff] : types) {
        std::vector<Tensors> results;
        double largest = 0;
        for (const std::string& mode : everyMode()) {
            const Tensors parameters = randomParameters(type);
            EmaModel ema = emaOf({"device", {{"mode", mode}}}, parameters);
            for (int step = 0; step < kSteps; ++step) {
                change(parameters, step);
                stepAndFinish(ema, parameters);
                for (const at::Tensor& parameter : parameters)
                    if (parameter.numel() > 0)
                        largest = std::max(largest, parameter.detach().abs().max().to(at::kDouble).item<double>());
            }
            results.push_back(clones(ema.shadow()));
        }
        const double tolerance = kSteps * 2 * (1 + 6) * roundoff * largest;
        for (const Tensors& result : results)
            for (std::size_t i = 0; i < result.size(); ++i)
                EXPECT_TRUE(closeNumbers(result[i].to(at::kDouble), results.front()[i].to(at::kDouble), 0, tolerance))
                    << c10::toString(type) << " " << i;
    }
}

// The placement decides where the same sums are computed.
TEST(EmaModelTest, everyPlacementGivesTheSameBits)
{
    for (const c10::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16})
        for (const std::string& mode : everyMode()) {
            Tensors expected;
            for (const EmaChoice& placement : everyPlacement()) {
                const Tensors parameters = randomParameters(type);
                EmaModel ema = emaOf(placement.with("mode", mode), parameters);
                for (int step = 0; step < 4; ++step) {
                    change(parameters, step);
                    stepAndFinish(ema, parameters);
                }
                if (expected.empty())
                    expected = clones(ema.shadow());
                EXPECT_TRUE(allEqual(ema.shadow(), expected)) << placement.text() << " " << mode;
            }
        }
}

// What is enqueued reads the parameters as they were: whoever waits before a change gets what blocking would give.
TEST(EmaModelTest, anUpdateBesideTheComputationGivesTheSameBits)
{
    const auto run = [](bool waitsAtOnce) {
        const Tensors parameters = randomParameters(at::kFloat);
        EmaModel ema = emaOf({"host:async", {{"slice_bytes", 4096}}}, parameters);
        at::Tensor work = at::randn({96, 96}, onTestDevice());
        for (int step = 0; step < 20; ++step) {
            change(parameters, step);
            ema.step(parameters);
            if (waitsAtOnce)
                ema.finish();
            work = at::tanh(at::mm(work, work));
            ema.letComputeWait();
        }
        ema.finish();
        return clones(ema.shadow());
    };
    EXPECT_TRUE(allEqual(run(false), run(true)));
}

TEST(EmaModelTest, theTemporaryOfForeachIsTheListsAndTheOthersNeedLess)
{
    EXPECT_TRUE(needsTemporary(config::EmaMode::Loop));
    EXPECT_TRUE(needsTemporary(config::EmaMode::Foreach));
    EXPECT_FALSE(needsTemporary(config::EmaMode::ForeachNoTemporary));
}

TEST(EmaModelTest, parametersBecomeTheShadowAndComeBack)
{
    requireValues();
    everywhere([](const EmaChoice& choice) {
        const Tensors parameters = randomParameters(at::kFloat);
        EmaModel ema = emaOf(choice.with("decay", 0.5), parameters);
        for (int step = 0; step < 3; ++step) {
            change(parameters, step);
            stepAndFinish(ema, parameters);
        }
        const Tensors trained = clones(parameters);
        ema.store(parameters);
        ema.copyTo(parameters);
        EXPECT_TRUE(allEqual(parameters, ema.shadow()));
        EXPECT_FALSE(allEqual(parameters, trained));
        ema.restore(parameters);
        EXPECT_TRUE(allEqual(parameters, trained));
        EXPECT_EQ(refusal([&] { ema.restore(parameters); }),
            "ema: nothing is stored that could be restored (valid: store before restore)");
    });
}

TEST(EmaModelTest, aResumedRunEqualsAnUninterruptedOne)
{
    everywhere([](const EmaChoice& choice) {
        const auto trained = [&](bool interrupted) {
            const Tensors parameters = randomParameters(at::kFloat);
            auto ema = std::make_unique<EmaModel>(emaOf(choice, parameters));
            for (int step = 0; step < 8; ++step) {
                change(parameters, step);
                ema->step(parameters);
                ema->letComputeWait();
                if (!interrupted || step != 4)
                    continue;
                const EmaState state = ema->state();
                const Tensors others = randomParameters(at::kFloat);
                change(others, 99);
                auto resumed = std::make_unique<EmaModel>(emaOf(choice, others));
                resumed->load(state);
                ema = std::move(resumed);
            }
            EXPECT_EQ(ema->optimizationStep(), 8);
            return clones(*ema->state().shadow);
        };
        EXPECT_TRUE(allEqual(trained(true), trained(false)));
    });
}

TEST(EmaModelTest, theCounterThatIsNotRestoredStartsTheDecayAnew)
{
    const Tensors parameters = randomParameters(at::kFloat);
    EmaModel ema = emaOf({"device"}, parameters);
    ema.setOptimizationStep(1000);
    ema.step(parameters);
    EXPECT_EQ(ema.currentDecay(), config::EmaSchedule{}.decayAt(1001));
    ema.setOptimizationStep(0);
    ema.step(parameters);
    EXPECT_EQ(ema.currentDecay(), 0);
    EXPECT_EQ(refusal([&] { ema.setOptimizationStep(-1); }),
        "state of an EMA: optimization_step is negative (valid: an integer from 0)");
}

TEST(EmaModelTest, aStateIsTakenByValueAndItsPartsMayBeLeftOut)
{
    requireValues();
    const Tensors parameters = randomParameters(at::kFloat);
    EmaModel ema = emaOf({"device"}, parameters);
    const Tensors before = clones(ema.shadow());
    ema.load({.schedule = {.decay = 0.5}, .optimizationStep = 7});
    EXPECT_EQ(ema.schedule().decay, 0.5);
    EXPECT_EQ(ema.optimizationStep(), 7);
    EXPECT_TRUE(allEqual(ema.shadow(), before));
    Tensors others = clones(parameters);
    others[0].zero_();
    ema.load({.shadow = others});
    others[0].fill_(1);
    EXPECT_EQ(ema.shadow()[0].count_nonzero().item<std::int64_t>(), 0);
}

TEST(EmaModelTest, statesOutOfTheirRangeAreRefused)
{
    const Tensors parameters = randomParameters(at::kFloat);
    EmaModel ema = emaOf({"device"}, parameters);
    const std::pair<EmaState, const char*> cases[]{
        {{.schedule = {.decay = 1.5}}, "decay is out of range (valid: a number from 0 to 1)"},
        {{.schedule = {.minDecay = -1}}, "min_decay is out of range (valid: a number from 0 to 1)"},
        {{.schedule = {.updateAfterStep = -1}}, "update_after_step is negative (valid: an integer from 0)"},
        {{.schedule = {.invGamma = 0}}, "inv_gamma is not positive (valid: a number above 0)"},
        {{.schedule = {.power = -1}}, "power is negative (valid: a number from 0)"},
        {{.optimizationStep = -1}, "optimization_step is negative (valid: an integer from 0)"},
        {{.shadow = Tensors{parameters[0]}}, "it has another number of parameters (valid: as many as the EMA follows)"},
        {{.shadow = Tensors(parameters.size(), at::zeros({1, 2, 3}, onTestDevice()))},
            "a parameter has another shape (valid: the shapes of the parameters that the EMA follows)"}};
    for (const auto& [state, message] : cases)
        EXPECT_EQ(refusal([&, given = state] { ema.load(given); }), std::string("state of an EMA: ") + message);
    EXPECT_EQ(ema.optimizationStep(), 0);
}

// Upstream pairs lists by position and drops what is left over.
TEST(EmaModelTest, anotherNumberOfParametersIsRefused)
{
    everywhere([](const EmaChoice& choice) {
        const Tensors parameters = randomParameters(at::kFloat);
        EmaModel ema = emaOf(choice, parameters);
        EXPECT_EQ(refusal<TrialError>([&] { ema.step({parameters.begin(), parameters.end() - 1}); }),
            "ema: found 11 parameters (valid: the 12 that it was made from, in their order)");
    });
}

TEST(EmaModelTest, placementsThatPlanAheadRefuseParametersThatAreFrozenLater)
{
    for (const char* notation : {"host:async", "host:cpu"}) {
        const Tensors parameters = randomParameters(at::kFloat);
        EmaModel ema = emaOf({notation}, parameters);
        at::Tensor(parameters[0]).requires_grad_(false);
        EXPECT_EQ(refusal<TrialError>([&] { ema.step(parameters); }),
            "ema: other parameters require gradients than when the shadow was made (valid: a shadow that is made after "
            "they are frozen or not)");
    }
}

// Frozen weights that are stored in eight bits are copied as they are.
TEST(EmaModelTest, frozenParametersOfAnyDtypeAreCopied)
{
    for (const EmaChoice& placement : everyPlacement())
        for (const c10::ScalarType type : {at::kFloat8_e4m3fn, at::kFloat8_e5m2, at::kLong, at::kHalf}) {
            const at::Tensor frozen = at::randn({5, 7}, onTestDevice()).mul(3).to(type);
            const Tensors parameters{at::randn({3}, onTestDevice()).requires_grad_(), frozen};
            EmaModel ema = emaOf(placement, parameters);
            frozen.copy_(at::randn({5, 7}, onTestDevice()).mul(3).to(type));
            stepAndFinish(ema, parameters);
            EXPECT_EQ(ema.shadow()[1].scalar_type(), type);
            EXPECT_TRUE(sameNumbers(ema.shadow()[1].view(at::kByte), frozen.view(at::kByte))) << placement.text();
        }
}

} // namespace
} // namespace headroom::techniques
