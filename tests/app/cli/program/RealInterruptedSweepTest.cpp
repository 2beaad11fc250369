// SPDX-License-Identifier: Apache-2.0
//
// A sweep of 40 CPU trials that is interrupted and killed at random instants, and resumed each time, ends with the same
// results as an undisturbed one, and none of them twice.
#include "profiling/store/workspace/Workspace.h"
#include "tests/app/cli/program/Program.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <random>
#include <thread>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;

constexpr int kTrials = 40;
constexpr int kInterruptions = 6;

class RealInterruptedSweepTest : public Program {
protected:
    void SetUp() override
    {
#ifndef REAL_WORKER
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }

    static std::vector<std::string> sweep(const std::string& workspace)
    {
        return {"run", "--model", "ffn-stack-tiny", "--device", "cpu", "--set",
            "workload.sequence_length=4,8,12,16,20,24,28,32,36,40", "--set", "workload.dtype=float32,bfloat16",
            "--split-ffn", "off,2", "--quick", "--trace", "--resume", "--workspace", workspace, "--format", "json"};
    }

    // Result texts by trial and repeat index; more than one text if a repeat is stored twice.
    std::map<std::pair<std::string, int>, std::vector<std::string>> stored(const std::string& workspaceFile) const
    {
        std::map<std::pair<std::string, int>, std::vector<std::string>> found;
        if (!exists(workspaceFile) || std::filesystem::file_size(path(workspaceFile)) == 0)
            return found;
        auto workspace = store::Workspace::open(path(workspaceFile), store::Access::ReadOnly);
        for (const auto& experiment : workspace.experiments())
            for (const auto& trial : workspace.trials(experiment.id))
                for (const auto& repeat : workspace.repeats(trial.id))
                    found[{trial.trialId, repeat.repeatIndex}].push_back(repeat.resultJson.value_or(""));
        return found;
    }

    std::string integrity(const std::string& file) const
    {
        SQLite::Database database(path(file), SQLite::OPEN_READWRITE);
        return database.execAndGet("PRAGMA integrity_check").getString();
    }
};

#ifdef REAL_WORKER
TEST_F(RealInterruptedSweepTest, endsWithTheSameResultsAndNothingTwice)
{
    ASSERT_EQ(run(sweep("whole.db")).exitCode, 0); // the scripted worker shows which results are expected
    const auto whole = stored("whole.db");
    ASSERT_EQ(whole.size(), static_cast<std::size_t>(kTrials));

    setVariable("HEADROOM_WORKER", REAL_WORKER);
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    RecordProperty("seed", std::to_string(seed));
    std::mt19937 random(seed);
    std::map<std::pair<std::string, int>, std::vector<std::string>> kept;
    for (int i = 0; i < kInterruptions; ++i) {
        const int signal = i % 2 == 0 ? SIGINT : SIGKILL;
        const auto delay = std::chrono::milliseconds(random() % 1500);
        const Ended ended = run(sweep("disturbed.db"), [&](pid_t program) {
            std::this_thread::sleep_for(delay);
            ::kill(program, signal);
        });
        if (ended.exitCode == 0)
            break; // all 40 were done before the signal
        EXPECT_TRUE(ended.exitCode == 130 || ended.exitCode == 128 + signal) << ended.exitCode << ended.err;
        const auto now = stored("disturbed.db");
        for (const auto& [repeat, results] : kept)
            EXPECT_EQ(now.at(repeat), results) << repeat.first << ": what was finished is measured again";
        kept = now;
    }

    const Ended ended = run(sweep("disturbed.db"));
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(ended.json("trials").size(), static_cast<std::size_t>(kTrials));
    const auto results = stored("disturbed.db");
    EXPECT_EQ(integrity("disturbed.db"), "ok");
    EXPECT_EQ(results.size(), whole.size());
    for (const auto& [repeat, texts] : whole) {
        ASSERT_TRUE(results.contains(repeat)) << repeat.first;
        EXPECT_EQ(results.at(repeat).size(), 1u) << repeat.first << " is there twice";
        EXPECT_EQ(OrderedJson::parse(results.at(repeat).front()).at("outcome"), "completed");
    }
    for (const auto& [repeat, texts] : kept)
        EXPECT_EQ(results.at(repeat), texts);
    auto workspace = store::Workspace::open(path("disturbed.db"), store::Access::ReadOnly);
    EXPECT_EQ(workspace.experiments().size(), 1u);
}
#endif

} // namespace
} // namespace headroom::cli
