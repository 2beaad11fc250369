// SPDX-License-Identifier: Apache-2.0
#include "core/base/ReplacedFile.h"

#include "core/base/Error.h"
#include "tests/support/ChildProcess.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace headroom::replaced_file_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ReplacedFileTest : public testing::Test {
protected:
    fs::path file(const std::string& name) const { return m_folder.file(name); }

    fs::path pipe() const
    {
        EXPECT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
        return file("pipe");
    }

    std::vector<std::string> names() const { return m_folder.names(); }

    TemporaryFolder m_folder;
};

TEST_F(ReplacedFileTest, keepsWhatWasThereUntilTheNewTextIsComplete)
{
    m_folder.write("a", "old");
    ReplacedFile out(file("a"));
    EXPECT_EQ(contentOf(file("a")), "old");
    out.write("new");
    out.commit();
    EXPECT_EQ(contentOf(file("a")), "new");
    EXPECT_EQ(names().size(), 1U);
}

TEST_F(ReplacedFileTest, leavesNothingBehindWhenNothingIsWritten)
{
    m_folder.write("a", "old");
    {
        const ReplacedFile replaced(file("a"));
        const ReplacedFile made(file("b"));
    }
    EXPECT_EQ(contentOf(file("a")), "old");
    EXPECT_EQ(names().size(), 1U);
}

TEST_F(ReplacedFileTest, writesThroughALink)
{
    m_folder.write("real", "old");
    fs::create_symlink(file("real"), file("link"));
    replaceFile(file("link"), "new");
    EXPECT_EQ(contentOf(file("real")), "new");
    EXPECT_TRUE(fs::is_symlink(file("link")));
}

TEST_F(ReplacedFileTest, aDeviceIsWrittenToAndNotReplaced)
{
    replaceFile("/dev/null", "text");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_THROW(replaceFile("/dev/full", "text"), FileError);
}

TEST_F(ReplacedFileTest, whatCannotBeWrittenIsSaidBeforeAnythingIsWritten)
{
    EXPECT_THROW(ReplacedFile(file("no/such/file")), FileError);
    EXPECT_THROW(ReplacedFile(file("")), FileError);
}

// Of more than is held back at once too, which goes its own way.
TEST_F(ReplacedFileTest, piecesOfAnySizeFollowEachOther)
{
    const std::string large(1'000'000, 'x');
    ReplacedFile out(file("a"));
    for (const std::string& piece : {std::string("one"), large, std::string(), std::string("two")})
        out.write(piece);
    out.commit();
    EXPECT_EQ(contentOf(file("a")), "one" + large + "two");
    EXPECT_EQ(out.size(), large.size() + 6);
}

