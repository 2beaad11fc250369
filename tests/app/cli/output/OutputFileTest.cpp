// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/AppendedFile.h"

#include "app/cli/output/EventFile.h"
#include "core/base/Error.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <optional>
#include <thread>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
protected:
    fs::path path(const std::string& name) const { return m_folder.path() / name; }
    std::string contents(const std::string& name) const { return contentOf(path(name)); }
    std::size_t count() const { return m_folder.names().size(); }

    TemporaryFolder m_folder;
};

TEST_F(OutputFileTest, leavesNothingBehindWhenNothingIsWritten)
{
    {
        const AppendedFile appended(path("c"));
    }
    EXPECT_EQ(count(), 0U);
}

TEST_F(OutputFileTest, aFullDeviceIsAnError)
{
    EXPECT_THROW(AppendedFile("/dev/full").append("text"), FileError);
}

TEST_F(OutputFileTest, whatCannotBeWrittenIsSaidBeforeAnythingIsRun)
{
    EXPECT_THROW(AppendedFile(path("no/such/file")), FileError);
}

TEST_F(OutputFileTest, aLoopOfLinksIsSaidInOurWords)
{
    ASSERT_EQ(::symlink("loop", path("loop").c_str()), 0);
    const std::string text = path("loop").string() + ": file cannot be written: Too many levels of symbolic links";
    EXPECT_THAT(refusal<FileError>([&] { AppendedFile file(path("loop")); }), testing::StartsWith(text));
    EXPECT_THAT(refusal<FileError>([&] { EventFile(path("loop"), {}); }), testing::HasSubstr("event file cannot be"));
}

// A pipe's reader must see one beginning and one end.
TEST_F(OutputFileTest, aPipeStaysOpenFromTheCheckToTheEnd)
{
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    const auto received = [&](const std::function<void()>& write) {
        std::string read;
        std::jthread reader([&] { read = contents("pipe"); });
        write();
        reader.join();
        return read;
    };
    EXPECT_EQ(received([&] {
        AppendedFile file(path("pipe"));
        EXPECT_EQ(file.size(), 0u);
        file.append("text");
    }),
        "text");
    EXPECT_EQ(received([&] {
        EventFile file(path("pipe"), {});
        file.stream() << "one\n" << std::flush << "two\n";
        file.close();
    }),
        "one\ntwo\n");
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(OutputFileTest, eventsAreThereAtOnceAndWhatIsLostIsTold)
{
    EventFile file(path("events"), {});
    file.stream() << "one\n" << std::flush;
    EXPECT_EQ(contents("events"), "one\n");
    file.close();
    EventFile full("/dev/full", {});
    full.stream() << "one\n" << std::flush << "two\n" << std::flush;
    EXPECT_THAT(refusal<FileError>([&] { full.close(); }),
        testing::StartsWith("/dev/full: event file could not be written to its end"));
}

TEST_F(OutputFileTest, whatOthersHaveWrittenMeanwhileStays)
{
    {
        const AppendedFile refused(path("a"));
        AppendedFile(path("a")).append("another run's");
    }
    EXPECT_EQ(contents("a"), "another run's");
    {
        const AppendedFile refused(path("b"));
        fs::remove(path("b"));
        m_folder.write("b", ""); // somebody else's file of that name
    }
    EXPECT_TRUE(fs::exists(path("b")));
}

TEST_F(OutputFileTest, aFileThatWasTakenAwayMeanwhileIsMadeAgain)
{
    std::optional<AppendedFile> refused(path("a"));
    AppendedFile other(path("a"));
    refused.reset();
    other.append("text");
    EXPECT_EQ(contents("a"), "text");
}

TEST_F(OutputFileTest, whatWasMadeBehindALinkGoesAndNotTheLink)
{
    fs::create_symlink("real", path("link"));
    {
        const AppendedFile appended(path("link"));
    }
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_FALSE(fs::exists(path("real")));
}

TEST_F(OutputFileTest, appendsToWhatOthersWrote)
{
    m_folder.write("a", "one ");
    AppendedFile file(path("a"));
    EXPECT_EQ(file.size(), 4u);
    file.append("two ");
    file.append("three");
    EXPECT_EQ(contents("a"), "one two three");
}

} // namespace
} // namespace headroom::cli
