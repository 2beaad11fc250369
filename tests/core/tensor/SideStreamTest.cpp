// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/SideStream.h"

#include "tests/support/Refusal.h"
#include "tests/support/torch/TestDevice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

namespace headroom::tensor {
namespace {

/// Notes what it is told, in words.
class NotingTimeline final : public DeviceTimeline {
public:
    SideTrack addSideStream() override { return ++m_last; }
    void enterSideStream(SideTrack track) override { note("enter", track); }
    void leaveSideStream() override { notes.emplace_back("leave"); }
    void sideWaitsForCompute(SideTrack track) override { note("side waits", track); }
    void computeWaitsForSide(SideTrack track) override { note("compute waits", track); }
    void hostWaitsForSide(SideTrack track) override { note("host waits", track); }
    void hostWaits() override { notes.emplace_back("host waits for all"); }
    void transferBegins(TransferDirection direction, Bytes bytes, TransferWait wait) override
    {
        notes.push_back(std::to_string(bytes) + (direction == TransferDirection::ToHost ? " to host" : " to device")
            + (wait == TransferWait::Blocking ? ", blocking" : ""));
    }
    void transferEnds() override { notes.emplace_back("done"); }

    std::vector<std::string> notes;

private:
    void note(const char* what, SideTrack track) { notes.push_back(what + (" " + std::to_string(track))); }

    SideTrack m_last = 0;
};

TEST(SideStreamTest, onTheCpuWorkRunsBesideTheCallerInOrder)
{
    SideStream stream(at::kCPU);
    std::promise<void> gate;
    std::vector<int> order;
    std::thread::id worker;
    stream.run([&] {
        gate.get_future().wait();
        worker = std::this_thread::get_id();
        order.push_back(1);
    });
    stream.run([&] { order.push_back(2); });
    gate.set_value(); // were the work run by the caller, nobody would come here
    stream.synchronise();
    EXPECT_EQ(order, (std::vector<int>{1, 2}));
    EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(SideStreamTest, whatIsComputedAfterAWaitSeesTheWork)
{
    requireValues();
    SideStream stream(testDevice());
    for (int i = 0; i < 100; ++i) {
        const at::Tensor source = at::full({1000}, i, onTestDevice(at::kFloat));
        const at::Tensor target = at::zeros({1000}, onTestDevice(at::kFloat));
        stream.waitForCompute();
        stream.run([&] { transfer(source, target, TransferDirection::ToDevice, TransferWait::NonBlocking); });
        stream.letComputeWait();
        ASSERT_EQ(target.sum().item<double>(), 1000.0 * i);
    }
}

/// The CPU, a simulated device, and the test device.
std::vector<c10::Device> everyDevice()
{
    std::vector<c10::Device> devices{at::kCPU, at::kMeta};
    if (testDevice().is_cuda())
        devices.push_back(testDevice());
    return devices;
}

TEST(SideStreamTest, workRecordsNoGradients)
{
    for (const c10::Device device : everyDevice()) {
        SideStream stream(device);
        bool records = true;
        stream.run([&] { records = at::GradMode::is_enabled(); });
        stream.synchronise();
        EXPECT_FALSE(records);
        EXPECT_TRUE(at::GradMode::is_enabled());
    }
}

TEST(SideStreamTest, whatWorkThrowsIsThrownByTheNextWaitAndOnce)
{
    for (const c10::Device device : everyDevice()) {
        SideStream stream(device);
        bool wentOn = false;
        stream.run([] { throw std::runtime_error("first"); });
        stream.run([] { throw std::runtime_error("second"); });
        stream.run([&] { wentOn = true; });
        EXPECT_EQ(refusal<std::runtime_error>([&] { stream.synchronise(); }), "first");
        EXPECT_TRUE(wentOn);
        EXPECT_NO_THROW(stream.synchronise());
        stream.run([] { throw std::runtime_error("third"); });
        EXPECT_THROW(stream.letComputeWait(), std::runtime_error);
    }
}

TEST(SideStreamTest, itEndsWhenItsWorkIsDone)
{
    std::atomic<int> done = 0;
    {
        SideStream stream(at::kCPU);
        for (int i = 0; i < 50; ++i)
            stream.run([&] { ++done; });
        stream.run([] { throw std::runtime_error("nobody waits for this"); });
    }
    EXPECT_EQ(done, 50);
}

TEST(SideStreamTest, aSimulatedDeviceHearsOfStreamsAndWaits)
{
    NotingTimeline timeline;
    const DeviceTimeline::Activation activation(timeline);
    const at::Tensor host = at::empty({8}, at::TensorOptions().device(at::kMeta).dtype(at::kFloat));
    const at::Tensor onDevice = at::empty_like(host);
    SideStream first(at::kMeta), second(at::kMeta);
    first.waitForCompute();
    first.run([&] { transfer(host, onDevice, TransferDirection::ToDevice, TransferWait::NonBlocking); });
    second.run([&] { transfer(onDevice, host, TransferDirection::ToHost, TransferWait::Blocking); });
    first.letComputeWait();
    second.synchronise();
    EXPECT_TRUE(std::isnan(readScalar(host.sum())));
    EXPECT_THAT(timeline.notes,
        testing::ElementsAre("side waits 1", "enter 1", "32 to device", "done", "leave", "enter 2",
            "32 to host, blocking", "done", "leave", "compute waits 1", "host waits 2", "host waits for all"));
}

TEST(SideStreamTest, realDevicesTellNoTimeline)
{
    NotingTimeline timeline;
    const DeviceTimeline::Activation activation(timeline);
    requireValues();
    const at::Tensor source = at::arange(4, at::kFloat), target = at::zeros({4}, onTestDevice(at::kFloat));
    SideStream stream(testDevice());
    stream.run([&] { transfer(source, target, TransferDirection::ToDevice, TransferWait::Blocking); });
    stream.synchronise();
    EXPECT_EQ(readScalar(target.sum()), 6.0);
    EXPECT_THAT(timeline.notes, testing::IsEmpty());
}

} // namespace
} // namespace headroom::tensor
