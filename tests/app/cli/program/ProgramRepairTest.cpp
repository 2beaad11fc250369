// SPDX-License-Identifier: Apache-2.0
//
// headroom workspace check and repair, and what runs and the doctor do with a workspace that is damaged or gone.
#include "tests/app/cli/program/DocumentedKeys.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

namespace headroom::cli::program_repair_test {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

class ProgramRepairTest : public Program {
protected:
    void makeWorkspace()
    {
        ASSERT_EQ(run("run --model ffn-stack-tiny --device cpu --set workload.sequence_length=8,16,32").exitCode, 0);
    }

    void execute(const char* sql) const
    {
        sqlite3* handle = nullptr;
        ASSERT_EQ(sqlite3_open(path("headroom.db").c_str(), &handle), SQLITE_OK);
        ASSERT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
        sqlite3_close(handle);
    }

    // All pages but the first.
    void destroyPages() const
    {
        const auto size = static_cast<std::streamoff>(fs::file_size(path("headroom.db")));
        std::fstream stream(path("headroom.db"), std::ios::binary | std::ios::in | std::ios::out);
        stream.seekp(4096);
        stream << std::string(static_cast<std::size_t>(size - 4096), 'x');
    }

    static OrderedJson checkOf(const OrderedJson& document, const std::string& name)
    {
        for (const OrderedJson& check : document.at("checks"))
            if (check.at("check") == name)
                return check;
        return nullptr;
    }
};

TEST_F(ProgramRepairTest, aSoundWorkspaceIsSaidToBeSound)
{
    makeWorkspace();
    const auto before = files();
    const Ended ended = run("workspace check headroom.db --format json");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(ended.json("sound"), true);
    EXPECT_EQ(ended.json("workspace"), "headroom.db");
    for (const char* name : {"workspace", "workspace version", "workspace integrity", "workspace references",
             "workspace results", "workspace traces", "workspace spools", "workspace file system"})
        EXPECT_EQ(checkOf(ended.json(), name).at("state"), "ok") << name;
    EXPECT_EQ(files(), before);
    EXPECT_EQ(run("workspace check").exitCode, 0);
    EXPECT_EQ(run("workspace check --workspace headroom.db --format md").exitCode, 0);
}

TEST_F(ProgramRepairTest, keysAreThoseOfTheContract)
{
    makeWorkspace();
    DocumentedKeys list("workspace list");
    EXPECT_THAT(list.undocumented(run("workspace list --format json").json()), IsEmpty());
    DocumentedKeys check("workspace check");
    EXPECT_THAT(check.undocumented(run("workspace check --format json").json()), IsEmpty());
    EXPECT_THAT(check.unseen(), IsEmpty());
    DocumentedKeys repair("workspace repair");
    EXPECT_THAT(repair.undocumented(run("workspace repair --format json").json()), IsEmpty());
    EXPECT_THAT(repair.unseen(), IsEmpty());
}

TEST_F(ProgramRepairTest, damageIsFoundByCheckAndDoctor)
{
    makeWorkspace();
    execute("UPDATE repeats SET result_json = '{' WHERE id = 2");
    for (const char* command : {"workspace check --format json", "doctor --workspace headroom.db --format json"}) {
        const Ended ended = run(command);
        EXPECT_EQ(ended.exitCode, 5) << command;
        EXPECT_EQ(checkOf(ended.json(), "workspace results").at("state"), "broken");
        EXPECT_THAT(checkOf(ended.json(), "workspace results").at("meaning").get<std::string>(),
            HasSubstr("headroom workspace repair"));
    }
    destroyPages();
    EXPECT_EQ(run("workspace check").exitCode, 5);
}

TEST_F(ProgramRepairTest, whatCanBeReadIsCopiedAndTheRestIsRunAgain)
{
    makeWorkspace();
    execute("UPDATE repeats SET result_json = '{' WHERE id = 2");
    const std::string damaged = contents("headroom.db");
    const Ended ended = run("workspace repair headroom.db --format json");
    EXPECT_EQ(ended.exitCode, 4) << ended.err;
    EXPECT_EQ(ended.json("output"), "headroom.repaired.db");
    EXPECT_GE(ended.json("lost").get<int>(), 1);
    EXPECT_EQ(contents("headroom.db"), damaged);
    EXPECT_EQ(run("workspace check headroom.repaired.db").exitCode, 0);
    EXPECT_EQ(run("report headroom.repaired.db -o report.html").exitCode, 0);
    const std::size_t before = requests();
    const Ended resumed = run("run --model ffn-stack-tiny --device cpu --set workload.sequence_length=8,16,32 --resume "
                              "--workspace headroom.repaired.db --format json");
    EXPECT_EQ(resumed.exitCode, 0) << resumed.err;
    EXPECT_EQ(requests(), before + 1);
}

TEST_F(ProgramRepairTest, aSoundWorkspaceIsCopiedInFull)
{
    makeWorkspace();
    const Ended ended = run("workspace repair -o copy.db");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("nothing was lost"));
    EXPECT_EQ(run("report copy.db -o copy.json").exitCode, 0);
    EXPECT_EQ(run("report headroom.db -o original.json").exitCode, 0);
    EXPECT_EQ(contents("copy.json"), contents("original.json"));
}

TEST_F(ProgramRepairTest, nothingThatIsThereIsReplaced)
{
    makeWorkspace();
    const auto before = files();
    for (const char* command : {"workspace repair -o headroom.db", "workspace repair none.db -o new.db"}) {
        const Ended ended = run(command);
        EXPECT_EQ(ended.exitCode, 5) << command;
        EXPECT_EQ(linesOf(ended.err).size(), 1u);
    }
    EXPECT_EQ(files(), before);
}

