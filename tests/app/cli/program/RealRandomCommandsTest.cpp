// SPDX-License-Identifier: Apache-2.0
//
// Random commands on one workspace, three at a time, with programs and workers killed at random instants: no finished
// result is lost, nothing is stored twice, and nothing is left behind.
#include "tests/app/cli/program/Program.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <random>
#include <set>
#include <thread>

namespace headroom::cli::random_commands_test {
namespace {

using experiments::OrderedJson;
namespace fs = std::filesystem;

constexpr int kRounds = 10;
constexpr int kAtOnce = 3;

// Commands per round; scripts/soak runs enough of them to reach rare cases.
std::size_t commandCount()
{
    return std::getenv("HEADROOM_SOAK") != nullptr ? 590 : 9;
}

struct Command {
    std::vector<std::string> words;
    int killAfterMs = -1; ///< -1: not at all
    bool isWorkerKilled = false;

    std::string text() const
    {
        std::string text;
        for (const std::string& word : words)
            text += word + " ";
        return text;
    }
};

class RandomCommands {
public:
    explicit RandomCommands(unsigned seed)
        : m_random(seed)
        , m_hasKills(seed % kAtOnce != 0)
    {
    }

    Command next()
    {
        Command command{.words = draw(20) < 9 ? sweep() : other()};
        if (m_hasKills && draw(2) == 0) {
            command.killAfterMs = draw(400);
            command.isWorkerKilled = draw(3) == 0;
        }
        return command;
    }

private:
    int draw(int count) { return static_cast<int>(m_random() % static_cast<unsigned>(count)); }

    std::string oneOf(const std::vector<std::string>& values)
    {
        return values[static_cast<std::size_t>(draw(static_cast<int>(values.size())))];
    }

    std::vector<std::string> sweep()
    {
        std::vector<std::string> words{"run", "--model", "ffn-stack-tiny", "--quick", "--format", "jsonl", "--device",
            oneOf({"sim:t4", "sim:t4,sim:a100-80gb", "sim:t4,cpu"}), "--set",
            "workload.sequence_length=" + oneOf({"4,8,12,16,20", "4,8", "64"}), "--split-ffn", oneOf({"off", "off,2"})};
        words.insert(words.end(), {"--workspace", "w.db"});
        if (draw(3) != 0)
            words.push_back("--trace");
        if (words.back() == "--trace" && draw(6) == 0)
            words.insert(words.end(), {"--trace-limit", oneOf({"100KiB", "1MiB"})});
        if (draw(3) != 0)
            words.push_back("--resume");
        if (words.back() == "--resume" && draw(4) == 0)
            words.insert(words.end(), {"--shard", oneOf({"1/2", "2/2"})});
        return words;
    }

    std::vector<std::string> other()
    {
        const std::string trial = oneOf({"baseline", "split_ffn 2", "sequence_length 8 | baseline", "a", "nobody"});
        const std::string file = "out" + std::to_string(draw(1000));
        switch (draw(6)) {
        case 0:
            return {"doctor", "--workspace", "w.db"};
        case 1:
            return {"trace", "show", trial, "--workspace", "w.db"};
        case 2:
            return {"trace", "export", trial, "--as", oneOf({"chrome", "nsys", "pytorch-snapshot"}), "-o", file,
                "--workspace", "w.db"};
        case 3:
            return {"trace", "drop", draw(3) == 0 ? "--all" : trial, "--workspace", "w.db"};
        case 4:
            return {"trace", "compact", "--workspace", "w.db"};
        default:
            return {"report", "w.db", "-o", file + oneOf({".html", ".md", ".csv", ".json"})};
        }
    }

    std::mt19937 m_random;
    bool m_hasKills;
};

class RealRandomCommandsTest : public Program, public testing::WithParamInterface<int> {
protected:
    void SetUp() override
    {
#ifdef REAL_WORKER
        setVariable("HEADROOM_WORKER", REAL_WORKER);
#else
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
        fs::create_directory(path("tmp"));
        setVariable("TMPDIR", path("tmp"));
    }

    void carryOut(const Command& command)
    {
        const Ended ended = run(command.words, [&](pid_t program) {
            if (command.killAfterMs < 0)
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(command.killAfterMs));
            const pid_t victim = command.isWorkerKilled ? workerOf(program).value_or(0) : program;
            if (victim > 0)
                ::kill(victim, SIGKILL);
        });
        const std::lock_guard lock(m_mutex);
        expectSensible(command, ended);
        for (const std::string& line : linesOf(ended.out))
            if (command.words.front() == "run" && OrderedJson::accept(line)) // a kill may cut a line
                if (const OrderedJson record = OrderedJson::parse(line);
                    record.contains("trial_id") && record.at("outcome") == "completed")
                    m_completed.insert(record.at("trial_id").get<std::string>());
    }

