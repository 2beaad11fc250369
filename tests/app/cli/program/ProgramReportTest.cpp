// SPDX-License-Identifier: Apache-2.0
//
// `headroom report` as people and scripts use it.
#include "tests/app/cli/program/Program.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ProgramReportTest : public Program {
protected:
    Ended sweep(const std::string& more = "")
    {
        const Ended ended =
            run("run --model ffn-stack-tiny --split-ffn off,2 --device cpu,sim:t4 --format json " + more);
        EXPECT_EQ(ended.exitCode, 0) << ended.err;
        return ended;
    }

    std::string refusal(const std::string& arguments, int exitCode)
    {
        const auto before = files();
        const Ended ended = run("report " + arguments);
        EXPECT_EQ(ended.exitCode, exitCode) << ended.err;
        EXPECT_EQ(ended.out, "");
        EXPECT_THAT(ended.err, StartsWith("headroom: error: "));
        EXPECT_EQ(files().size(), before.size());
        return ended.err;
    }
};

TEST_F(ProgramReportTest, theEndingDecidesTheFormat)
{
    sweep();
    ASSERT_EQ(run("report -o r.html").exitCode, 0);
    ASSERT_EQ(run("report -o r.MD").exitCode, 0);
    ASSERT_EQ(run("report -o r.csv").exitCode, 0);
    ASSERT_EQ(run("report --output r.json").exitCode, 0);
    EXPECT_THAT(contents("r.html"), StartsWith("<!doctype html>"));
    EXPECT_THAT(contents("r.MD"), StartsWith("# adhoc\n"));
    EXPECT_THAT(contents("r.csv"), StartsWith("experiment,trial_id,"));
    EXPECT_EQ(OrderedJson::parse(contents("r.json")).at("schema"), "headroom.results/1");
}

TEST_F(ProgramReportTest, runsThatAreNamedStandBesideEachOther)
{
    sweep();
    const std::string runs =
        recordingMadeByHand("protocol_4.pickle") + " " + recordingMadeByHand("out_of_memory.pickle");
    ASSERT_EQ(run("report -o r.html --compare " + runs).exitCode, 0);
    const std::string page = contents("r.html");
    EXPECT_THAT(page, HasSubstr("Runs beside each other"));
    EXPECT_THAT(page, HasSubstr("Allocated memory"));
    EXPECT_THAT(page, HasSubstr("Difference from"));
    ASSERT_EQ(run("report -o r.md --compare " + runs + " " + recordingMadeByHand("expandable.pickle")).exitCode, 0);
    EXPECT_THAT(contents("r.md"), HasSubstr("C: cuda:0 \\| expandable"));
    EXPECT_THAT(contents("r.md"), HasSubstr("Where C differs from A over time"));
    EXPECT_THAT(contents("r.md"), HasSubstr("At the peaks of A and C, by frame"));
    EXPECT_THAT(refusal("-o r.csv --compare " + runs, 2), HasSubstr("headroom compare"));
    EXPECT_THAT(refusal("-o r2.html --compare nothing.pickle " + runs, 5), HasSubstr("nothing.pickle"));
}

TEST_F(ProgramReportTest, whereThingsRanIsNotToldInAnAnonymousReportOfComparedRuns)
{
    sweep();
    const std::filesystem::path hidden = path("secret-folder");
    std::filesystem::create_directory(hidden);
    std::filesystem::copy_file(path("headroom.db"), hidden / "other.db");
    ASSERT_EQ(run("report -o r.html --anonymous --compare headroom.db " + (hidden / "other.db").string()).exitCode, 0);
    EXPECT_THAT(contents("r.html"), HasSubstr("other.db"));
    EXPECT_THAT(contents("r.html"), Not(HasSubstr("secret-folder")));
}

TEST_F(ProgramReportTest, aDamagedResultIsShownAsSuchAmongTheOthers)
{
    sweep();
    SQLite::Database(path("headroom.db"), SQLite::OPEN_READWRITE)
        .exec("UPDATE repeats SET result_json = '{\"outcome\"' WHERE id = 2");
    for (const char* file : {"r.html", "r.md", "r.csv", "r.json"}) {
        ASSERT_EQ(run("report -o " + std::string(file)).exitCode, 0) << file;
        EXPECT_THAT(contents(file), HasSubstr("result of repeat 2 is damaged")) << file;
        EXPECT_THAT(contents(file), Not(HasSubstr("json.exception"))) << file;
    }
    std::size_t completed = 0;
    const OrderedJson report = OrderedJson::parse(contents("r.json"));
    for (const OrderedJson& trial : report.at("trials"))
        completed += trial.at("outcome") == "completed" ? 1 : 0;
    EXPECT_EQ(completed, 3U);
}

