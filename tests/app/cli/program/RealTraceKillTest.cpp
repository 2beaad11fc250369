// SPDX-License-Identifier: Apache-2.0
//
// The program or its worker is killed in the middle of a trial's trace pass.
#include "profiling/store/traces/SpoolReader.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/app/cli/program/Program.h"
#include "tests/support/Waiting.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
namespace fs = std::filesystem;

constexpr int kPatienceMs = 10'000;

constexpr int kParts = 5; // which run side by side

// Few kills prove little, and many take minutes, so only scripts/soak runs many.
int killsOfPart()
{
    return (std::getenv("HEADROOM_SOAK") != nullptr ? 1000 : 50) / kParts;
}

class RealTraceKillTest : public Program {
protected:
    void SetUp() override
    {
#ifdef REAL_WORKER
        setVariable("HEADROOM_WORKER", REAL_WORKER);
#else
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }

    // The first trial is short; the second one records a long trace from beginning to end.
    static std::vector<std::string> sweep(const std::string& workspace)
    {
        return {"run", "--model", "ffn-stack", "--set", "model.dim=64", "--set", "model.num_layers=2,3000", "--set",
            "workload.sequence_length=8", "--device", "sim:t4", "--split-ffn", "32", "--trace", "--resume", "--format",
            "jsonl", "--workspace", workspace};
    }

    std::vector<std::string> spools() const
    {
        std::vector<std::string> found;
        for (const auto& entry : fs::recursive_directory_iterator(path("")))
            if (entry.path().extension() == ".spool")
                found.push_back(entry.path());
        return found;
    }

    void waitForTheLongTrace(const std::string& workspace, pid_t program) const
    {
        const auto hasEnded = [&] {
            siginfo_t ended{};
            ::waitid(P_PID, static_cast<id_t>(program), &ended, WEXITED | WNOHANG | WNOWAIT);
            return ended.si_pid != 0;
        };
        // Trials run beside each other: the second may trace before the first is finished.
        EXPECT_TRUE(comesTrue([&] { return (isTracing(workspace) && hasStored(workspace)) || hasEnded(); }));
        EXPECT_TRUE(isTracing(workspace)) << "the first trial is stored while the second one runs";
    }

    // Whether the second trial's spool exists.
    bool isTracing(const std::string& workspace) const
    {
        const std::string ofRun = path(workspace) + ".1.";
        return std::ranges::any_of(spools(),
            [&](const std::string& spool) { return spool.starts_with(ofRun) && spool.ends_with("/2-0.spool"); });
    }

    // The one that has the second trial's spool open; nothing where it has ended.
    static std::optional<pid_t> tracingWorkerOf(pid_t program)
    {
        for (const pid_t worker : workersOf(program)) {
            std::error_code gone;
            for (const auto& file : fs::directory_iterator("/proc/" + std::to_string(worker) + "/fd", gone))
                if (fs::read_symlink(file.path(), gone).filename() == "2-0.spool")
                    return worker;
        }
        return std::nullopt;
    }

    static void expectReadable(store::TraceReader reader, std::int64_t repeat)
    {
        for (const store::TrackRow& track : reader.tracks(repeat)) {
            std::int64_t events = 0;
            reader.eachBlock(
                repeat, track.track, [&](const trace::EventBlockHeader&, std::span<const trace::AllocatorEvent> block) {
                    events += std::ssize(block);
                });
            EXPECT_EQ(events, track.events);
            const auto everything = std::numeric_limits<std::int64_t>::max() / 2;
            EXPECT_FALSE(reader.timeline(repeat, track.track, trace::Counter::Allocated, 0, everything, 100).empty());
        }
    }

    void expectWholeWorkspace(const std::string& name) const
    {
        auto workspace = store::Workspace::open(path(name), store::Access::ReadOnly);
        SQLite::Database database(path(name), SQLite::OPEN_READWRITE);
        EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
        const auto trials = workspace.trials(workspace.experiments().at(0).id);
        EXPECT_EQ(workspace.repeats(trials.at(0).id).at(0).outcome, Outcome::Completed);
        for (const auto& trial : trials)
            for (const auto& repeat : workspace.repeats(trial.id)) {
                EXPECT_TRUE(OrderedJson::accept(repeat.resultJson.value_or(""))) << trial.trialId;
                expectReadable(workspace.trace(), repeat.id);
            }
    }

    void expectReadableSpools() const
    {
        for (const std::string& file : spools()) {
            // A worker whose program has died keeps writing until it notices.
            SQLite::Database database(file, SQLite::OPEN_READWRITE, kPatienceMs);
            EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
            if (database.execAndGet("PRAGMA user_version").getInt() == 0)
                continue; // killed before its first transaction
            store::SpoolReader spool(file);
            expectReadable(spool.trace(), store::kSpoolRepeat);
        }
    }
};

class RealTraceKills : public RealTraceKillTest, public testing::WithParamInterface<int> { };

