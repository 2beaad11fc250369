// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FfnStackFamily.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

// With X the bytes of one [tokens, dim] tensor, W those of the weights and m = mult, a feed-forward needs at its peak
//   gelu and its like    h and its activation                         2 m X
//   geglu-approximate    h, 1.702 h and the sigmoid of that           3 m X
//   geglu, swiglu        value and gate, f(gate), the product         4 m X
// beside its input. The first layer's input is the stack's own; later ones have an input of their own beside it.
// In N slices the peak inside shrinks to 1 / N, and the output, X, lives beside it from the second slice on.
struct Size {
    std::int64_t layers = 2;
    std::int64_t dim = 128;
    std::int64_t batch = 2;
    std::int64_t sequence = 64;

    Bytes tensorBytes() const { return batch * sequence * dim * 4; }
    config::ValueMap fields(const std::string& activation) const
    {
        return {{"num_layers", layers}, {"dim", dim}, {"activation_fn", activation}};
    }
    Bytes weightBytes(const std::string& activation) const
    {
        const config::ModelFamily family = config::ffnStackFamily();
        return 4 * family.parameters(family.fields.complete(fields(activation), ""));
    }
    config::Trial trial(const char* device, const std::string& activation, const char* step = "inference") const
    {
        return trialOf(device, fields(activation), {{"step", step}, {"batch", batch}, {"sequence_length", sequence}});
    }
};

std::int64_t innerTensors(const std::string& activation)
{
    constexpr std::int64_t mult = 4;
    if (config::isGated(activation))
        return 4 * mult;
    return activation == "geglu-approximate" ? 3 * mult : 2 * mult;
}

Bytes derivedPeak(const Size& size, const std::string& activation, std::int64_t slices)
{
    const Bytes x = size.tensorBytes();
    const Bytes inputs = (size.layers > 1 ? 2 : 1) * x;
    const Bytes output = slices > 1 ? x : 0;
    return size.weightBytes(activation) + inputs + innerTensors(activation) * x / slices + output;
}

class DerivedBytesOfActivationsTest : public testing::TestWithParam<std::string> { };

TEST_P(DerivedBytesOfActivationsTest, thePeakIsTheClosedFormAtEverySize)
{
    const std::string& activation = GetParam();
    const Size sizes[]{{}, {.layers = 4}, {.dim = 256}, {.batch = 4}, {.sequence = 128}, {.layers = 1}};
    for (const Size& size : sizes) {
        EXPECT_EQ(peakOf(size.trial("sim:cpu", activation)), derivedPeak(size, activation, 1));
        for (const char* notation : {"4", "tokens:4"}) {
            config::Trial trial = size.trial("sim:cpu", activation);
            split(trial, notation);
            EXPECT_EQ(peakOf(trial), derivedPeak(size, activation, 4)) << notation;
        }
    }
}

// At these sizes every tensor is a multiple of the 512 bytes that blocks are rounded to.
TEST_P(DerivedBytesOfActivationsTest, aCachingDeviceAddsTheWorkspacesToTheClosedForm)
{
    EXPECT_EQ(peakOf(Size{}.trial("sim:a100-80gb", GetParam())), derivedPeak({}, GetParam(), 1) + 8519680 + kMiB);
}

INSTANTIATE_TEST_SUITE_P(
    Activations, DerivedBytesOfActivationsTest, testing::ValuesIn(config::activationKinds()), [](const auto& test) {
        std::string name = test.param;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(DerivedBytesTest, doublingTheLayersAddsTheirWeightsAndNothingElse)
{
    const Size once, twice{.layers = 4};
    EXPECT_EQ(peakOf(twice.trial("sim:cpu", "geglu")) - peakOf(once.trial("sim:cpu", "geglu")),
        twice.weightBytes("geglu") - once.weightBytes("geglu"));
}

TEST(DerivedBytesTest, doublingTheTokensDoublesAllButTheWeights)
{
    const Size once, batch{.batch = 4}, sequence{.sequence = 128};
    const Bytes weights = once.weightBytes("swiglu");
    const Bytes activations = peakOf(once.trial("sim:cpu", "swiglu")) - weights;
    EXPECT_EQ(peakOf(batch.trial("sim:cpu", "swiglu")), weights + 2 * activations);
    EXPECT_EQ(peakOf(sequence.trial("sim:cpu", "swiglu")), weights + 2 * activations);
}

// Dtypes of half the size halve everything.
TEST(DerivedBytesTest, reducedPrecisionHalvesThePeak)
{
    config::Trial trial = Size{}.trial("sim:cpu", "gelu");
    const Bytes full = peakOf(trial);
    trial.configuration.workload.dtype = config::Dtype::BFloat16;
    EXPECT_EQ(2 * peakOf(trial), full);
}

// Autograd keeps each layer's input, projection and activation, (1 + 2 m) X = 9 X, until that layer's backward, which
// leaves its weights' gradients. Here 9 X is more than a layer's weights, so the peak lies where the backward pass
// begins, and one more layer adds its weights and its 9 X.
TEST(DerivedBytesTest, eachLayerAddsItsSavedActivationsInTraining)
{
    const Size once{.layers = 2, .dim = 64, .batch = 2, .sequence = 256};
    Size twice = once;
    twice.layers = 4;
    const Bytes layerWeights = once.weightBytes("gelu") / 2;
    ASSERT_GT(9 * once.tensorBytes(), layerWeights);
    EXPECT_EQ(peakOf(twice.trial("sim:cpu", "gelu", "forward_backward"))
            - peakOf(once.trial("sim:cpu", "gelu", "forward_backward")),
        2 * (layerWeights + 9 * once.tensorBytes()));
}

// Without recomputation every slice is saved as well: splitting the channels saves nothing of what a step keeps.
TEST(DerivedBytesTest, splittingDoesNotChangeWhatAutogradSaves)
{
    const Size once{.layers = 4, .dim = 64, .batch = 2, .sequence = 256};
    Size twice = once;
    twice.layers = 8;
    config::Trial small = once.trial("sim:cpu", "gelu", "forward_backward");
    config::Trial large = twice.trial("sim:cpu", "gelu", "forward_backward");
    const Bytes plain = peakOf(large) - peakOf(small);
    split(small, "4");
    split(large, "4");
    EXPECT_EQ(peakOf(large) - peakOf(small), plain);
}

} // namespace
} // namespace headroom::collectors