TEST_F(ProgramRepairTest, badUsageIsRefused)
{
    EXPECT_EQ(run("workspace").exitCode, 2);
    EXPECT_EQ(run("workspace mend").exitCode, 2);
    EXPECT_EQ(run("workspace check a.db --workspace b.db").exitCode, 2);
    EXPECT_EQ(run("workspace check --format yaml").exitCode, 2);
}

TEST_F(ProgramRepairTest, aPipeIsNoWorkspaceAndNobodyWaitsForIt)
{
    ASSERT_EQ(::mkfifo(path("pipe.db").c_str(), 0600), 0);
    for (const char* command : {"run --model ffn-stack-tiny --device cpu --workspace pipe.db", "report pipe.db -o r.md",
             "trace show x --workspace pipe.db", "workspace check pipe.db", "workspace repair pipe.db -o r.db",
             "doctor --workspace pipe.db"})
        EXPECT_EQ(run(command).exitCode, 5) << command;
    EXPECT_THAT(run("report pipe.db -o r.md").err, HasSubstr("this is a pipe, not a file"));
}

TEST_F(ProgramRepairTest, aRunWhoseWorkspaceIsDeletedStopsAndItsResultsAreSafe)
{
    setVariable("HEADROOM_SCRIPT", "slow");
    const Ended ended = run({"run", "--model", "ffn-stack-tiny", "--device", "cpu", "--set",
                                "workload.sequence_length=8,16,24,32,40,48,56,64,72,80"},
        [&](pid_t) {
            waitForRequests(3);
            fs::remove(path("headroom.db"));
        });
    EXPECT_EQ(ended.exitCode, 5) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("deleted or moved"));
    EXPECT_THAT(ended.err, HasSubstr("is safe in headroom.rescued.db"));
    EXPECT_LT(requests(), 10u);
    EXPECT_FALSE(exists("headroom.db"));
    EXPECT_EQ(run("report headroom.rescued.db -o rescued.json").exitCode, 0);
    const auto report = OrderedJson::parse(contents("rescued.json"));
    EXPECT_EQ(report.at("trials").size(), requests());
    EXPECT_EQ(run("workspace check headroom.rescued.db").exitCode, 0);
}

// What another program does to the file or its log while a run has it open, SQLite does not see by itself.
TEST_F(ProgramRepairTest, aRunWhoseWorkspaceIsWrittenOverSavesItsResults)
{
    const std::map<std::string, std::function<void()>> disturbances{
        {"cut", [&] { fs::resize_file(path("w.db"), 40'000); }},
        {"log emptied", [&] { fs::resize_file(path("w.db-wal"), 0); }},
        {"log garbled", [&] {
             const auto size = fs::file_size(path("w.db-wal"));
             std::fstream log(path("w.db-wal"), std::ios::binary | std::ios::in | std::ios::out);
             log << std::string(size, '\x5a');
         }}};
    setVariable("HEADROOM_SCRIPT", "slow");
    for (const auto& [name, disturb] : disturbances) {
        const std::size_t before = requests();
        const Ended ended = run({"run", "--model", "ffn-stack-tiny", "--device", "cpu", "--workspace", "w.db", "--set",
                                    "workload.sequence_length=8,16,24,32,40,48"},
            [&](pid_t) {
                waitForRequests(before + 4);
                disturb();
            });
        EXPECT_EQ(ended.exitCode, 5) << name << ": " << ended.err;
        EXPECT_THAT(ended.err, HasSubstr("is safe in w.rescued.db")) << name;
        EXPECT_EQ(run("workspace check w.rescued.db").exitCode, 0) << name;
        EXPECT_EQ(run("report w.rescued.db -o rescued.json").exitCode, 0) << name;
        EXPECT_EQ(OrderedJson::parse(contents("rescued.json")).at("trials").size(), requests() - before) << name;
        for (const char* file : {"w.db", "w.db-wal", "w.db-shm", "w.rescued.db", "rescued.json"})
            fs::remove(path(file));
    }
}

TEST_F(ProgramRepairTest, spoolsThatLieBesideItAreNoted)
{
    makeWorkspace();
    write("headroom.db.9-0.spool", "x");
    const Ended ended = run("workspace check --format json");
    EXPECT_EQ(ended.exitCode, 0);
    EXPECT_EQ(checkOf(ended.json(), "workspace spools").at("state"), "note");
    EXPECT_THAT(checkOf(run("doctor --format json").json(), "spools").at("found").get<std::string>(),
        HasSubstr("1 of an older version"));
}

// Also covers a journal whose spool is gone, and a workspace named by a symbolic link.
TEST_F(ProgramRepairTest, spoolsAreToldApartByWhatBecomesOfThem)
{
    makeWorkspace();
    write("headroom.db.1-1-0.99999999-5.spool-journal", "xx");
    write("headroom.db.1-2-0.kept.spool", "x");
    fs::create_directory(path("elsewhere"));
    fs::create_symlink(path("headroom.db"), path("elsewhere/link.db"));
    for (const char* command : {"workspace check --format json", "workspace check elsewhere/link.db --format json"}) {
        const OrderedJson spools = checkOf(run(command).json(), "workspace spools");
        EXPECT_EQ(spools.at("state"), "note") << command;
        EXPECT_THAT(spools.at("found").get<std::string>(),
            HasSubstr("0 in use, 1 left by killed runs, 1 kept, 0 of an older version"));
        EXPECT_THAT(spools.at("meaning").get<std::string>(), HasSubstr("will go with the next run"));
    }
}

} // namespace
} // namespace headroom::cli::program_repair_test
