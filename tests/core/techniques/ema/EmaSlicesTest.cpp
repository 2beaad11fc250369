// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/ema/EmaSlices.h"

#include "tests/core/techniques/ema/EmaSample.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/TestDevice.h"

#include <gmock/gmock.h>

namespace headroom::techniques {
namespace {

constexpr Bytes kSliceBytes = 4096;

// Elements of each parameter in the pieces, in order; pieces may not overlap in their slice.
std::vector<std::int64_t> coveredElements(const std::vector<EmaRun>& runs, const Tensors& parameters, Bytes sliceBytes)
{
    std::vector<std::int64_t> covered(parameters.size(), 0);
    for (const EmaRun& run : runs)
        for (const EmaSegment& segment : run.segments)
            for (const EmaSlice& slice : segment.slices) {
                Bytes end = 0;
                EXPECT_LE(slice.bytes, sliceBytes);
                for (const EmaPiece& piece : slice.pieces) {
                    EXPECT_EQ(piece.first, covered[piece.parameter]);
                    EXPECT_GE(piece.offset, end);
                    EXPECT_EQ(piece.offset % 64, 0);
                    covered[piece.parameter] += piece.count;
                    end = piece.offset + piece.count * static_cast<Bytes>(parameters[piece.parameter].element_size());
                }
                EXPECT_LE(end, slice.bytes);
            }
    return covered;
}

TEST(EmaSlicesTest, everyElementThatIsTrainedLiesInOneSlice)
{
    for (const c10::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16})
        for (const Bytes sliceBytes : {Bytes{64}, Bytes{100}, kSliceBytes, 64 * kMiB}) {
            const Tensors parameters = randomParameters(type);
            const std::vector<EmaRun> runs = emaRuns(parameters, sliceBytes);
            const auto covered = coveredElements(runs, parameters, sliceBytes);
            for (std::size_t i = 0; i < parameters.size(); ++i)
                EXPECT_EQ(covered[i], parameters[i].requires_grad() ? parameters[i].numel() : 0);
            ASSERT_EQ(runs.size(), 1U);
            EXPECT_EQ(runs.front().frozen.size(), 4U);
        }
}

TEST(EmaSlicesTest, smallParametersShareASliceAndLargeOnesTakeSeveral)
{
    const Tensors parameters{at::zeros({100}, onTestDevice()).requires_grad_(),
        at::zeros({200}, onTestDevice()).requires_grad_(), at::zeros({3000}, onTestDevice()).requires_grad_(),
        at::zeros({10}, onTestDevice()).requires_grad_()};
    const std::vector<EmaRun> runs = emaRuns(parameters, kSliceBytes);
    ASSERT_EQ(runs.front().segments.size(), 3U);
    EXPECT_THAT(runs.front().segments[0].parameters, testing::ElementsAre(0, 1));
    EXPECT_EQ(runs.front().segments[0].slices.size(), 1U);
    EXPECT_EQ(runs.front().segments[0].bytes, 448 + 832);
    EXPECT_EQ(runs.front().segments[1].slices.size(), 3U);
    EXPECT_EQ(runs.front().segments[1].slices[2].bytes, roundUp(12000 - 2 * kSliceBytes, 64));
    EXPECT_THAT(runs.front().segments[2].parameters, testing::ElementsAre(3));
}

// Modes with a temporary have it in the second half.
TEST(EmaSlicesTest, theDeviceHoldsTwoSlicesWhateverTheMode)
{
    const Tensors parameters{at::zeros({100000}, onTestDevice()).requires_grad_()};
    for (const auto mode : {config::EmaMode::Loop, config::EmaMode::Foreach, config::EmaMode::ForeachNoTemporary})
        EXPECT_EQ(EmaSlots(parameters, kSliceBytes, mode).slotBytes(), kSliceBytes);
    EXPECT_EQ(
        EmaSlots({at::zeros({8}, onTestDevice()).requires_grad_()}, kSliceBytes, config::EmaMode::Loop).slotBytes(),
        128);
    EXPECT_EQ(EmaSlots({at::zeros({8}, onTestDevice())}, kSliceBytes, config::EmaMode::Loop).slotBytes(), 0);
}

TEST(EmaSlicesTest, shadowsOfTheSameParametersShareTheSlices)
{
    requireValues();
    const Tensors parameters = randomParameters(at::kFloat);
    const EmaChoice choice{"host:async", {{"decays", config::Value::List{"0.5", "0.9"}}, {"slice_bytes", 4096}}};
    const config::EmaSettings settings = config::emaSettings(choice.setting());
    auto shadows = makeEmaShadows(settings, parameters);
    ASSERT_EQ(shadows.size(), 2U);
    EmaModel first(settings.schedules[0], std::move(shadows[0])), second(settings.schedules[1], std::move(shadows[1]));
    EmaModel firstAlone = emaOf({"device", {{"decay", 0.5}}}, parameters);
    EmaModel secondAlone = emaOf({"device", {{"decay", 0.9}}}, parameters);
    for (int step = 0; step < 12; ++step) {
        change(parameters, step);
        for (EmaModel* ema : {&first, &second, &firstAlone, &secondAlone})
            ema->step(parameters);
        for (EmaModel* ema : {&first, &second})
            ema->letComputeWait();
    }
    EXPECT_TRUE(allEqual(*first.state().shadow, firstAlone.shadow()));
    EXPECT_TRUE(allEqual(*second.state().shadow, secondAlone.shadow()));
    EXPECT_FALSE(allEqual(first.shadow(), second.shadow()));
}

TEST(EmaSlicesTest, bytesThatCrossAreCounted)
{
    const Tensors parameters{at::zeros({1024}, onTestDevice()).requires_grad_(), at::zeros({256}, onTestDevice())};
    for (const auto& [choice, toDevice, toHost] :
        {std::tuple{EmaChoice{"device"}, 0, 0}, {EmaChoice{"host"}, 4096 + 1024, 4096 + 1024},
            {EmaChoice{"host:async"}, 4096, 4096 + 1024}, {EmaChoice{"host:cpu"}, 0, 4096 + 1024}}) {
        EmaModel ema = emaOf(choice, parameters);
        ema.placement().clearTraffic();
        stepAndFinish(ema, parameters);
        EXPECT_EQ(ema.placement().traffic().bytesToDevice, toDevice) << choice.text();
        EXPECT_EQ(ema.placement().traffic().bytesToHost, toHost) << choice.text();
        EXPECT_EQ(ema.placement().traffic().pinnedAllocations, 0) << choice.text();
    }
}

TEST(EmaSlicesTest, pinnedMemoryIsTakenOnceWhenTheShadowIsMade)
{
    const Tensors parameters{at::zeros({1024}, onTestDevice()).requires_grad_(), at::zeros({256}, onTestDevice()),
        at::zeros({16}, onTestDevice()).requires_grad_()};
    const auto pinned = [&](const EmaChoice& choice) {
        return emaOf(choice, parameters).placement().traffic().pinnedAllocations;
    };
    EXPECT_EQ(pinned({"device"}), 0);
    EXPECT_EQ(pinned({"host"}), 3);
    EXPECT_EQ(pinned({"host", {{"pinned", false}}}), 0);
    EXPECT_EQ(pinned({"host:async"}), 2); // both that are trained share a segment
    EXPECT_EQ(pinned({"host:async", {{"pinned", false}}}), 0);
    EXPECT_EQ(pinned({"host:cpu"}), 0);
    EXPECT_EQ(pinned({"host:cpu", {{"pinned", true}}}), 2) << "one parameter arrives while another is updated";
    EXPECT_EQ(pinned({"host:cpu", {{"pinned", true}, {"mode", "foreach"}}}), 1);
}

TEST(EmaSlicesTest, parametersThatAreNotContiguousCannotBeCut)
{
    const Tensors parameters{at::zeros({4, 6}, onTestDevice()).t().requires_grad_()};
    EXPECT_EQ(refusal<TrialError>([&] { emaOf({"host:async"}, parameters); }),
        "ema = host:async: parameter 0 is not contiguous (valid: contiguous parameters, or another placement)");
}

} // namespace
} // namespace headroom::techniques
