// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/WorkerSession.h"
#include "core/base/Error.h"
#include "tests/experiments/run/ScriptedEnvironment.h"

#include <gmock/gmock.h>

#include <thread>

namespace headroom::experiments {
namespace {

using namespace std::chrono_literals;
using protocol::RequestKind;
using protocol::WorkerEvent;

protocol::WorkerRequest request(std::int64_t id)
{
    config::Trial trial;
    trial.configuration = config::defaultConfiguration("ffn-stack-tiny", "test");
    return {.kind = RequestKind::Run, .id = id, .trial = trial, .repeat = 0, .spoolPath = {}};
}

class WorkerSessionTest : public ScriptedEnvironment {
protected:
    protocol::RepeatResult resultOf(const std::string& text, const Patience& patience = {})
    {
        script(text);
        WorkerSession session(worker());
        const auto result = session.carryOut(request(1), patience, {});
        m_usable = session.isUsable();
        return result;
    }

    bool m_usable = true;
};

TEST_F(WorkerSessionTest, followsARequestToItsOutcome)
{
    WorkerSession session(worker());
    std::vector<protocol::EventKind> kinds;
    const auto result =
        session.carryOut(request(5), {}, [&](const WorkerEvent& event) { kinds.push_back(event.kind); });
    using enum protocol::EventKind;
    EXPECT_EQ(result.outcome, Outcome::Completed);
    EXPECT_EQ(result.stepSeconds, std::vector<double>(5, 0.5));
    EXPECT_THAT(kinds,
        testing::ElementsAre(
            Phase, Phase, Progress, Sample, Sample, Sample, Sample, Sample, protocol::EventKind::Outcome));
    EXPECT_EQ(session.hello()->torchVersion, "2.11.0");
    EXPECT_EQ(session.finish(), "");
    EXPECT_THAT(logged("end"), testing::SizeIs(1));
}

TEST_F(WorkerSessionTest, servesSeveralRequests)
{
    WorkerSession session(worker());
    EXPECT_EQ(session.carryOut(request(1), {}, {}).outcome, Outcome::Completed);
    EXPECT_EQ(session.carryOut(request(2), {}, {}).outcome, Outcome::Completed);
    EXPECT_THAT(logged("start"), testing::SizeIs(1));
}

// A process cannot be given more than it began with.
TEST_F(WorkerSessionTest, aRequestThatNeedsMoreIsServedByAnotherWorkerWithTheRightsOfBoth)
{
    WorkerSession session(worker());
    const auto reading = [](std::int64_t id, const std::string& weights) {
        protocol::WorkerRequest result = request(id);
        if (!weights.empty())
            result.trial->configuration.modelFields["weights"] = weights;
        return result;
    };
    std::int64_t id = 0;
    for (const char* weights : {"", "/a.safetensors", "", "/b.safetensors", "/a.safetensors", "/b.safetensors"})
        EXPECT_EQ(session.carryOut(reading(++id, weights), {}, {}).outcome, Outcome::Completed);
    EXPECT_THAT(logged("rights"),
        testing::ElementsAre(
            "rights", "rights --read /a.safetensors", "rights --read /a.safetensors --read /b.safetensors"));
    EXPECT_EQ(session.finish(), "");
}

TEST_F(WorkerSessionTest, aWorkerOfAGpuHasAFolderOfItsOwnThatGoesWithIt)
{
    {
        WorkerSession session(worker());
        session.describe({});
        EXPECT_TRUE(session.rights().usesGpu);
        EXPECT_TRUE(std::filesystem::is_directory(session.rights().spoolFolder));
    }
    const std::vector<std::string> told = logged("rights");
    ASSERT_THAT(told, testing::SizeIs(1));
    EXPECT_THAT(told[0], testing::MatchesRegex("rights --spool /.* --gpu"));
    EXPECT_FALSE(std::filesystem::exists(told[0].substr(15, told[0].size() - 15 - 6)));
}

TEST_F(WorkerSessionTest, aKilledWorkerIsAFailureWithSignalAndPhase)
{
    const auto result = resultOf("kill");
    EXPECT_EQ(result.outcome, Outcome::Failed);
    EXPECT_EQ(result.phase, "forward");
    EXPECT_EQ(result.reason,
        "worker ended with signal 9 (SIGKILL), perhaps by the system for want of memory, in phase forward");
    EXPECT_FALSE(m_usable);
    EXPECT_EQ(resultOf("segv").reason, "worker ended with signal 11 (SIGSEGV) in phase forward");
}

TEST_F(WorkerSessionTest, anEarlyExitIsAFailureWithCodeAndLog)
{
    EXPECT_EQ(resultOf("exit").reason, "worker ended with exit code 7 in phase forward");
    EXPECT_EQ(resultOf("log").reason,
        "worker ended with exit code 1 in phase forward; its log ends: first line | something went wrong");
}

TEST_F(WorkerSessionTest, whatADeadWorkerLeftBehindDoesNotHoldItsPipesOpen)
{
    EXPECT_EQ(resultOf("leave_child").reason,
        "worker ended with exit code 1 in phase forward; its log ends: first line | something went wrong");
}

TEST_F(WorkerSessionTest, aHangIsTimedOutWithItsPhase)
{
    const auto result = resultOf("hang", {.timeout = 300ms});
    EXPECT_EQ(result.outcome, Outcome::TimedOut);
    EXPECT_EQ(result.phase, "forward");
    EXPECT_EQ(result.reason, "worker killed: no result within 0.3 s in phase forward");
    EXPECT_FALSE(m_usable);
}

TEST_F(WorkerSessionTest, aWorkerThatNeverGreetsIsTimedOutAtItsStart)
{
    const auto result = resultOf("mute", {.timeout = 200ms});
    EXPECT_EQ(result.outcome, Outcome::TimedOut);
    EXPECT_EQ(result.phase, "start");
}

TEST_F(WorkerSessionTest, garbageIsAFailureThatShowsIt)
{
    const auto result = resultOf("garbage");
    EXPECT_EQ(result.outcome, Outcome::Failed);
    EXPECT_EQ(result.reason,
        "worker killed: it broke the protocol: worker event: not JSON: Segmentation what? (valid: one JSON object per "
        "line) in phase forward");
    EXPECT_FALSE(m_usable);
}

TEST_F(WorkerSessionTest, reasonsAreValidUtf8WhateverTheWorkerWrites)
{
    EXPECT_NO_THROW(protocol::toJson(resultOf("binary")).dump());
}

TEST_F(WorkerSessionTest, anotherProtocolVersionIsRefused)
{
    const auto result = resultOf("version");
    EXPECT_EQ(result.outcome, Outcome::Failed);
    EXPECT_EQ(result.reason,
        "worker killed: it broke the protocol: hello: it speaks protocol version 99 (valid: 1) in phase start");
}

TEST_F(WorkerSessionTest, anOutcomeOfAnotherRequestIsRefused)
{
    EXPECT_EQ(resultOf("wrong_id").reason,
        "worker killed: it broke the protocol: worker event: an event of request 2 (valid: 1) in phase forward");
}

TEST_F(WorkerSessionTest, outOfMemoryComesFromTheWorkerAndLeavesItUsable)
{
    const auto result = resultOf("oom");
    EXPECT_EQ(result.outcome, Outcome::OutOfMemory);
    EXPECT_EQ(result.outOfMemory, (protocol::OutOfMemoryFacts{"forward", 4096, 96}));
    EXPECT_TRUE(m_usable);
}

TEST_F(WorkerSessionTest, aStopRequestKillsIt)
{
    std::stop_source stop;
    std::jthread later([&] {
        std::this_thread::sleep_for(200ms);
        stop.request_stop();
    });
    const auto result = resultOf("hang", {.stop = stop.get_token()});
    EXPECT_EQ(result.outcome, Outcome::Cancelled);
    EXPECT_EQ(result.reason, "worker killed: interrupted in phase forward");
}

TEST_F(WorkerSessionTest, aCancelledRequestLeavesTheWorkerAlive)
{
    script("obedient");
    WorkerSession session(worker());
    std::stop_source cancel;
    cancel.request_stop();
    EXPECT_EQ(session.carryOut(request(7), {.cancel = cancel.get_token()}, {}).outcome, Outcome::Cancelled);
    EXPECT_THAT(logged("cancel"), testing::ElementsAre("cancel 7"));
    EXPECT_TRUE(session.isUsable());
    EXPECT_EQ(session.finish(), "");
}

TEST_F(WorkerSessionTest, aWorkerThatDoesNotCancelIsKilled)
{
    std::stop_source cancel;
    cancel.request_stop();
    EXPECT_EQ(resultOf("hang", {.cancel = cancel.get_token()}).outcome, Outcome::Cancelled);
    EXPECT_FALSE(m_usable);
}

TEST_F(WorkerSessionTest, aCrashAfterTheResultIsARemark)
{
    script("late_crash");
    WorkerSession session(worker());
    EXPECT_EQ(session.carryOut(request(1), {}, {}).outcome, Outcome::Completed);
    EXPECT_EQ(session.finish(), "worker ended with signal 6 (SIGABRT) after its result");
}

TEST_F(WorkerSessionTest, describes)
{
    const auto description = describeWorker(worker());
    EXPECT_EQ(description.torchVersion, "2.11.0");
    EXPECT_EQ(description.details.at("answer"), 42);
    EXPECT_THROW(describeWorker("/nowhere"), FileError);
    script("version");
    EXPECT_THROW(describeWorker(worker()), TrialError);
    script("mute");
    EXPECT_THROW(describeWorker(worker(), {.timeout = 200ms}), TrialError);
}

} // namespace
} // namespace headroom::experiments
