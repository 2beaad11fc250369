// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::StartsWith;

constexpr uid_t kNobody = 65534;

// The test's own SQLite connection.
class Database {
public:
    explicit Database(const std::string& path) { sqlite3_open(path.c_str(), &m_handle); }
    ~Database() { sqlite3_close(m_handle); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    void execute(const char* sql)
    {
        ASSERT_EQ(sqlite3_exec(m_handle, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(m_handle);
    }

private:
    sqlite3* m_handle = nullptr;
};

class ProgramWorkspaceTest : public Program {
protected:
    Ended runSweep() { return run("run --model ffn-stack-tiny --device cpu --format json"); }

    // Expects a file error in one line that names the file, and that the file is unchanged.
    void expectUnusable(const std::string& text)
    {
        const std::string before = contents("headroom.db");
        const std::size_t requestsBefore = requests();
        const Ended ended = runSweep();
        EXPECT_EQ(ended.exitCode, 5) << ended.err;
        EXPECT_THAT(ended.err, StartsWith("headroom: error: "));
        EXPECT_THAT(ended.err, HasSubstr("headroom.db"));
        EXPECT_THAT(ended.err, HasSubstr(text));
        EXPECT_EQ(linesOf(ended.err).size(), 1u) << ended.err;
        EXPECT_EQ(requests(), requestsBefore);
        EXPECT_EQ(contents("headroom.db"), before);
    }
};

TEST_F(ProgramWorkspaceTest, itsExperimentsAreListedTheNewestFirst)
{
    EXPECT_EQ(run("workspace list").exitCode, 5) << "there is none";
    ASSERT_EQ(run("run --model ffn-stack-tiny --device cpu").exitCode, 0);
    ASSERT_EQ(run("run --model ffn-stack-tiny --device cpu --split-ffn off,2").exitCode, 0);
    const Ended ended = run("workspace list --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson experiments = ended.json().at("experiments");
    ASSERT_EQ(experiments.size(), 2U);
    EXPECT_GT(experiments[0].at("number"), experiments[1].at("number"));
    EXPECT_EQ(experiments[0].at("trials"), 2);
    EXPECT_EQ(experiments[0].at("outcomes").at("completed"), 2);
    EXPECT_EQ(experiments[1].at("trials"), 1);
    EXPECT_EQ(experiments[1].at("models"), OrderedJson({"ffn-stack-tiny"}));
    EXPECT_TRUE(experiments[1].at("finished_at").is_string());
    EXPECT_THAT(run("workspace list headroom.db").out, HasSubstr("ffn-stack-tiny"));
}

TEST_F(ProgramWorkspaceTest, aFileThatIsNoDatabaseIsLeftAlone)
{
    write("headroom.db", "These are my notes, not a database.\n");
    expectUnusable("");
}

TEST_F(ProgramWorkspaceTest, anotherProgramsDatabaseIsLeftAlone)
{
    Database(path("headroom.db")).execute("CREATE TABLE mine (x); INSERT INTO mine VALUES (1);");
    expectUnusable("");
}

TEST_F(ProgramWorkspaceTest, aNewerVersionsWorkspaceIsLeftAlone)
{
    ASSERT_EQ(runSweep().exitCode, 0);
    Database(path("headroom.db")).execute("PRAGMA user_version = 9999;");
    expectUnusable("9999");
}

TEST_F(ProgramWorkspaceTest, aLockedWorkspaceIsLeftAlone)
{
    ASSERT_EQ(runSweep().exitCode, 0);
    Database writer(path("headroom.db"));
    writer.execute("BEGIN IMMEDIATE;");
    expectUnusable("");
}

TEST_F(ProgramWorkspaceTest, aReadOnlyWorkspaceIsLeftAlone)
{
    ASSERT_EQ(runSweep().exitCode, 0);
    ASSERT_EQ(::chmod(path("headroom.db").c_str(), 0444), 0);
    if (::geteuid() == 0) {
        ASSERT_EQ(::chmod(path("").c_str(), 0555), 0);
        if (::access(HEADROOM_PROGRAM, X_OK) != 0)
            GTEST_SKIP() << "nobody may start the program";
        setVariable("HEADROOM_SCRIPT_LOG", "");
        beforeStart([] { std::ignore = ::setresuid(kNobody, kNobody, kNobody); });
        if (run("--version").exitCode != 0)
            GTEST_SKIP() << "the program cannot be started as a user who is bound by permissions";
    }
    expectUnusable("");
}

TEST_F(ProgramWorkspaceTest, aFolderThatDoesNotExistIsAFileError)
{
    const Ended ended = run("run --model ffn-stack-tiny --device cpu --workspace ./no/such/folder/w.db");
    EXPECT_EQ(ended.exitCode, 5);
    EXPECT_THAT(ended.err, HasSubstr("no/such/folder"));
    EXPECT_TRUE(files().empty());
}

// A limit on file size simulates a full disk: writing fails in the middle.
TEST_F(ProgramWorkspaceTest, aFullDiskIsAFileErrorAndLosesNothingThatWasThere)
{
    ASSERT_EQ(runSweep().exitCode, 0);
    const std::string before = contents("headroom.db");
    beforeStart([] {
        const rlimit limit{4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    });
    const Ended ended = runSweep();
    EXPECT_EQ(ended.exitCode, 5) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("headroom: error: "));
    EXPECT_THAT(ended.err, HasSubstr("headroom.db"));
    beforeStart([] { });
    const Ended resumed = run("run --model ffn-stack-tiny --device cpu --resume --format json");
    EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
    EXPECT_EQ(resumed.json().at("trials").at(0).at("outcome"), "completed");
}

// `ulimit -f`: the signal that comes with it says nothing and would leave spools behind.
TEST_F(ProgramWorkspaceTest, aFileThatMayNotGrowIsAFullDisk)
{
    setVariable("HEADROOM_SCRIPT", "trace");
    for (const rlim_t blocks : {16, 64, 128}) {
        beforeStart([blocks] {
            const rlimit limit{blocks * 1024, blocks * 1024};
            ::setrlimit(RLIMIT_FSIZE, &limit);
        });
        const Ended ended = run("run --model ffn-stack-tiny --device cpu --trace --workspace small.db "
                                "--set workload.sequence_length=8,16,24,32,40,48,56,64,72,80,88,96");
        EXPECT_EQ(ended.exitCode, 5) << blocks << " " << ended.err;
        EXPECT_THAT(ended.err, HasSubstr("small.db"));
        for (const auto& [name, text] : files())
            EXPECT_TRUE(name.find(".spool") == std::string::npos && !name.ends_with(".run")) << name;
    }
}

// SQLite would take them for URIs, or for no file at all.
TEST_F(ProgramWorkspaceTest, aNameIsTheNameOfAFileWhateverItMeansToSqlite)
{
    for (const std::string name : {"file:u.db", "file:u.db?mode=ro", ":memory:", "file::memory:?cache=shared"}) {
        const Ended ended =
            run({"run", "--model", "ffn-stack-tiny", "--device", "cpu", "--format", "json", "--workspace", name});
        EXPECT_EQ(ended.exitCode, 0) << name << ": " << ended.err;
        EXPECT_TRUE(exists(name)) << name;
        EXPECT_FALSE(exists("u.db")) << name;
        EXPECT_EQ(run({"workspace", "check", name}).exitCode, 0) << name;
        EXPECT_EQ(run({"report", "--workspace", name, "-o", "r.json"}).exitCode, 0) << name;
        EXPECT_EQ(run({"workspace", "repair", name, "-o", "copy.db"}).exitCode, 0) << name;
        std::filesystem::remove(path("copy.db"));
    }
}

} // namespace
} // namespace headroom::cli