    // Expected exit codes. 3: a worker was killed. 4: with so many commands at once, speeds are not steady. 5: another
    // command writes, or runs what was to be resumed, or the file does not exist yet.
    static void expectSensible(const Command& command, const Ended& ended)
    {
        const bool mayBeKilled = command.killAfterMs >= 0 && ended.exitCode == 128 + SIGKILL;
        const std::set<int> sensible{0, 2, command.isWorkerKilled ? 3 : 0, 4, 5};
        EXPECT_TRUE(mayBeKilled || sensible.contains(ended.exitCode))
            << ended.exitCode << " of " << command.text() << ended.err;
        if (ended.exitCode == 2 || ended.exitCode == 5) {
            EXPECT_NE(ended.err.find("headroom: error: "), std::string::npos)
                << command.text() << ended.exitCode << ended.err << ended.out;
            EXPECT_EQ(ended.err.find("damaged"), std::string::npos) << command.text() << ended.err;
        }
    }

    void expectWholeWorkspace() const
    {
        SQLite::Database database(path("w.db"), SQLite::OPEN_READWRITE);
        EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
        EXPECT_FALSE(SQLite::Statement(database, "PRAGMA foreign_key_check").executeStep());
        const auto count = [&](const std::string& sql) { return database.execAndGet(sql).getInt(); };
        EXPECT_EQ(count("SELECT count(*) FROM repeats WHERE result_json IS NULL OR NOT json_valid(result_json)"), 0);
        EXPECT_EQ(count("SELECT count(*) FROM experiments AS e WHERE NOT EXISTS "
                        "(SELECT 1 FROM trials WHERE experiment = e.id) AND command_line NOT LIKE '%--shard%'"),
            0)
            << "only a shard may have no trials";
        EXPECT_EQ(count("SELECT count(*) FROM experiments AS e JOIN trials AS t ON t.experiment = e.id "
                        "WHERE finished_at_ms IS NOT NULL AND json_extract(summary_json, '$.interrupted') = 0 "
                        "AND t.status <> 'done'"),
            0);
        EXPECT_EQ(count("SELECT count(*) FROM trials AS t WHERE (status = 'done') <> ((SELECT count(*) FROM repeats "
                        "WHERE trial = t.id AND outcome <> 'cancelled') >= expected_repeats)"),
            0);
        EXPECT_EQ(
            GetParam() % kAtOnce == 0 ? count("SELECT count(*) FROM diagnostics WHERE kind LIKE '%spool%'") : 0, 0)
            << "where nothing was killed each trace is whole";
    }

    void expectEveryCompletedTrial() const
    {
        SQLite::Database database(path("w.db"), SQLite::OPEN_READONLY);
        SQLite::Statement stored(database,
            "SELECT count(*) FROM trials AS t JOIN repeats AS r ON r.trial = t.id "
            "WHERE t.trial_id = ? AND r.outcome = 'completed'");
        for (const std::string& id : m_completed) {
            stored.bind(1, id);
            ASSERT_TRUE(stored.executeStep());
            EXPECT_GT(stored.getColumn(0).getInt(), 0) << id;
            stored.reset();
        }
    }

    void expectNothingLeftBehind() const
    {
        for (const auto& entry : fs::directory_iterator(path("tmp")))
            ADD_FAILURE() << entry.path() << " is left";
        for (const auto& entry : fs::directory_iterator(path(""))) {
            const std::string name = entry.path().filename();
            const bool isLeft = name.ends_with(".run") || name.find(".spool") != std::string::npos;
            EXPECT_TRUE(!isLeft || name.find(".kept.spool") != std::string::npos) << name;
        }
    }

private:
    std::mutex m_mutex;
    std::set<std::string> m_completed;
};

TEST_P(RealRandomCommandsTest, loseNothingAndLeaveNothingBehind)
{
    RandomCommands random(static_cast<unsigned>(GetParam()));
    std::vector<Command> commands;
    for (std::size_t i = 0; i < commandCount(); ++i)
        commands.push_back(random.next());
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < kAtOnce; ++i)
        threads.emplace_back([&] {
            for (std::size_t command = next++; command < commands.size(); command = next++)
                carryOut(commands[command]);
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(run("run --model ffn-stack-tiny --device sim:t4 --workspace w.db --format jsonl").exitCode, 0);
    expectWholeWorkspace();
    expectEveryCompletedTrial();
    expectNothingLeftBehind();
}

INSTANTIATE_TEST_SUITE_P(Rounds, RealRandomCommandsTest, testing::Range(0, kRounds));

} // namespace
} // namespace headroom::cli::random_commands_test