TEST_F(ProgramReportTest, theJsonIsWhatTheRunPrinted)
{
    const Ended ended = sweep("--set protocol.repeats=2");
    ASSERT_EQ(run("report -o r.json").exitCode, 0);
    EXPECT_EQ(contents("r.json"), ended.out);
}

TEST_F(ProgramReportTest, itSaysWhatItWroteAndNothingOnStandardOutput)
{
    sweep();
    const Ended ended = run("report -o r.md");
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr("adhoc (experiment 1, 4 trials)"));
    EXPECT_THAT(ended.err, HasSubstr("r.md"));
}

TEST_F(ProgramReportTest, otherEndingsAreRefusedWithTheValidOnes)
{
    sweep();
    for (const char* output : {"r.txt", "r", "-", "r.htm", ".html"}) {
        const std::string error = refusal("-o " + std::string(output), 2);
        EXPECT_THAT(error, HasSubstr("--output"));
        EXPECT_THAT(error, HasSubstr("valid: FILE.html, FILE.md, FILE.csv, FILE.json"));
    }
    EXPECT_THAT(refusal("", 2), HasSubstr("--output"));
}

TEST_F(ProgramReportTest, anUnknownExperimentIsRefusedWithThoseThereAre)
{
    sweep();
    EXPECT_THAT(refusal("--experiment nothing -o r.md", 2), HasSubstr("adhoc (1)"));
}

TEST_F(ProgramReportTest, aWorkspaceThatIsMissingOrEmptyIsAFileError)
{
    EXPECT_THAT(refusal("-o r.md", 5), HasSubstr("headroom.db"));
    EXPECT_THAT(refusal("other.db -o r.md", 5), HasSubstr("other.db"));
    write("text.db", "no database");
    EXPECT_THAT(refusal("text.db -o r.md", 5), HasSubstr("text.db"));
}

TEST_F(ProgramReportTest, theWorkspaceIsTheArgumentOrTheVariable)
{
    sweep("--workspace one.db");
    EXPECT_EQ(run("report one.db -o r.md").exitCode, 0);
    setVariable("HEADROOM_WORKSPACE", "one.db");
    EXPECT_EQ(run("report -o s.md").exitCode, 0);
    EXPECT_EQ(contents("r.md"), contents("s.md"));
    setVariable("HEADROOM_WORKSPACE", "none.db");
    EXPECT_EQ(run("report --workspace one.db -o t.md").exitCode, 0);
    EXPECT_EQ(run("report one.db --workspace ./one.db -o u.md").exitCode, 0);
    EXPECT_EQ(contents("r.md"), contents("t.md"));
}

TEST_F(ProgramReportTest, damagedResultsAreToldWithoutTheNameOfALibrary)
{
    sweep();
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path("headroom.db").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, "UPDATE repeats SET result_json = '{'", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
    EXPECT_THAT(run("report -o r.md").err, Not(HasSubstr("json.exception")));
    EXPECT_THAT(run("run --model ffn-stack-tiny --split-ffn off,2 --device cpu,sim:t4 --resume").err,
        Not(HasSubstr("json.exception")));
}

TEST_F(ProgramReportTest, theWorkspaceIsNotOverwritten)
{
    sweep("--workspace results.json");
    const std::string before = contents("results.json");
    EXPECT_THAT(refusal("results.json -o ./results.json", 2), HasSubstr("the workspace itself"));
    EXPECT_EQ(contents("results.json"), before);
}

TEST_F(ProgramReportTest, aFileThatIsThereIsReplacedAndNothingElseIsLeft)
{
    sweep();
    write("r.csv", std::string(1'000'000, 'x'));
    const std::size_t before = files().size();
    ASSERT_EQ(run("report -o r.csv").exitCode, 0);
    EXPECT_THAT(contents("r.csv"), StartsWith("experiment,"));
    EXPECT_EQ(files().size(), before);
}

