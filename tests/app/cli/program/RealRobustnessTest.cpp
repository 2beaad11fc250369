// SPDX-License-Identifier: Apache-2.0
//
// The program with headroom-worker itself, killed, stopped and starved: finished results are kept, and the rest runs.
#include "core/base/Bytes.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/app/cli/program/Program.h"
#include "tests/support/Waiting.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>
#include <random>
#include <set>
#include <sys/resource.h>
#include <thread>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;

class RealRobustnessTest : public Program {
protected:
    void SetUp() override
    {
#ifdef REAL_WORKER
        setVariable("HEADROOM_WORKER", REAL_WORKER);
#else
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }

    // A sweep of three measured trials; the second one takes a while.
    const std::vector<std::string> m_sweep{"run", "--model", "ffn-stack-tiny", "--device", "cpu", "--set",
        "model.dim=16,256,32", "--set", "workload.sequence_length=512", "--set", "protocol.steps=20", "--events",
        "events.jsonl", "--format", "json"};

    std::size_t eventsOf(const std::string& kind) const
    {
        const auto lines = exists("events.jsonl") ? linesOf(contents("events.jsonl")) : std::vector<std::string>{};
        return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(),
            [&](const std::string& line) { return line.find("\"" + kind + "\"") != std::string::npos; }));
    }

    // Waits until the second trial is running: its start was reported and a phase of it has begun.
    void waitForTheSecondTrial() const
    {
        waitForEvents("repeat_started", 2);
        waitForEvents("phase", eventsOf("phase") + 1);
    }

    void waitForEvents(const std::string& kind, std::size_t count) const
    {
        EXPECT_TRUE(comesTrue([&] { return eventsOf(kind) >= count; }));
    }
};

pid_t waitForWorker(pid_t program)
{
    std::optional<pid_t> worker;
    EXPECT_TRUE(comesTrue([&] { return (worker = workerOf(program)).has_value(); }));
    return worker.value();
}

TEST_F(RealRobustnessTest, aKilledWorkerCostsOnlyItsTrial)
{
    const Ended ended = run(m_sweep, [&](pid_t program) {
        waitForTheSecondTrial();
        ::kill(waitForWorker(program), SIGKILL);
    });
    EXPECT_EQ(ended.exitCode, 3) << ended.err;
    const OrderedJson trials = ended.json("trials");
    EXPECT_EQ(trials.at(0).at("outcome"), "completed");
    EXPECT_EQ(trials.at(1).at("outcome"), "failed");
    EXPECT_THAT(trials.at(1).at("reason").get<std::string>(), HasSubstr("SIGKILL"));
    EXPECT_EQ(trials.at(2).at("outcome"), "completed");
}

TEST_F(RealRobustnessTest, aWorkerThatHangsIsTimedOutWithItsPhase)
{
    auto sweep = m_sweep;
    sweep.insert(sweep.end(), {"--timeout", "15"});
    const Ended ended = run(sweep, [&](pid_t program) {
        waitForTheSecondTrial();
        ::kill(waitForWorker(program), SIGSTOP);
    });
    EXPECT_EQ(ended.exitCode, 3) << ended.err;
    const OrderedJson trials = ended.json("trials");
    EXPECT_EQ(trials.at(1).at("outcome"), "timed_out");
    EXPECT_THAT(trials.at(1).at("reason").get<std::string>(), HasSubstr("phase"));
    EXPECT_EQ(trials.at(2).at("outcome"), "completed");
}

TEST_F(RealRobustnessTest, aLimitOnTheCpuIsOutOfMemoryAndTheOthersRun)
{
    auto sweep = m_sweep;
    sweep.insert(sweep.end(), {"--set", "device.memory_limit_bytes=5000000"});
    const Ended ended = run(sweep);
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson trials = ended.json("trials");
    EXPECT_EQ(trials.at(0).at("outcome"), "completed");
    EXPECT_EQ(trials.at(1).at("outcome"), "out_of_memory");
    EXPECT_EQ(trials.at(1).at("memory").at("limit_bytes"), 5000000);
    EXPECT_GT(trials.at(1).at("oom").at("missing_bytes").get<Bytes>(), 0);
    EXPECT_EQ(trials.at(2).at("outcome"), "completed");
}

