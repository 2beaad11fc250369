// SPDX-License-Identifier: Apache-2.0
//
// Writing an output never destroys an input, and never keeps a command from ending.
#include "tests/app/cli/program/Program.h"

#include "tests/support/Waiting.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace headroom::cli::output_test {
namespace {

namespace fs = std::filesystem;
using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr const char* kTiny = "[model]\nname = \"ffn-stack-tiny\"\n";

// Kills a program that hangs, so that the test fails instead of hanging too.
void killWhatHangs(pid_t program)
{
    const auto hasEnded = [&] {
        siginfo_t ended{};
        return ::waitid(P_PID, static_cast<id_t>(program), &ended, WEXITED | WNOHANG | WNOWAIT) == 0
            && ended.si_pid != 0;
    };
    if (!comesTrue(hasEnded, std::chrono::milliseconds(10), std::chrono::seconds(60)))
        ::kill(program, SIGKILL);
}

class ProgramOutputTest : public Program {
protected:
    using Words = std::vector<std::string>;

    Ended runWatched(const Words& arguments) { return run(arguments, killWhatHangs); }

    void makePipe(const std::string& name) const { ASSERT_EQ(::mkfifo(path(name).c_str(), 0600), 0); }

    // Expects a usage error in one line that names flag and file, and that no file has changed.
    void expectRefused(const Words& arguments, const std::string& flag, const std::string& file)
    {
        const auto before = files();
        const std::size_t requestsBefore = requests();
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.exitCode, 2) << flag << " " << file << "\n" << ended.err;
        EXPECT_THAT(ended.err, StartsWith("headroom: error: " + flag + ": \"" + file + "\" is ")) << file;
        EXPECT_EQ(linesOf(ended.err).size(), 1u) << ended.err;
        EXPECT_EQ(files(), before) << flag << " " << file;
        EXPECT_EQ(requests(), requestsBefore);
    }

    // What a concurrent reader receives while the program runs, as `cat FILE &` does.
    std::string received(const std::string& name, const Words& arguments, int exitCode)
    {
        std::string text;
        std::thread reader([&] { text = contents(name); });
        const Ended ended = runWatched(arguments);
        EXPECT_EQ(ended.exitCode, exitCode) << ended.err;
        ::close(::open(path(name).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)); // ends a reader that received nothing
        reader.join();
        return text;
    }

    const Words m_sweep{"run", "--model", "ffn-stack-tiny", "--split-ffn", "off,2,4", "--device", "cpu"};