TEST_P(RealTraceKills, leaveTheWorkspaceAndTheSpoolWhole)
{
    std::mt19937 random(static_cast<unsigned>(50 + GetParam()));
    int hits = 0;
    for (int kill = 0; kill < killsOfPart() && !HasFailure(); ++kill) {
        const std::string workspace = std::to_string(kill) + ".db";
        const auto delay = std::chrono::microseconds(random() % 400'000);
        run(sweep(workspace), [&](pid_t program) {
            waitForTheLongTrace(workspace, program);
            std::this_thread::sleep_for(delay);
            hits += isTracing(workspace) ? 1 : 0;
            if (const auto victim = kill % 2 == 0 ? std::optional(program) : tracingWorkerOf(program))
                ::kill(*victim, SIGKILL);
        });
        SCOPED_TRACE("kill " + std::to_string(kill) + " after " + std::to_string(delay.count()) + " us");
        expectReadableSpools();
        expectWholeWorkspace(workspace);
        for (const auto& entry : fs::directory_iterator(path("")))
            fs::remove_all(entry.path());
    }
    EXPECT_GT(hits, killsOfPart() / 2) << "the kills come too late";
}

INSTANTIATE_TEST_SUITE_P(Parts, RealTraceKills, testing::Range(0, kParts));

// The disk has room for the spool but not for importing it into the workspace.
TEST_F(RealTraceKillTest, aDiskThatIsFullAtTheImportEndsTheRunAndLosesNothing)
{
    ASSERT_EQ(run(sweep("0.db")).exitCode, 0);
    const auto room = static_cast<rlim_t>(fs::file_size(path("0.db"))) + 64 * 1024;
    beforeStart([room] {
        const rlimit limit{room, room};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    });
    auto again = sweep("0.db");
    std::erase(again, "--resume");
    const Ended ended = run(again);
    // If the results fit, only the traces are lost; either way a message says so.
    EXPECT_TRUE(ended.exitCode == 5 || ended.exitCode == 0) << ended.err;
    EXPECT_NE(ended.err.find(ended.exitCode == 5 ? "0.db" : "the trace is not kept"), std::string::npos) << ended.err;
    expectWholeWorkspace("0.db");
    auto workspace = store::Workspace::open(path("0.db"), store::Access::ReadOnly);
    EXPECT_EQ(workspace.tallies().at(1).reached, 2);
    EXPECT_TRUE(spools().empty());
}

// The worker has no room for its spool; the trial's figures must survive.
TEST_F(RealTraceKillTest, aSpoolThatCannotBeMadeCostsTheTraceAndNotTheTrial)
{
    write("small-worker", "#!/bin/sh\nulimit -f 8\nexec \"$REAL\" \"$@\"\n");
    fs::permissions(path("small-worker"), fs::perms::owner_all);
#ifdef REAL_WORKER
    setVariable("REAL", REAL_WORKER);
#endif
    setVariable("HEADROOM_WORKER", path("small-worker"));
    const Ended ended = run("run --model ffn-stack-tiny --device sim:t4,cpu --quick --trace --format json");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_NE(ended.err.find("the trace is incomplete"), std::string::npos) << ended.err;
    for (const OrderedJson& trial : ended.json("trials"))
        EXPECT_EQ(trial.at("outcome"), "completed") << trial.at("reason");
    EXPECT_TRUE(spools().empty());
}

TEST_F(RealTraceKillTest, aHangUpInATracePassLeavesNoSpool)
{
    const Ended ended = run(sweep("0.db"), [&](pid_t program) {
        waitForTheLongTrace("0.db", program);
        ::kill(program, SIGHUP);
    });
    EXPECT_EQ(ended.exitCode, 130) << ended.err;
    EXPECT_TRUE(spools().empty());
    expectWholeWorkspace("0.db");
}

TEST_F(RealTraceKillTest, theSpoolOfAKilledRunGoesWithTheNextRunOfAnything)
{
    run(sweep("0.db"), [&](pid_t program) {
        waitForTheLongTrace("0.db", program);
        ::kill(program, SIGKILL);
    });
    EXPECT_FALSE(spools().empty());
    const Ended doctor = run("doctor --workspace 0.db --format json");
    EXPECT_NE(doctor.out.find("1 left by killed runs"), std::string::npos) << doctor.out;
    EXPECT_EQ(run("run --model ffn-stack-tiny --device sim:t4 --workspace 0.db").exitCode, 0);
    EXPECT_TRUE(spools().empty());
}

// The second of two runs of one experiment is refused, so neither takes the other's spools.
TEST_F(RealTraceKillTest, aRunThatIsResumedWhileItRunsKeepsAllItsTraces)
{
    const std::vector<std::string> command{"run", "llama-checkpointing", "--device",
        "sim:a100-80gb,sim:h100-80gb,sim:rtx4090", "--trace", "--workspace", "t.db", "--format", "json", "--resume"};
    Ended second;
    const Ended first = run(command, [&](pid_t program) {
        siginfo_t ended{};
        while (spools().empty() && ended.si_pid == 0)
            ::waitid(P_PID, static_cast<id_t>(program), &ended, WEXITED | WNOHANG | WNOWAIT);
        second = run(command);
    });
    EXPECT_EQ(first.exitCode, 0) << first.err;
    EXPECT_EQ(second.exitCode, 5) << second.err;
    auto workspace = store::Workspace::open(path("t.db"), store::Access::ReadOnly);
    EXPECT_EQ(workspace.traceBytes().size(), first.json("trials").size());
    EXPECT_TRUE(workspace.experimentDiagnostics(1).empty());
    EXPECT_TRUE(spools().empty());
}

TEST_F(RealTraceKillTest, aKilledTracePassIsRunAgainAndLeavesNothingBehind)
{
    run(sweep("0.db"), [&](pid_t program) {
        waitForTheLongTrace("0.db", program);
        ::kill(program, SIGKILL);
    });
    EXPECT_FALSE(spools().empty());
    const Ended ended = run(sweep("0.db"));
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    expectWholeWorkspace("0.db");
    EXPECT_TRUE(spools().empty());
    for (const std::string& line : linesOf(ended.out)) {
        const OrderedJson record = OrderedJson::parse(line);
        if (record.contains("trial_id")) {
            EXPECT_EQ(record.at("outcome"), "completed") << line;
        }
    }
}

} // namespace
} // namespace headroom::cli
