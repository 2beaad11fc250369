// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/SimulatedTimeline.h"

#include "core/memory/HostMemory.h"
#include "core/tensor/SideStream.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

using tensor::TransferDirection;
using tensor::TransferWait;

simulator::CostModel costs()
{
    return *simulator::CostModel::of(profiles().device("rtx4090"));
}

// Reads and writes so much memory that it takes `seconds`.
simulator::OpCost opOf(double seconds)
{
    return {.bytesRead = static_cast<Bytes>(seconds * costs().bytesPerSecond())};
}

Bytes bytesOf(double seconds)
{
    return static_cast<Bytes>(seconds / costs().copySeconds(1'000'000'000) * 1e9);
}

void copy(SimulatedTimeline& timeline, TransferDirection direction, double seconds, TransferWait wait)
{
    timeline.transferBegins(direction, bytesOf(seconds), wait);
    timeline.spend(opOf(100)); // what the copy consists of is no work of the device
    timeline.transferEnds();
}

constexpr double kTolerance = 1e-3; // launches take microseconds

TEST(SimulatedTimelineTest, aTransferOnASideStreamPassesBesideComputation)
{
    SimulatedTimeline timeline(costs());
    const auto side = timeline.addSideStream();
    timeline.enterSideStream(side);
    copy(timeline, TransferDirection::ToDevice, 2, TransferWait::NonBlocking);
    timeline.leaveSideStream();
    timeline.spend(opOf(3));
    EXPECT_NEAR(timeline.elapsedSeconds(), 3, kTolerance);
    timeline.computeWaitsForSide(side);
    timeline.spend(opOf(1));
    EXPECT_NEAR(timeline.elapsedSeconds(), 4, kTolerance);
}

TEST(SimulatedTimelineTest, computationWaitsForATransferThatTakesLonger)
{
    SimulatedTimeline timeline(costs());
    const auto side = timeline.addSideStream();
    timeline.enterSideStream(side);
    copy(timeline, TransferDirection::ToDevice, 5, TransferWait::NonBlocking);
    timeline.leaveSideStream();
    timeline.spend(opOf(3));
    timeline.computeWaitsForSide(side);
    timeline.spend(opOf(1));
    EXPECT_NEAR(timeline.elapsedSeconds(), 6, kTolerance);
}

TEST(SimulatedTimelineTest, aTransferThatWaitsForComputationBeginsAfterIt)
{
    SimulatedTimeline timeline(costs());
    const auto side = timeline.addSideStream();
    timeline.spend(opOf(3));
    timeline.sideWaitsForCompute(side);
    timeline.enterSideStream(side);
    copy(timeline, TransferDirection::ToHost, 2, TransferWait::NonBlocking);
    timeline.leaveSideStream();
    EXPECT_NEAR(timeline.elapsedSeconds(), 5, kTolerance);
}

TEST(SimulatedTimelineTest, aBlockingTransferKeepsTheHostWaiting)
{
    for (const auto wait : {TransferWait::Blocking, TransferWait::NonBlocking}) {
        SimulatedTimeline timeline(costs());
        const auto side = timeline.addSideStream();
        timeline.enterSideStream(side);
        copy(timeline, TransferDirection::ToDevice, 2, wait);
        timeline.leaveSideStream();
        timeline.spend(opOf(3)); // on the compute stream, which no stream waits for
        EXPECT_NEAR(timeline.elapsedSeconds(), wait == TransferWait::Blocking ? 5 : 3, kTolerance);
    }
}

TEST(SimulatedTimelineTest, aTransferOnTheComputeStreamIsInItsWay)
{
    SimulatedTimeline timeline(costs());
    copy(timeline, TransferDirection::ToDevice, 2, TransferWait::NonBlocking);
    timeline.spend(opOf(3));
    EXPECT_NEAR(timeline.elapsedSeconds(), 5, kTolerance);
}

TEST(SimulatedTimelineTest, transfersOfOneDirectionShareTheLink)
{
    for (const auto second : {TransferDirection::ToDevice, TransferDirection::ToHost}) {
        SimulatedTimeline timeline(costs());
        const auto left = timeline.addSideStream(), right = timeline.addSideStream();
        ASSERT_NE(left, right);
        timeline.enterSideStream(left);
        copy(timeline, TransferDirection::ToDevice, 2, TransferWait::NonBlocking);
        timeline.enterSideStream(right);
        copy(timeline, second, 2, TransferWait::NonBlocking);
        timeline.leaveSideStream();
        EXPECT_NEAR(timeline.elapsedSeconds(), second == TransferDirection::ToDevice ? 4 : 2, kTolerance);
    }
}

TEST(SimulatedTimelineTest, theHostWaitsForOneStreamOrForAll)
{
    for (const bool forAll : {false, true}) {
        SimulatedTimeline timeline(costs());
        const auto left = timeline.addSideStream(), right = timeline.addSideStream();
        timeline.enterSideStream(left);
        copy(timeline, TransferDirection::ToDevice, 1, TransferWait::NonBlocking);
        timeline.enterSideStream(right);
        copy(timeline, TransferDirection::ToHost, 4, TransferWait::NonBlocking);
        timeline.leaveSideStream();
        forAll ? timeline.hostWaits() : timeline.hostWaitsForSide(left);
        timeline.spend(opOf(2));
        EXPECT_NEAR(timeline.elapsedSeconds(), forAll ? 6 : 4, kTolerance);
    }
}

TEST(SimulatedTimelineTest, withoutSpeedTimeOrdersAndNoMore)
{
    SimulatedTimeline timeline(std::nullopt);
    EXPECT_FALSE(timeline.measuresTime());
    timeline.spend(opOf(3));
    const double one = timeline.elapsedSeconds();
    EXPECT_GT(one, 0);
    copy(timeline, TransferDirection::ToDevice, 2, TransferWait::Blocking);
    EXPECT_DOUBLE_EQ(timeline.elapsedSeconds(), 2 * one);
}

// The same through LibTorch's ops: an addition of 1 GiB beside a copy of 64 MiB.
double simulatedSeconds(TransferWait wait, bool waitsForResult)
{
    SimulatedInstruments instruments(profiles().parseSimulatedDevice("sim:rtx4090"), std::nullopt);
    const auto options = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);
    const at::Tensor large = at::empty({256 << 20}, options), small = at::empty({16 << 20}, options);
    const at::Tensor host = tensor::emptyOnHost({16 << 20}, at::kFloat, at::kMeta, tensor::HostMemory::Pinned).tensor;
    tensor::SideStream stream(at::kMeta);
    const auto begin = instruments.now();
    stream.run([&] { tensor::transfer(host, small, TransferDirection::ToDevice, wait); });
    if (waitsForResult)
        stream.letComputeWait();
    at::Tensor(large).add_(1);
    instruments.synchronise();
    return std::chrono::duration<double>(instruments.now() - begin).count();
}

TEST(SimulatedTimelineTest, anOverlappingTransferShortensAStepAndABlockingOneDoesNot)
{
    const double copySeconds = costs().copySeconds(64 * kMiB);
    const double hidden = simulatedSeconds(TransferWait::NonBlocking, false);
    EXPECT_NEAR(simulatedSeconds(TransferWait::Blocking, false), hidden + copySeconds, 0.02 * copySeconds);
    EXPECT_NEAR(simulatedSeconds(TransferWait::NonBlocking, true), hidden + copySeconds, 0.02 * copySeconds);
}

TEST(SimulatedTimelineTest, readingAScalarWaitsForWhatRuns)
{
    SimulatedInstruments instruments(profiles().parseSimulatedDevice("sim:rtx4090"), std::nullopt);
    const at::Tensor large = at::empty({256 << 20}, at::TensorOptions().device(at::kMeta).dtype(at::kFloat));
    const auto seconds = [&](bool reads) {
        const auto begin = instruments.now();
        tensor::SideStream stream(at::kMeta);
        const at::Tensor sum = large.sum();
        if (reads)
            tensor::readScalar(sum);
        stream.run([&] { at::Tensor(large).add_(1); });
        instruments.synchronise();
        return std::chrono::duration<double>(instruments.now() - begin).count();
    };
    const double beside = seconds(false);
    EXPECT_GT(seconds(true), 1.3 * beside) << "the sum reads half of what the addition moves";
}

TEST(SimulatedTimelineTest, hostMemoryIsNoneOfTheDevices)
{
    for (const char* device : {"cpu", "sim:cpu", "sim:rtx4090"}) {
        const config::Trial trial = trialOf(device, {}, {});
        const auto instruments = instrumentsOf(trial);
        const c10::Device home = trial.device.isSimulated() ? at::kMeta : at::kCPU;
        std::vector<LabelledEvent> events;
        instruments->observeAllocations([&](const LabelledEvent& event) { events.push_back(event); });
        const Bytes before = *instruments->current().allocated;
        {
            const auto pinned = tensor::emptyOnHost({1000}, at::kFloat, home, tensor::HostMemory::Pinned);
            const auto pageable = tensor::emptyOnHost({1000}, at::kFloat, home, tensor::HostMemory::Pageable);
            EXPECT_EQ(instruments->current().allocated, before) << device;
            EXPECT_EQ(instruments->current().hostPinned, 4096) << "rounded up as LibTorch's pinned allocator does";
            EXPECT_EQ(instruments->current().hostPageable, 4000) << device;
        }
        instruments->observeAllocations(nullptr);
        EXPECT_TRUE(events.empty()) << device;
        EXPECT_EQ(instruments->current().hostPinned, 0) << device;
        EXPECT_EQ(instruments->peak().hostPinned, 4096) << device;
        EXPECT_EQ(instruments->peak().hostPageable, 4000) << device;
        instruments->resetPeak();
        EXPECT_EQ(instruments->peak().hostPinned, 0) << device;
        EXPECT_EQ(instruments->peak().hostPageable, 0) << device;
    }
}

// A host that takes a second for each op, a byte per second, and a second per byte of fresh memory.
simulator::CostModel hostCosts()
{
    simulator::DeviceProfile device;
    device.kind = simulator::AllocatorKind::Exact;
    simulator::SpeedProfile speed;
    speed.peakFlops[static_cast<std::size_t>(simulator::MathType::Float32)] = simulator::Sourced<double>{1, ""};
    speed.bandwidthBytesPerSecond = speed.hostLinkBytesPerSecond = speed.kernelLaunchSeconds = {1, ""};
    speed.flopsFraction = speed.bandwidthFraction = {1, ""};
    speed.freshMemory = {{1, ""}, {10, ""}, {100, ""}};
    device.speed = speed;
    return *simulator::CostModel::of(device);
}

TEST(SimulatedTimelineTest, aHostThatComputesDoesOneThingAfterTheOther)
{
    SimulatedTimeline timeline(hostCosts());
    timeline.spend({.bytesRead = 3});
    EXPECT_DOUBLE_EQ(timeline.elapsedSeconds(), 4);
    timeline.spend({.launches = 0});
    EXPECT_DOUBLE_EQ(timeline.elapsedSeconds(), 5) << "a view takes the time of any op";
    timeline.holds(7);
    timeline.holds(2);
    timeline.holds(7);
    EXPECT_DOUBLE_EQ(timeline.elapsedSeconds(), 12) << "seven bytes were touched for the first time";
    timeline.transferBegins(TransferDirection::ToHost, 2, TransferWait::NonBlocking);
    timeline.transferEnds();
    timeline.spend({.launches = 0});
    EXPECT_DOUBLE_EQ(timeline.elapsedSeconds(), 16) << "a copy is work of the host";
}

TEST(SimulatedTimelineTest, aSideStreamOfAHostIsAThread)
{
    SimulatedTimeline timeline(hostCosts());
    const auto side = timeline.addSideStream();
    timeline.enterSideStream(side);
    timeline.spend({.bytesRead = 9});
    timeline.leaveSideStream();
    timeline.spend({.bytesRead = 3});
    EXPECT_DOUBLE_EQ(timeline.elapsedSeconds(), 10);
    timeline.computeWaitsForSide(side);
    timeline.spend({.bytesRead = 3});
    EXPECT_DOUBLE_EQ(timeline.elapsedSeconds(), 14);
}

} // namespace
} // namespace headroom::collectors
