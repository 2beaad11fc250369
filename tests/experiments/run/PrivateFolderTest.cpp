// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/PrivateFolder.h"

#include "core/base/Error.h"
#include "tests/experiments/run/RunFixture.h"
#include "tests/support/EnvironmentVariable.h"

#include <gmock/gmock.h>

#include <array>
#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headroom::experiments::private_folder_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

using Purpose = PrivateFolder::Purpose;

class PrivateFolderTest : public testing::Test {
protected:
    const fs::path& place() const { return m_folder.path(); }
    std::vector<std::string> names() const { return m_folder.names(); }

    // By a process that is killed while it has one of each purpose.
    void leaveTwo() const
    {
        const pid_t child = ::fork();
        if (child == 0) {
            const PrivateFolder trace(Purpose::Trace, place());
            const PrivateFolder card(Purpose::Card, place());
            fs::create_directory(trace.path() / "inner");
            ::kill(::getpid(), SIGKILL);
        }
        ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    }

    TemporaryFolder m_folder;
};

TEST_F(PrivateFolderTest, isForItsOwnerAloneAndGoesWithWhatIsInIt)
{
    {
        const PrivateFolder folder(Purpose::Trace, place());
        struct stat status{};
        ASSERT_EQ(::stat(folder.path().c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777U, 0700U);
        EXPECT_THAT(folder.path().filename().string(), testing::MatchesRegex("headroom-trace-......"));
        fs::create_directories(folder.path() / "inner" / "most");
    }
    EXPECT_THAT(names(), IsEmpty());
}

TEST_F(PrivateFolderTest, thoseOfAKilledProcessGoWithTheNextOne)
{
    leaveTwo();
    ASSERT_THAT(names(), SizeIs(2));
    const PrivateFolder next(Purpose::Card, place());
    EXPECT_THAT(names(), ElementsAre(next.path().filename().string()));
}

TEST_F(PrivateFolderTest, thoseOfAKilledProcessCanBeRemovedWithoutANewOne)
{
    leaveTwo();
    const EnvironmentVariable temporary("TMPDIR", place().string());
    PrivateFolder::removeLeft();
    EXPECT_THAT(names(), IsEmpty());
}

TEST_F(PrivateFolderTest, thoseInUseStayInThisProcessAndInOthers)
{
    const PrivateFolder own(Purpose::Trace, place());
    std::array<int, 2> ready{};
    ASSERT_EQ(::pipe(ready.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const PrivateFolder other(Purpose::Trace, place());
        [[maybe_unused]] const auto written = ::write(ready[1], "!", 1);
        ::pause();
        ::_exit(0);
    }
    char sign = 0;
    ASSERT_EQ(::read(ready[0], &sign, 1), 1);
    PrivateFolder::removeLeft(place());
    EXPECT_THAT(names(), SizeIs(2));
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    PrivateFolder::removeLeft(place());
    EXPECT_THAT(names(), ElementsAre(own.path().filename().string()));
    for (const int end : ready)
        ::close(end);
}

TEST_F(PrivateFolderTest, whatIsNotOfThisKindStays)
{
    m_folder.write("notes/headroom-trace-abcdef/x", "");
    fs::create_directory(place() / "headroom-trace-of-mine");
    fs::create_directory(place() / "headroom-test-abcdef");
    m_folder.write("headroom-card-abcdef", "a file");
    fs::create_directory_symlink(place() / "notes", place() / "headroom-trace-linked");
    PrivateFolder::removeLeft(place());
    EXPECT_THAT(names(),
        UnorderedElementsAre("notes", "headroom-trace-of-mine", "headroom-test-abcdef", "headroom-card-abcdef",
            "headroom-trace-linked"));
    EXPECT_TRUE(fs::exists(place() / "notes" / "headroom-trace-abcdef" / "x"));
}

TEST_F(PrivateFolderTest, aPlaceThatCannotBeWrittenIsAnError)
{
    EXPECT_THROW(PrivateFolder(Purpose::Trace, place() / "nowhere"), FileError);
    PrivateFolder::removeLeft(place() / "nowhere");
}

using PrivateFoldersOfRuns = RunFixture;

TEST_F(PrivateFoldersOfRuns, whatAKilledProcessHasLeftGoesWithTheNextRunOfAnything)
{
    const TemporaryFolder place;
    const EnvironmentVariable temporary("TMPDIR", place.path().string());
    fs::create_directory(place.path() / "headroom-trace-abcdef");
    run("device.name = \"sim:t4\"\n");
    EXPECT_THAT(place.names(), IsEmpty());
}

} // namespace
} // namespace headroom::experiments::private_folder_test