TEST_F(RealRobustnessTest, aDeviceThatIsNotThereFailsAloneAndInWords)
{
    const Ended ended = run("run --model ffn-stack-tiny --device cuda:63,cpu --quick --format json");
    EXPECT_EQ(ended.exitCode, 3) << ended.err;
    const OrderedJson trials = ended.json("trials");
    EXPECT_EQ(trials.at(0).at("outcome"), "failed");
    EXPECT_THAT(trials.at(0).at("reason").get<std::string>(), HasSubstr("cuda:63"));
    EXPECT_EQ(trials.at(1).at("outcome"), "completed");
}

TEST_F(RealRobustnessTest, anInterruptedSweepIsCompletedWithoutRepeatingAnything)
{
    const Ended interrupted = run(m_sweep, [&](pid_t program) {
        waitForEvents("repeat_finished", 1);
        ::kill(program, SIGINT);
    });
    EXPECT_EQ(interrupted.exitCode, 130) << interrupted.err;
    const OrderedJson first = interrupted.json("trials").at(0);
    auto resumed = m_sweep;
    resumed.push_back("--resume");
    const Ended ended = run(resumed);
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(ended.json("trials").at(0).at("speed"), first.at("speed"));
    for (const OrderedJson& trial : ended.json("trials"))
        EXPECT_EQ(trial.at("outcome"), "completed");
}

// The program is killed twenty times somewhere in a sweep, and the next run continues from there.
TEST_F(RealRobustnessTest, killedAtTwentyRandomInstantsTheWorkspaceStaysWhole)
{
    std::mt19937 random(20);
    const std::vector<std::string> sweep{"run", "--model", "ffn-stack-tiny", "--device", "sim:t4,cpu", "--set",
        "workload.sequence_length=4,8,12,16,20,24,28,32,36,40", "--split-ffn", "off,2", "--quick", "--trace",
        "--resume", "--workspace", "killed.db", "--format", "jsonl"};
    std::set<std::string> finished;
    for (int kill = 0; kill < 20; ++kill) {
        const auto delay = std::chrono::milliseconds(random() % 900);
        run(sweep, [&](pid_t program) {
            std::this_thread::sleep_for(delay);
            if (kill == 19 && finished.empty()) { // a machine so slow that none came far
                EXPECT_TRUE(comesTrue([&] { return hasStored("killed.db"); }));
            }
            ::kill(program, SIGKILL);
        });
        if (!exists("killed.db") || std::filesystem::file_size(path("killed.db")) == 0)
            continue;
        auto workspace = store::Workspace::open(path("killed.db"), store::Access::ReadOnly);
        SQLite::Database database(path("killed.db"), SQLite::OPEN_READWRITE);
        EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
        for (const auto& experiment : workspace.experiments())
            for (const auto& trial : workspace.trials(experiment.id))
                for (const auto& repeat : workspace.repeats(trial.id)) {
                    EXPECT_TRUE(OrderedJson::accept(repeat.resultJson.value_or(""))) << trial.trialId;
                    finished.insert(trial.trialId);
                }
    }
    const Ended ended = run(sweep);
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_GT(finished.size(), 0u);
    auto workspace = store::Workspace::open(path("killed.db"), store::Access::ReadOnly);
    const auto experiment = workspace.findExperiment(std::string("adhoc"));
    ASSERT_TRUE(experiment);
    for (const auto& trial : workspace.trials(experiment->id))
        EXPECT_EQ(workspace.repeats(trial.id).size(), 1u) << trial.trialId;
}