    Words sweepWith(const Words& more) const
    {
        Words words = m_sweep;
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

TEST_F(ProgramOutputTest, neverReplacesWhatARunReadsOrKeeps)
{
    write("s.toml", kTiny);
    write("b.toml", "[[budget]]\nmax_peak_gib = 1\n");
    const Words run1{"run", "./s.toml", "--budgets", "b.toml", "--device", "cpu", "--workspace", "w.db"};
    ASSERT_EQ(run(run1).exitCode, 0);
    for (const char* name : {"w.db", "s.toml", "b.toml"}) {
        fs::create_hard_link(path(name), path(std::string("hard-") + name));
        fs::create_symlink(name, path(std::string("soft-") + name));
    }
    for (const char* flag : {"--events", "--junit", "--summary"})
        for (const char* file : {"w.db", "./w.db", "hard-w.db", "soft-w.db", "w.db-wal", "w.db-shm", "w.db-journal",
                 "s.toml", "./s.toml", "hard-s.toml", "soft-s.toml", "b.toml", "hard-b.toml", "soft-b.toml"}) {
            Words arguments = run1;
            arguments.insert(arguments.end(), {flag, file});
            expectRefused(arguments, flag, file);
            arguments.push_back("--dry-run");
            expectRefused(arguments, flag, file);
        }
}

TEST_F(ProgramOutputTest, neverReplacesAModelsFiles)
{
    write("m/config.json", R"({"_class_name": "LTXVideoTransformer3DModel", "num_layers": 1})");
    write("m/model.safetensors", "weights");
    fs::create_hard_link(path("m/model.safetensors"), path("hard.safetensors"));
    for (const char* flag : {"--events", "--junit", "--summary"}) {
        expectRefused(
            {"run", "--model", "./m/config.json", "--device", "sim:t4", flag, "m/config.json"}, flag, "m/config.json");
        for (const char* file : {"m/model.safetensors", "hard.safetensors", "m/config.json"})
            expectRefused(
                {"run", "--model", "ffn-stack-tiny", "--device", "sim:t4", "--set", "model.weights=./m", flag, file},
                flag, file);
    }
}

TEST_F(ProgramOutputTest, isAFileOfItsOwn)
{
    write("a", "old");
    fs::create_hard_link(path("a"), path("hard"));
    fs::create_symlink("new", path("soft"));
    expectRefused(sweepWith({"--events", "a", "--junit", "hard"}), "--junit", "hard");
    expectRefused(sweepWith({"--events", "new", "--summary", "soft"}), "--summary", "soft");
    expectRefused(sweepWith({"--workspace", "new", "--summary", "soft"}), "--summary", "soft");
}

TEST_F(ProgramOutputTest, ofAReportIsNotItsWorkspace)
{
    ASSERT_EQ(run(sweepWith({"--workspace", "w.json"})).exitCode, 0);
    fs::create_hard_link(path("w.json"), path("hard.json"));
    fs::create_symlink("w.json", path("soft.json"));
    for (const char* file : {"w.json", "hard.json", "soft.json"})
        expectRefused({"report", "w.json", "-o", file}, "--output", file);
}

TEST_F(ProgramOutputTest, toAPipeThatNobodyReadsIsRefused)
{
    makePipe("f");
    for (const char* flag : {"--junit", "--summary", "--events"}) {
        const Ended ended = runWatched(sweepWith({flag, "f"}));
        EXPECT_EQ(ended.exitCode, 5) << flag << ended.err;
        EXPECT_THAT(ended.err, HasSubstr("file cannot be written: nobody reads this pipe")) << flag;
    }
    EXPECT_EQ(requests(), 0u);
}

TEST_F(ProgramOutputTest, toAPipeReachesItsReader)
{
    makePipe("f");
    const std::string xml = received("f", sweepWith({"--junit", "f"}), 0);
    EXPECT_THAT(xml, StartsWith("<?xml"));
    EXPECT_THAT(xml, HasSubstr("</testsuites>"));
    EXPECT_THAT(received("f", sweepWith({"--summary", "f"}), 0), HasSubstr("3 trials: 3 completed"));
    const auto events = linesOf(received("f", sweepWith({"--events", "f"}), 0));
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(OrderedJson::parse(events.back()).at("event"), "run_finished");
}

TEST_F(ProgramOutputTest, toAReaderThatDoesNotReadEndsWithASignal)
{
    makePipe("f");
    for (const char* flag : {"--events", "--junit"}) {
        const int reader = ::open(path("f").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        ASSERT_GT(::fcntl(reader, F_SETPIPE_SZ, 4096), 0);
        const std::size_t before = requests();
        const Ended ended = run({"run", "--model", "ffn-stack-tiny", "--split-ffn", "off,2,4", "--device", "sim:t4",
                                    "--set", "workload.seed=0,1,2,3,4,5,6,7,8,9", flag, "f"},
            [&](pid_t program) {
                waitForRequests(before + 1);
                std::this_thread::sleep_for(std::chrono::milliseconds(300));
                ::kill(program, SIGTERM);
                killWhatHangs(program);
            });
        EXPECT_THAT(ended.exitCode, testing::AnyOf(5, 130)) << flag << ended.err;
        ::close(reader);
    }
}

TEST_F(ProgramOutputTest, leavesNoDraftWhereItFailed)
{
    ASSERT_EQ(::mkdir(path("d").c_str(), 0755), 0);
    EXPECT_EQ(run(sweepWith({"--junit", "j.xml", "--events", "d"})).exitCode, 5);
    EXPECT_EQ(run(sweepWith({"--junit", "d/j.xml", "--summary", "none/s.md"})).exitCode, 5);
    EXPECT_THAT(files(), testing::SizeIs(1));
}

TEST_F(ProgramOutputTest, ofTheRunBeforeStaysWhereARunIsRefused)
{
    write("e.jsonl", "the events of yesterday\n");
    write("w.db", "no workspace");
    const auto before = files();
    EXPECT_EQ(run(sweepWith({"--workspace", "w.db", "--events", "e.jsonl"})).exitCode, 5);
    EXPECT_EQ(files(), before);
    fs::remove(path("w.db"));
    EXPECT_EQ(run(sweepWith({"--workspace", "w.db", "--events", "e.jsonl"})).exitCode, 0);
    const auto events = linesOf(contents("e.jsonl"));
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(OrderedJson::parse(events.front()).at("event"), "run_started");
}

TEST_F(ProgramOutputTest, throughALoopOfLinksIsSaidInOurWords)
{
    fs::create_symlink("loop", path("loop"));
    fs::create_symlink("loop.html", path("loop.html"));
    for (const char* flag : {"--junit", "--summary", "--events", "--workspace", "--budgets"}) {
        const Ended ended = run(sweepWith({flag, "loop"}));
        EXPECT_EQ(ended.exitCode, 5) << flag << ended.err;
        EXPECT_THAT(ended.err, Not(HasSubstr("filesystem error"))) << flag;
        EXPECT_EQ(linesOf(ended.err).size(), 1u) << ended.err;
    }
    ASSERT_EQ(run(m_sweep).exitCode, 0);
    EXPECT_THAT(run("report -o loop.html").err, HasSubstr("Too many levels of symbolic links"));
    for (const char* command : {"run ./loop", "run --model ./loop", "report loop -o r.md", "doctor --workspace loop",
             "trace show x --workspace loop"}) {
        const Ended ended = run(command);
        EXPECT_EQ(ended.exitCode, 5) << command << ended.err;
        EXPECT_THAT(ended.err, Not(HasSubstr("filesystem error"))) << command;
    }
}

TEST_F(ProgramOutputTest, aWorkingFolderThatIsGoneIsSaidInOurWords)
{
    const std::string program = HEADROOM_PROGRAM;
    const std::string folder = path("gone");
    ASSERT_EQ(::mkdir(folder.c_str(), 0755), 0);
    const std::string script = "cd '" + folder + "' && rmdir '" + folder + "' && '" + program
        + "' run --model ffn-stack-tiny --device sim:t4 2>'" + path("err") + "'; echo $? >'" + path("code") + "'";
    ASSERT_EQ(std::system(script.c_str()), 0);
    EXPECT_EQ(contents("code"), "5\n");
    EXPECT_EQ(contents("err"),
        "headroom: error: headroom.db: the working folder is not there any more (valid: an absolute path, or a working "
        "folder that exists)\n");
}

TEST_F(ProgramOutputTest, standardOutputThatIsFullIsAFileError)
{
    sendOutputTo("/dev/full");
    for (const char* arguments : {"--help", "--version", "run --help", "trace show --help", "models", "devices t4",
             "techniques --format json", "presets demo", "run demo --dry-run"}) {
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.exitCode, 5) << arguments;
        EXPECT_EQ(ended.err, "headroom: error: standard output cannot be written\n") << arguments;
    }
}

} // namespace
} // namespace headroom::cli::output_test
