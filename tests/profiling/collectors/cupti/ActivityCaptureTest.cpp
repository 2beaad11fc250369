// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/ActivityCapture.h"

#include "profiling/collectors/cuda/CudaRuntime.h"
#include "tests/support/EnvironmentVariable.h"

#include <gmock/gmock.h>

namespace headroom::collectors::cupti {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ActivityCaptureTest, whereItCannotCaptureItSaysSoAndDoesNothing)
{
    if (cudaAvailability().reason.empty())
        GTEST_SKIP() << "this machine has a device: capturing is a gpu test";
    for (int attempt = 0; attempt < 2; ++attempt) {
        ActivityCapture capture(std::chrono::steady_clock::now());
        EXPECT_EQ(capture.problem(), "CUPTI_ERROR_UNKNOWN"); // which is why the runtime is asked first
        capture.pause();
        capture.resume();
        capture.beginPass(Depth::Kernels);
        capture.deliver();
        const Capture told = capture.finish();
        EXPECT_EQ(told.records, trace::DeviceRecords{});
        EXPECT_TRUE(told.diagnostics.empty());
    }
}

TEST(ActivityCaptureTest, besideAnotherClientItDoesNotBegin)
{
    const EnvironmentVariable daemon("KINETO_USE_DAEMON", "1");
    const ActivityCapture capture(std::chrono::steady_clock::now());
    EXPECT_THAT(capture.problem(), HasSubstr("KINETO_USE_DAEMON"));
}

TEST(LossesTest, nothingLostIsNothingSaid)
{
    Losses losses;
    losses.decoded.records = 100;
    EXPECT_TRUE(sentences(losses).empty());
}

TEST(LossesTest, everyKindOfLossIsSaid)
{
    Losses losses;
    losses.droppedRecords = 3;
    losses.lostCalls = 2;
    losses.decoded.lostTimes = 5;
    losses.decoded.unknownKinds = {{11, 1}, {26, 2}};
    EXPECT_THAT(sentences(losses),
        ElementsAre(HasSubstr("3 records were dropped"), HasSubstr("2 virtual-memory calls were lost"),
            HasSubstr("5 records of kernels, copies or fills have no times"), HasSubstr("3 records are of kinds")));
}

} // namespace
} // namespace headroom::collectors::cupti
