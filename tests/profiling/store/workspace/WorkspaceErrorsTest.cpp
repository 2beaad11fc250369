// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/store/StoreTest.h"

#include "tests/support/ChildProcess.h"

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

namespace headroom::store {
namespace {

constexpr auto kAllAccess = {Access::ReadOnly, Access::ReadWrite, Access::Create};

class WorkspaceErrorsTest : public StoreTest {
protected:
    std::string openError(Access access) const
    {
        const std::string message = refusal<FileError>([&]() { Workspace::open(workspacePath(), access); });
        const std::string prefix = workspacePath().string() + ": ";
        EXPECT_EQ(message.rfind(prefix, 0), 0U) << message;
        return message.substr(std::min(message.size(), prefix.size()));
    }

    void expectUntouched(Access access, const std::string& message) const
    {
        const auto before = snapshot();
        EXPECT_EQ(openError(access), message);
        EXPECT_EQ(snapshot(), before);
    }

    // File permissions bind everybody but root.
    static void becomeOrdinaryUser()
    {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            throw std::runtime_error("cannot drop privileges");
    }
};

TEST_F(WorkspaceErrorsTest, aMissingFileIsNotMadeUnlessAskedFor)
{
    for (const Access access : {Access::ReadOnly, Access::ReadWrite})
        expectUntouched(access, "there is no such workspace (valid: a workspace of Headroom)");
}

TEST_F(WorkspaceErrorsTest, aMissingFolderIsNotMade)
{
    EXPECT_EQ(refusal<FileError>([&]() { Workspace::open(file("no/where.db"), Access::Create); }),
        file("no/where.db").string() + ": its folder does not exist (valid: a file name in an existing folder)");
    EXPECT_TRUE(snapshot().empty());
}

TEST_F(WorkspaceErrorsTest, aFolderIsNoWorkspace)
{
    std::filesystem::create_directory(workspacePath());
    for (const Access access : kAllAccess)
        expectUntouched(access, "this is a folder, not a file (valid: a workspace of Headroom)");
}

TEST_F(WorkspaceErrorsTest, aTextFileIsLeftAlone)
{
    writeText(workspacePath(), "dear diary, " + std::string(5'000, 'x'));
    for (const Access access : kAllAccess)
        expectUntouched(
            access, "the file is not an SQLite database and was left alone (valid: a workspace of Headroom)");
}

TEST_F(WorkspaceErrorsTest, anEmptyFileCannotBeRead)
{
    writeText(workspacePath(), "");
    for (const Access access : {Access::ReadOnly, Access::ReadWrite})
        expectUntouched(access, "the file is empty, not a workspace (valid: a workspace of Headroom)");
}

TEST_F(WorkspaceErrorsTest, anotherProgramsDatabaseIsLeftAlone)
{
    {
        SQLite::Database other(workspacePath().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        other.exec("PRAGMA journal_mode = WAL; CREATE TABLE bookmarks (url TEXT);");
    }
    for (const Access access : kAllAccess)
        expectUntouched(access,
            "the SQLite database belongs to another program and was left alone (valid: a workspace of Headroom)");
}

TEST_F(WorkspaceErrorsTest, aSpoolIsNoWorkspace)
{
    SpoolWriter(workspacePath()).finish();
    EXPECT_EQ(openError(Access::ReadWrite),
        "the SQLite database belongs to another program and was left alone (valid: a workspace of Headroom)");
}

TEST_F(WorkspaceErrorsTest, aTruncatedWorkspaceIsReportedAsDamaged)
{
    {
        Workspace workspace = create();
        addTrial(workspace);
    }
    std::filesystem::resize_file(workspacePath(), 5'000);
    EXPECT_NE(openError(Access::ReadWrite).find("the workspace is damaged"), std::string::npos);
}

TEST_F(WorkspaceErrorsTest, aLockedWorkspaceIsReportedAfterTheBusyTimeout)
{
    create();
    SQLite::Database other(workspacePath().string(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    WorkspaceOptions impatient;
    impatient.busyTimeout = std::chrono::milliseconds(100);
    Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite, impatient);
    EXPECT_TRUE(workspace.experiments().empty()); // readers are never locked out
    EXPECT_EQ(refusal<FileError>([&]() { workspace.addExperiment({}); }),
        workspacePath().string()
            + ": the workspace is locked by another writer (waited 0.1 s) (valid: one writer at a time)");
    other.exec("ROLLBACK");
    EXPECT_GT(workspace.addExperiment({}), 0);
}

TEST_F(WorkspaceErrorsTest, aReadOnlyFileIsNotOpenedForWriting)
{
    create();
    std::filesystem::permissions(m_folder.path(), std::filesystem::perms::all);
    chmod(workspacePath().c_str(), 0444);
    EXPECT_EQ(exitCodeOfChild([&]() {
        becomeOrdinaryUser();
        EXPECT_EQ(openError(Access::ReadWrite), "the workspace is read-only (valid: a file with write permission)");
        EXPECT_TRUE(Workspace::open(workspacePath(), Access::ReadOnly).experiments().empty());
    }),
        0);
}

TEST_F(WorkspaceErrorsTest, aReadOnlyFolderIsNoPlaceToWriteButOneToRead)
{
    {
        Workspace workspace = create();
        addTrial(workspace);
    }
    chmod(workspacePath().c_str(), 0666);
    chmod(m_folder.path().c_str(), 0555);
    const auto before = snapshot();
    EXPECT_EQ(exitCodeOfChild([&]() {
        becomeOrdinaryUser();
        const std::string message = "its folder is read-only, and SQLite keeps a -wal file there (valid: a folder with "
                                    "write permission)";
        EXPECT_EQ(openError(Access::ReadWrite), message);
        EXPECT_NE(refusal<FileError>([&]() { Workspace::open(file("new.db"), Access::Create); }).find(message),
            std::string::npos);
        EXPECT_EQ(Workspace::open(workspacePath(), Access::ReadOnly).experiments().size(), 1U);
    }),
        0);
    EXPECT_EQ(snapshot(), before);
    chmod(m_folder.path().c_str(), 0755);
}

TEST_F(WorkspaceErrorsTest, anUnreadableFileIsNamed)
{
    create();
    chmod(m_folder.path().c_str(), 0755);
    chmod(workspacePath().c_str(), 0);
    EXPECT_EQ(exitCodeOfChild([&]() {
        becomeOrdinaryUser();
        EXPECT_EQ(
            openError(Access::ReadOnly), "the file cannot be read: Permission denied (valid: a workspace of Headroom)");
    }),
        0);
}

// SQLite's own limit on the number of pages ends in the same code as a disk without space.
TEST_F(WorkspaceErrorsTest, aFullDiskSavesNothingAndSaysSo)
{
    SqliteFile full(workspacePath(), Access::Create, workspaceSchema(), kDefaultBusyTimeout);
    full.execute("PRAGMA max_page_count = " + std::to_string(full.integer("PRAGMA page_count") + 2));
    const std::string message = refusal<FileError>([&]() {
        WriteTransaction transaction(full);
        full.execute("INSERT INTO environments (hash, json) VALUES (1, hex(zeroblob(100000)))");
        transaction.commit();
    });
    EXPECT_EQ(
        message, workspacePath().string() + ": the disk is full, nothing was saved (valid: free space on its disk)");
    EXPECT_EQ(full.integer("SELECT count(*) FROM environments"), 0);
}

TEST_F(WorkspaceErrorsTest, aRealFullDiskLosesNothingThatWasSaved)
{
    const auto disk = file("disk");
    std::filesystem::create_directory(disk);
    if (mount("headroom-test", disk.c_str(), "tmpfs", 0, "size=1m") != 0)
        GTEST_SKIP() << "mounting a small disk needs privileges";
    {
        Workspace workspace = Workspace::open(disk / "w.db", Access::Create);
        const std::int64_t trial = addTrial(workspace);
        workspace.importRepeat(repeatOf(trial, 0));
        RepeatImport large = repeatOf(trial, 1);
        large.tracks.push_back({"device", trace::arbitraryEvents(60'000, 1), {}});
        EXPECT_EQ(refusal<FileError>([&]() { workspace.importRepeat(large); }),
            (disk / "w.db").string() + ": the disk is full, nothing was saved (valid: free space on its disk)");
        EXPECT_EQ(workspace.repeats(trial).size(), 1U);
    }
    EXPECT_EQ(integrity(disk / "w.db"), "ok");
    umount(disk.c_str());
}

TEST_F(WorkspaceErrorsTest, aFailedWriteLeavesTheWorkspaceAsItWas)
{
    std::int64_t trial = 0;
    {
        Workspace workspace = create();
        trial = addTrial(workspace);
    }
    EXPECT_EQ(exitCodeOfChild([&]() {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{400'000, 400'000};
        setrlimit(RLIMIT_FSIZE, &limit);
        Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
        RepeatImport large = repeatOf(trial, 0);
        large.tracks.push_back({"device", trace::arbitraryEvents(60'000, 1), {}});
        const std::string message = refusal<FileError>([&]() { workspace.importRepeat(large); });
        EXPECT_NE(message.find("nothing was saved"), std::string::npos) << message;
        EXPECT_TRUE(workspace.repeats(trial).empty());
    }),
        0);
    EXPECT_EQ(integrity(workspacePath()), "ok");
    Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
    EXPECT_TRUE(workspace.repeats(trial).empty());
}

TEST_F(WorkspaceErrorsTest, aCreationThatFailsLeavesNoFile)
{
    EXPECT_EQ(exitCodeOfChild([&]() {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{2'000, 2'000};
        setrlimit(RLIMIT_FSIZE, &limit);
        EXPECT_NE(openError(Access::Create).find("nothing was saved"), std::string::npos);
    }),
        0);
    EXPECT_TRUE(snapshot().empty());
}

} // namespace
} // namespace headroom::store