// A baseline that does not fit says nothing about the technique, and one that fits does not determine the technique's
// peak.
TEST_F(RealRobustnessTest, whatTheComparisonNeedsIsNotWhatTheTechniqueNeeds)
{
    const std::string sweep =
        "run --model ffn-stack --device sim:t4 --split-ffn 4 --set protocol.keep_baseline_output=true "
        "--format json --set workload.sequence_length=";
    const OrderedJson fitting = run(sweep + "16384").json("trials").at(0);
    EXPECT_EQ(fitting.at("outcome"), "completed");
    EXPECT_EQ(fitting.at("memory").at("fits"), true);
    const OrderedJson failing = run(sweep + "32768").json("trials").at(0);
    EXPECT_EQ(failing.at("oom").at("phase"), "baseline");
    EXPECT_TRUE(failing.at("memory").at("fits").is_null());
}

// Outputs are compared and saved tensors counted after the measurement, so neither can invalidate it.
TEST_F(RealRobustnessTest, aLimitThatTheComparisonExceedsLeavesTheMeasurement)
{
    const std::string trial =
        "run --model ffn-stack-tiny --split-ffn 4 --set protocol.keep_baseline_output=true --device cpu "
        "--set workload.dtype=bfloat16 --set workload.sequence_length=4096 --set workload.batch=4 "
        "--format json";
    const Bytes needed =
        run(trial).json("trials").at(0).at("memory").at("whole_run_peak").at("allocated_bytes").get<Bytes>();
    const Ended ended = run(trial + " --set device.memory_limit_bytes=" + std::to_string(needed));
    EXPECT_EQ(ended.json("trials").at(0).at("outcome"), "completed") << ended.err;
}

TEST_F(RealRobustnessTest, aTraceThatCannotBeWrittenCostsTheTraceOnly)
{
    beforeStart([] {
        const rlimit limit{4 * kMiB, 4 * kMiB};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    });
    const Ended ended = run("run --model ffn-stack --set model.dim=64 --set model.num_layers=2000 --set "
                            "workload.sequence_length=8 --device sim:t4 --split-ffn 64 --trace --format json");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("the trace is "));
    EXPECT_EQ(ended.json("trials").at(0).at("outcome"), "completed");
}

TEST_F(RealRobustnessTest, simulatedPeaksHoldWithoutWarmUp)
{
    for (const char* gradients : {"zero", "keep", "set_to_none"}) {
        const Ended ended =
            run(std::string("run --model ffn-stack-tiny --device cpu,sim:cpu --set protocol.warmup_steps=0 "
                            "--set protocol.max_warmup_steps=0 "
                            "--set workload.step=forward_backward --format json --set workload.gradients=")
                + gradients);
        const OrderedJson trials = ended.json("trials");
        for (const char* figure : {"peak", "first_step_peak"})
            EXPECT_EQ(trials.at(0).at("memory").at(figure).at("allocated_bytes"),
                trials.at(1).at("memory").at(figure).at("allocated_bytes"))
                << gradients << " " << figure;
    }
}

// The stored trace has the peak that the record states, and its phases.
TEST_F(RealRobustnessTest, aTraceHoldsTheTimelineWithItsPhases)
{
    const Ended ended = run("run --model ffn-stack-tiny --device cpu,sim:cpu,sim:t4 --quick --trace --format json "
                            "--workspace traced.db");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    auto workspace = store::Workspace::open(path("traced.db"), store::Access::ReadOnly);
    for (const OrderedJson& trial : ended.json("trials")) {
        const auto row = workspace.findTrial(trial.at("trial_id").get<std::string>());
        ASSERT_TRUE(row);
        const auto repeat = workspace.repeats(row->id).at(0).id;
        ASSERT_EQ(workspace.trace().tracks(repeat).size(), 1u);
        const auto track = workspace.trace().tracks(repeat).at(0);
        Bytes peak = 0;
        for (const auto& bucket :
            workspace.timeline(repeat, track.track, trace::Counter::Allocated, 0, INT64_MAX / 2, 64))
            peak = std::max(peak, bucket.max);
        EXPECT_EQ(peak, trial.at("memory").at("peak").at("allocated_bytes").get<Bytes>()) << trial.at("device");
        const auto phases = workspace.phases(repeat);
        EXPECT_TRUE(std::any_of(phases.begin(), phases.end(), [](const auto& span) { return span.name == "forward"; }));
    }
}

} // namespace
} // namespace headroom::cli
