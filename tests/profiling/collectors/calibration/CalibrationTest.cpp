// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/Calibration.h"

#include "core/base/Error.h"
#include "profiling/collectors/calibration/ProbeRun.h"
#include "profiling/measurement/Ending.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

#include <set>
#include <thread>

namespace headroom::collectors::calibration_test {
namespace {

using protocol::CalibrationEffort;
using testing::Gt;

class CountingListener final : public CalibrationListener {
public:
    explicit CountingListener(int most = 1000)
        : m_most(most)
    {
    }
    void measuring(const std::string&, int, int) override { ++heard; }
    bool isCancelled() override { return heard >= m_most; }

    int heard = 0;

private:
    int m_most;
};

/// Calls each program once and says that it took an eighth of a second.
class FixedTimer final : public DeviceTimer {
public:
    Timing time(const Program& program, const TimingEffort&) override
    {
        program();
        return {m_seconds, 0.5};
    }

    double m_seconds = 0.125;
};

ProbeScope shortScope()
{
    return {c10::kCPU, {c10::kFloat, c10::kBFloat16}, CalibrationEffort::Short};
}

TEST(DeviceTimerTest, theMedianAndTheSpreadOfBatches)
{
    const Timing timing = timingOf({5, 1, 2, 4, 3});
    EXPECT_DOUBLE_EQ(timing.seconds, 3);
    EXPECT_DOUBLE_EQ(timing.spread, 2.0 / 3);
    EXPECT_DOUBLE_EQ(timingOf({7}).seconds, 7);
    EXPECT_DOUBLE_EQ(timingOf({7}).spread, 0);
}

TEST(DeviceTimerTest, longCallsAreRepeatedLessOften)
{
    const TimingEffort effort{7, 4e-3, 0.4};
    EXPECT_EQ(callsOfBatch(1e-6, effort, 100'000), 4000);
    EXPECT_EQ(callsOfBatch(1e-6, effort, 200), 200);
    EXPECT_EQ(callsOfBatch(1, effort, 200), 1);
    EXPECT_EQ(batchesOf(4e-3, effort), 7);
    EXPECT_EQ(batchesOf(0.1, effort), 4);
    EXPECT_EQ(batchesOf(9, effort), 3);
}

TEST(DeviceTimerTest, theHostsTimerMeasuresOneCall)
{
    HostTimer timer;
    int calls = 0;
    const Timing timing = timer.time(
        [&] {
            ++calls;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        },
        {3, 1e-3, 0.1});
    EXPECT_GE(timing.seconds, 5e-3);
    EXPECT_EQ(calls, 5) << "one to warm up, one to see how long it takes, three batches of one";
}

TEST(RateSurveyTest, everyProbeRunsAsTheKindOfWorkThatItMeasures)
{
    FixedTimer timer;
    CountingListener listener;
    const auto rates = measureRates(shortScope(), timer, listener);
    EXPECT_EQ(listener.heard, std::ssize(rates));
    std::set<std::string> works;
    for (const protocol::CalibratedRates& table : rates) {
        works.insert(table.work);
        ASSERT_FALSE(table.points.empty()) << table.work;
        for (const protocol::CalibratedPoint& point : table.points) {
            EXPECT_GT(point.size, 0) << table.work;
            EXPECT_DOUBLE_EQ(point.perSecond, point.size / 0.125) << table.work;
            EXPECT_EQ(point.spread, 0.5);
        }
        EXPECT_TRUE(std::ranges::is_sorted(table.points, std::ranges::less_equal{}, &protocol::CalibratedPoint::size));
    }
    for (const std::string& work : simulator::workNames())
        EXPECT_TRUE(works.contains(work)) << work << " is never measured";
}

TEST(RateSurveyTest, sizesBeyondALongCallAreLeftOut)
{
    FixedTimer timer;
    timer.m_seconds = 0.5;
    CountingListener listener;
    for (const protocol::CalibratedRates& table : measureRates(shortScope(), timer, listener))
        EXPECT_EQ(table.points.size(), 1U) << table.work;
}

TEST(RateSurveyTest, aCancelledOneEnds)
{
    FixedTimer timer;
    CountingListener listener(2);
    EXPECT_THROW(measureRates(shortScope(), timer, listener), Cancelled);
    EXPECT_EQ(listener.heard, 2);
}

TEST(RateSurveyTest, theConstantsOfSpeedFollowFromRates)
{
    const auto constants = constantsOf({{"product", "float32", 8, {{1e6, 1e9, 0}, {1e9, 4e9, 0.25}}, "addmm"},
        {"product", "float32", 64, {{1e6, 3e9, 0}}, "addmm"},
        {"elementwise", "float32", 0, {{1e3, 1e9, 0.5}, {1e9, 2e9, 0}}, "add"}});
    const auto value = [&](const std::string& key) {
        const auto found = std::ranges::find(constants, key, &protocol::CalibratedConstant::key);
        return found == constants.end() ? std::nan("") : found->value;
    };
    EXPECT_DOUBLE_EQ(value("speed.peak_flops.float32"), 4e9);
    EXPECT_DOUBLE_EQ(value("speed.bandwidth_bytes_per_second"), 2e9);
    EXPECT_DOUBLE_EQ(value("speed.kernel_floor_seconds"), 1e-6);
    EXPECT_DOUBLE_EQ(value("speed.flops_fraction"), 1);
    EXPECT_TRUE(std::isnan(value("speed.peak_flops.float16")));
}

TEST(FreshMemoryProbeTest, everyFigureIsPositive)
{
    for (const protocol::CalibratedConstant& constant : measureFreshMemory(CalibrationEffort::Short))
        EXPECT_THAT(constant.value, Gt(0)) << constant.key;
}

TEST(CalibrationTest, aSimulatedDeviceIsRefused)
{
    CountingListener listener;
    EXPECT_EQ(refusal([&] { calibrate({"sim:t4", CalibrationEffort::Short}, listener); }),
        "--device: found sim:t4, and only a real device can be measured (valid: cpu, cuda:N)");
}

} // namespace
} // namespace headroom::collectors::calibration_test