TEST_F(ProgramReportTest, whatCannotBeWrittenIsAFileErrorAndLeavesTheOldOne)
{
    sweep();
    ASSERT_EQ(::mkdir(path("folder.html").c_str(), 0755), 0);
    EXPECT_THAT(refusal("-o folder.html", 5), HasSubstr("folder.html: file cannot be written: Is a directory"));
    EXPECT_THAT(refusal("-o nowhere/r.html", 5), HasSubstr("nowhere/r.html"));
    ASSERT_EQ(::symlink("/dev/full", path("full.html").c_str()), 0);
    EXPECT_THAT(refusal("-o full.html", 5), HasSubstr("full.html"));
}

TEST_F(ProgramReportTest, anInterruptedRunIsReportedWithWhatIsThere)
{
    setVariable("HEADROOM_SCRIPT", "exit@16");
    ASSERT_EQ(run("run --model ffn-stack-tiny --set workload.sequence_length=8,16,32 --fail-fast").exitCode, 3);
    ASSERT_EQ(run("report -o r.md").exitCode, 0);
    EXPECT_THAT(contents("r.md"), HasSubstr("1 completed, 1 failed, 1 not run"));
    EXPECT_THAT(contents("r.md"), HasSubstr("| not run |"));
}

TEST_F(ProgramReportTest, itsSpecRunsTheSameTrials)
{
    write("sweep.toml",
        "name = \"again\"\nmodel.name = \"ffn-stack-tiny\"\ntechniques.split_ffn = [\"off\", \"2\", \"4\"]\n");
    for (const char* more : {"--device sim:t4 --quick", "--filter split_ffn!=4 --set workload.batch=1,2"}) {
        ASSERT_EQ(run("run ./sweep.toml " + std::string(more)).exitCode, 0);
        ASSERT_EQ(run("report -o r.md").exitCode, 0);
        const std::string text = contents("r.md");
        const auto begin = text.find("```toml\n") + 8;
        write("again.toml", text.substr(begin, text.find("```", begin) - begin));
        ASSERT_EQ(run("report -o r.json").exitCode, 0);
        const Ended plan = run("run ./again.toml --dry-run --format json");
        ASSERT_EQ(plan.exitCode, 0) << plan.err;
        const OrderedJson planned = plan.json("trials");
        const OrderedJson ran = OrderedJson::parse(contents("r.json")).at("trials");
        ASSERT_EQ(planned.size(), ran.size());
        for (std::size_t i = 0; i < ran.size(); ++i)
            EXPECT_EQ(planned[i].at("trial_id"), ran[i].at("trial_id"));
    }
}

TEST_F(ProgramReportTest, theCommandIsTheOneThatWasTyped)
{
    ASSERT_EQ(run(std::vector<std::string>{"run", "--model", "ffn-stack-tiny", "--split-ffn", "off,2", "--filter",
                      "split_ffn=2 device.name=cpu"})
                  .exitCode,
        0);
    ASSERT_EQ(run("report -o r.md").exitCode, 0);
    EXPECT_THAT(contents("r.md"),
        HasSubstr("run --model ffn-stack-tiny --split-ffn off,2 --filter 'split_ffn=2 device.name=cpu'"));
}

TEST_F(ProgramReportTest, anonymousTellsNothingOfTheMachineInAnyFormat)
{
    setVariable("HEADROOM_SCRIPT", "log@16");
    const std::string workspace = path("alice.db");
    run(std::vector<std::string>{"run", "--model", "ffn-stack-tiny", "--set", "workload.sequence_length=8,16",
        "--workspace", workspace, "--events", path("events.jsonl")});
    char host[256] = {};
    ASSERT_EQ(::gethostname(host, sizeof(host) - 1), 0);
    const std::string folder = path("");
    for (const char* file : {"r.html", "r.md", "r.csv", "r.json"}) {
        ASSERT_EQ(run(std::vector<std::string>{"report", workspace, "--anonymous", "-o", file}).exitCode, 0);
        const std::string text = contents(file);
        EXPECT_THAT(text, Not(HasSubstr(folder.substr(0, folder.size() - 1)))) << file;
        EXPECT_THAT(text, Not(HasSubstr("alice"))) << file;
        EXPECT_THAT(text, Not(HasSubstr(HEADROOM_PROGRAM))) << file;
        EXPECT_THAT(text, Not(HasSubstr("\"" + std::string(host) + "\""))) << file;
        EXPECT_THAT(text, Not(HasSubstr(">" + std::string(host) + "<"))) << file;
        EXPECT_THAT(text, Not(HasSubstr("| " + std::string(host) + " |"))) << file;
    }
    EXPECT_THAT(contents("r.md"), HasSubstr("something went wrong"));
}

} // namespace
} // namespace headroom::cli