TEST_F(ReplacedFileTest, aFileKeepsItsPermissions)
{
    m_folder.write("a", "secret");
    fs::permissions(file("a"), fs::perms::owner_read | fs::perms::owner_write);
    replaceFile(file("a"), "still secret");
    EXPECT_EQ(contentOf(file("a")), "still secret");
    EXPECT_EQ(fs::status(file("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(ReplacedFileTest, aFileThatMayNotBeWrittenStays)
{
    m_folder.write("a", "old");
    fs::permissions(file("a"), fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
    fs::permissions(m_folder.path(), fs::perms::all);
    EXPECT_EQ(exitCodeOfChild([&] {
        becomeNobody();
        const auto error = errorOf<UnwritableFile>([&] { replaceFile(file("a"), "new"); });
        EXPECT_TRUE(error && error->why() == "Permission denied");
    }),
        0);
    EXPECT_EQ(contentOf(file("a")), "old");
    EXPECT_THAT(names(), testing::ElementsAre("a"));
}

TEST_F(ReplacedFileTest, aReaderThatIsThereGetsEverythingAtOnce)
{
    const fs::path path = pipe();
    std::string read;
    std::jthread reader([&] { read = contentOf(path); });
    const std::string text(300'000, 'x'); // more than a pipe holds
    {
        ReplacedFile out(path);
        out.write(text);
        out.commit();
        EXPECT_EQ(out.size(), text.size());
    }
    reader.join();
    EXPECT_EQ(read, text);
    EXPECT_TRUE(fs::is_fifo(path));
}

TEST_F(ReplacedFileTest, aPipeThatNobodyReadsIsRefused)
{
    const fs::path path = pipe();
    EXPECT_EQ(refusal<FileError>([&] { ReplacedFile out(path); }),
        path.string()
            + ": file cannot be written: nobody reads this pipe (valid: a pipe with a reader (cat PIPE &), or a file)");
}

TEST_F(ReplacedFileTest, whoDoesNotReadIsNotWaitedForOnceAStopWasRequested)
{
    const fs::path path = pipe();
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    std::stop_source stop;
    ReplacedFile out(path, stop.get_token());
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
TEST_F(ReplacedFileTest, whoReadsGetsItAfterAStopToo)
{
    const fs::path path = pipe();
    std::string read;
    std::jthread reader([&] { read = contentOf(path); });
    std::stop_source stop;
    {
        ReplacedFile out(path, stop.get_token());
        stop.request_stop();
        out.write(std::string(300'000, 'x'));
        out.commit();
    }
    reader.join();
    EXPECT_EQ(read.size(), 300'000U);
}

TEST_F(ReplacedFileTest, twoWritersOfOneFileDoNotShareADraft)
{
    std::optional<ReplacedFile> first(file("a"));
    std::optional<ReplacedFile> second(file("a"));
    first->write("first");
    second->write("second, longer");
    second->commit();
    first->commit();
    EXPECT_EQ(contentOf(file("a")), "first");
    first.reset();
    second.reset();
    EXPECT_THAT(names(), testing::ElementsAre("a"));
}

TEST_F(ReplacedFileTest, draftsBearTheProcessAndGoWithWhatFailed)
{
    {
        ReplacedFile out(file("a"));
        out.write("text");
        EXPECT_THAT(names(),
            testing::ElementsAre(testing::MatchesRegex("a\\." + std::to_string(::getpid()) + "-[0-9]+\\.part")));
    }
    EXPECT_THAT(names(), testing::IsEmpty());
}

TEST_F(ReplacedFileTest, draftsOfProcessesThatWereKilledGoWithTheNextOne)
{
    const pid_t killed = ::fork();
    if (killed == 0) {
        ReplacedFile out(file("a"));
        ReplacedFile other(file("b"));
        ::_exit(0); // no destructor removes them
    }
    ::waitpid(killed, nullptr, 0);
    const std::string part = "." + std::to_string(killed) + "-";
    ASSERT_EQ(names().size(), 2U);
    m_folder.write("a.x-0.part", "a file of somebody's");
    m_folder.write("a" + part + "0.part.bak", "one more");
    replaceFile(file("a"), "text");
    EXPECT_THAT(names(),
        testing::UnorderedElementsAre("a", "a.x-0.part", "a" + part + "0.part.bak",
            testing::MatchesRegex("b\\." + std::to_string(killed) + "-[0-9]+\\.part")));
}

// Of another container: the number of its process says nothing here.
TEST_F(ReplacedFileTest, aDraftThatSomebodyWritesStays)
{
    constexpr const char* kElsewhere = "a.999999999-0.part";
    std::optional<OutputDescriptor> other(
        std::in_place, file(kElsewhere), OutputDescriptor::Start::Truncated, file(kElsewhere), std::stop_token());
    other->hold();
    replaceFile(file("a"), "text");
    EXPECT_THAT(names(), testing::UnorderedElementsAre("a", kElsewhere));
    other.reset();
    replaceFile(file("a"), "text");
    EXPECT_THAT(names(), testing::ElementsAre("a"));
}

TEST_F(ReplacedFileTest, aLinkToAFileThatIsNotThereYetIsFollowed)
{
    fs::create_directory(file("folder"));
    fs::create_symlink("folder/new", file("link"));
    fs::create_symlink("link", file("longer"));
    ReplacedFile out(file("longer"));
    out.write("text");
    out.commit();
    EXPECT_TRUE(fs::is_symlink(file("longer")));
    EXPECT_TRUE(fs::is_symlink(file("link")));
    EXPECT_EQ(contentOf(file("folder/new")), "text");
}

// As `--junit /dev/stdout > out`: what is printed before and after stands in the same file.
TEST_F(ReplacedFileTest, whatStandardOutputGoesToIsNotReplaced)
{
    for (const std::string& name : {std::string("/dev/stdout"), file("out").string()}) {
        EXPECT_EQ(exitCodeOfChild([&] {
            const int redirected = ::open(file("out").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
            ::dup2(redirected, STDOUT_FILENO);
            bool isPrinted = ::write(STDOUT_FILENO, "before ", 7) == 7;
            ReplacedFile out(name);
            out.write("text ");
            out.commit();
            isPrinted = ::write(STDOUT_FILENO, "after", 5) == 5 && isPrinted;
            ::_exit(isPrinted ? 0 : 1);
        }),
            0);
        EXPECT_EQ(contentOf(file("out")), "before text after") << name;
        EXPECT_THAT(names(), testing::ElementsAre("out"));
    }
}

TEST_F(ReplacedFileTest, aLoopOfLinksIsSaidInOurWords)
{
    ASSERT_EQ(::symlink("loop", file("loop").c_str()), 0);
    EXPECT_EQ(refusal<FileError>([&] { ReplacedFile out(file("loop")); }),
        file("loop").string()
            + ": file cannot be written: Too many levels of symbolic links (valid: a file in a folder that exists and "
              "may be written, on a disk with free space)");
}

} // namespace
} // namespace headroom::replaced_file_test
