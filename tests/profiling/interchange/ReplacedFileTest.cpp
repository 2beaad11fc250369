// SPDX-License-Identifier: Apache-2.0
#include "core/base/ReplacedFile.h"

#include "core/base/Error.h"
#include "tests/core/config/Refusal.h"
#include "tests/profiling/store/StoreTest.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

namespace headroom::interchange::export_file_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ExportFileTest : public store::StoreTest {
protected:
    fs::path pipe() const
    {
        EXPECT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
        return file("pipe");
    }

    static std::string contents(const fs::path& path)
    {
        std::ifstream stream(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    std::vector<std::string> names() const
    {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(file("").parent_path()))
            found.push_back(entry.path().filename().string());
        return found;
    }
};

TEST_F(ExportFileTest, aReaderThatIsThereGetsEverythingAtOnce)
{
    const fs::path path = pipe();
    std::string read;
    std::jthread reader([&] { read = contents(path); });
    const std::string text(300'000, 'x'); // more than a pipe holds
    {
        ExportFile out(path);
        out.write(text);
        out.commit();
        EXPECT_EQ(out.size(), text.size());
    }
    reader.join();
    EXPECT_EQ(read, text);
    EXPECT_TRUE(fs::is_fifo(path));
}

TEST_F(ExportFileTest, aPipeThatNobodyReadsIsRefused)
{
    const fs::path path = pipe();
    EXPECT_EQ(refusal<FileError>([&] { ExportFile out(path); }),
        path.string()
            + ": file cannot be written: nobody reads this pipe (valid: a pipe with a reader (cat PIPE &), or a file)");
}

TEST_F(ExportFileTest, whoDoesNotReadIsNotWaitedForOnceAStopWasRequested)
{
    const fs::path path = pipe();
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    std::stop_source stop;
    ExportFile out(path, stop.get_token());
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        stop.request_stop();
    });
    EXPECT_THAT(refusal<FileError>([&] {
        out.write(std::string(300'000, 'x'));
        out.commit();
    }),
        HasSubstr("its reader does not read, and the run was stopped"));
    ::close(reader);
}

// A run that was stopped writes what it has all the same.
TEST_F(ExportFileTest, whoReadsGetsItAfterAStopToo)
{
    const fs::path path = pipe();
    std::string read;
    std::jthread reader([&] { read = contents(path); });
    std::stop_source stop;
    {
        ExportFile out(path, stop.get_token());
        stop.request_stop();
        out.write(std::string(300'000, 'x'));
        out.commit();
    }
    reader.join();
    EXPECT_EQ(read.size(), 300'000U);
}

TEST_F(ExportFileTest, twoWritersOfOneFileDoNotShareADraft)
{
    std::optional<ExportFile> first(file("a"));
    std::optional<ExportFile> second(file("a"));
    first->write("first");
    second->write("second, longer");
    second->commit();
    first->commit();
    EXPECT_EQ(contents(file("a")), "first");
    first.reset();
    second.reset();
    EXPECT_THAT(names(), testing::ElementsAre("a"));
}

TEST_F(ExportFileTest, draftsBearTheProcessAndGoWithWhatFailed)
{
    {
        ExportFile out(file("a"));
        out.write("text");
        EXPECT_THAT(names(),
            testing::ElementsAre(testing::MatchesRegex("a\\." + std::to_string(::getpid()) + "-[0-9]+\\.part")));
    }
    EXPECT_THAT(names(), testing::IsEmpty());
}

TEST_F(ExportFileTest, aLinkToAFileThatIsNotThereYetIsFollowed)
{
    fs::create_directory(file("folder"));
    fs::create_symlink("folder/new", file("link"));
    fs::create_symlink("link", file("longer"));
    ExportFile out(file("longer"));
    out.write("text");
    out.commit();
    EXPECT_TRUE(fs::is_symlink(file("longer")));
    EXPECT_TRUE(fs::is_symlink(file("link")));
    EXPECT_EQ(contents(file("folder/new")), "text");
}

// As `--junit /dev/stdout > out`: what is printed before and after stands in the same file.
TEST_F(ExportFileTest, whatStandardOutputGoesToIsNotReplaced)
{
    for (const std::string& name : {std::string("/dev/stdout"), file("out").string()}) {
        const pid_t child = ::fork();
        if (child == 0) {
            const int redirected = ::open(file("out").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
            ::dup2(redirected, STDOUT_FILENO);
            bool isPrinted = ::write(STDOUT_FILENO, "before ", 7) == 7;
            ExportFile out(name);
            out.write("text ");
            out.commit();
            isPrinted = ::write(STDOUT_FILENO, "after", 5) == 5 && isPrinted;
            ::_exit(isPrinted ? 0 : 1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
        EXPECT_EQ(contents(file("out")), "before text after") << name;
        EXPECT_THAT(names(), testing::ElementsAre("out"));
    }
}

TEST_F(ExportFileTest, aLoopOfLinksIsSaidInOurWords)
{
    ASSERT_EQ(::symlink("loop", file("loop").c_str()), 0);
    EXPECT_EQ(refusal<FileError>([&] { ExportFile out(file("loop")); }),
        file("loop").string()
            + ": file cannot be written: Too many levels of symbolic links (valid: a file in a folder that exists and "
              "may be written, on a disk with free space)");
}

} // namespace
} // namespace headroom::interchange::export_file_test
