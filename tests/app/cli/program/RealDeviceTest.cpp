// SPDX-License-Identifier: Apache-2.0
//
// A whole experiment on the test device: command line, worker, spool, workspace, report; and how trials end.
#include "tests/app/cli/program/RealDevice.h"
#include "core/base/Bytes.h"
#include "tests/app/cli/program/DocumentedKeys.h"
#include "tests/support/Waiting.h"

#include <gmock/gmock.h>

#include <csignal>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using protocol::RequestKind;
using testing::HasSubstr;
using testing::IsEmpty;

class RealDeviceTest : public RealDevice {
protected:
    // Of the second of three trials the weights alone are more than the limit.
    std::vector<std::string> sweepWithALimit() const
    {
        return {"run", "--model", "ffn-stack-tiny", "--device", device(), "--set", "model.dim=16,4096,32", "--set",
            "device.memory_limit_bytes=268435456", "--quick", "--format", "json"};
    }

    static protocol::WorkerRequest request(std::int64_t id, std::int64_t width = 16, int steps = 2)
    {
        config::Trial trial;
        trial.configuration = config::defaultConfiguration("ffn-stack-tiny", "");
        trial.configuration.modelFields["dim"] = width;
        trial.device = config::parseDevice(device(), "");
        trial.protocol.warmupSteps = 1;
        trial.protocol.maxWarmupSteps = 0;
        trial.protocol.steps = steps;
        return {.kind = RequestKind::Run, .id = id, .trial = trial};
    }
};

TEST_F(RealDeviceTest, anExperimentIsRunTracedStoredAndReported)
{
    const Ended ended = run(
        {"run", "--model", "ltx-video-tiny", "--set", "workload.step=train", "--optimizer", "adamw", "--checkpointing",
            "none,all", "--device", device(), "--quick", "--trace", "--workspace", "w.db", "--format", "json"});
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    DocumentedKeys keys("trial");
    for (const OrderedJson& trial : ended.json("trials")) {
        EXPECT_THAT(keys.undocumented(trial), IsEmpty());
        EXPECT_EQ(trial.at("outcome"), "completed") << trial.at("reason");
        EXPECT_GT(trial.at("memory").at("peak").at("allocated_bytes").get<Bytes>(), 0);
        EXPECT_GT(trial.at("speed").at("step_seconds_median").get<double>(), 0.0);
        if (trial.at("techniques").at("checkpointing") == "all") {
            EXPECT_GT(trial.at("engagement").at("checkpointing").at("blocks_recomputed").get<int>(), 0);
            if (trial.at("memory").at("source") == "rehearsed") {
                EXPECT_TRUE(trial.at("numerics").is_null());
            } else {
                EXPECT_LT(trial.at("numerics").at("grad_norm_rel_diff").get<double>(), 1e-3);
            }
        }
    }
    const Ended shown = run({"trace", "show", "checkpointing all", "--workspace", "w.db"});
    EXPECT_EQ(shown.exitCode, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("Gradients"));
    for (const char* report : {"r.html", "r.md", "r.csv", "r.json"}) {
        EXPECT_EQ(run("report w.db -o " + std::string(report)).exitCode, 0) << report;
        EXPECT_THAT(contents(report), HasSubstr(device())) << report;
    }
}

TEST_F(RealDeviceTest, outOfMemoryIsAResultAndTheNextTrialRuns)
{
    const Ended ended = run(sweepWithALimit());
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson trials = ended.json("trials");
    ASSERT_EQ(trials.size(), 3U);
    EXPECT_EQ(trials.at(0).at("outcome"), "completed") << trials.at(0).at("reason");
    EXPECT_EQ(trials.at(1).at("outcome"), "out_of_memory") << trials.at(1).at("reason");
    EXPECT_EQ(trials.at(1).at("oom").at("phase"), "load");
    EXPECT_EQ(trials.at(2).at("outcome"), "completed") << trials.at(2).at("reason");
}

TEST_F(RealDeviceTest, aWorkerThatRanOutOfMemoryRunsTheNextTrial)
{
    experiments::WorkerSession session(worker());
    protocol::WorkerRequest limited = request(1, 4096);
    limited.trial->memoryLimitBytes = 256 * kMiB;
    const protocol::RepeatResult refused = session.carryOut(limited, {}, {});
    EXPECT_EQ(refused.outcome, Outcome::OutOfMemory) << refused.reason;
    const protocol::RepeatResult second = session.carryOut(request(2), {}, {});
    EXPECT_EQ(second.outcome, Outcome::Completed) << second.reason;
    const protocol::RepeatResult third = session.carryOut(request(3, 4096), {}, {});
    EXPECT_EQ(third.outcome, Outcome::Completed) << "without the limit: " << third.reason;
    EXPECT_EQ(session.finish(), "");
}

TEST_F(RealDeviceTest, aCancelledTrialLeavesAWorkerThatRunsTheNextOne)
{
    experiments::WorkerSession session(worker());
    std::stop_source cancel;
    const auto cancelSoon = [&](const protocol::WorkerEvent& event) {
        if (event.kind == protocol::EventKind::Sample)
            cancel.request_stop();
    };
    const protocol::RepeatResult cancelled =
        session.carryOut(request(1, 256, 1000000), {.cancel = cancel.get_token()}, cancelSoon);
    EXPECT_EQ(cancelled.outcome, Outcome::Cancelled) << cancelled.reason;
    ASSERT_TRUE(session.isUsable());
    const protocol::RepeatResult next = session.carryOut(request(2), {}, {});
    EXPECT_EQ(next.outcome, Outcome::Completed) << next.reason;
    EXPECT_EQ(session.finish(), "");
}

TEST_F(RealDeviceTest, aTrialThatTakesTooLongIsTimedOutAndTheDeviceIsFree)
{
    using namespace std::chrono_literals;
    const auto outcomeOf = [](const protocol::WorkerRequest& asked, const experiments::Patience& patience) {
        experiments::WorkerSession session(worker());
        return session.carryOut(asked, patience, {}).outcome;
    };
    EXPECT_EQ(outcomeOf(request(1, 256, 1000000), {.timeout = 8s}), Outcome::TimedOut);
    EXPECT_EQ(outcomeOf(request(2), {}), Outcome::Completed);
}

TEST_F(RealDeviceTest, theFirstInterruptKeepsWhatIsFinished)
{
    const std::vector<std::string> sweep{"run", "--model", "ffn-stack-tiny", "--device", device(), "--set",
        "model.dim=16,1024", "--set", "protocol.steps=2000", "--set", "protocol.max_warmup_steps=0", "--events",
        "events.jsonl", "--format", "json"};
    const auto hasFinishedOne = [&] {
        return exists("events.jsonl") && contents("events.jsonl").find("\"trial_finished\"") != std::string::npos;
    };
    const Ended ended = run(sweep, [&](pid_t program) {
        EXPECT_TRUE(comesTrue(hasFinishedOne));
        ::kill(program, SIGINT);
    });
    EXPECT_EQ(ended.exitCode, 130) << ended.err;
    EXPECT_EQ(ended.json("trials").at(0).at("outcome"), "completed");
}

} // namespace
} // namespace headroom::cli
