// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/FilePlace.h"

#include "tests/profiling/store/StoreTest.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/vfs.h>

#include <cstdarg>

namespace headroom::store::file_place_test {

// What the file system seems to be, and what becomes of locks. 0 and "as it is" but in the tests below.
enum class Locks { AsTheyAre, Refused, Ignored };
static std::uint32_t g_magic = 0;
static Locks g_locks = Locks::AsTheyAre;

} // namespace headroom::store::file_place_test

// NOLINTBEGIN: the C library's names and signatures
extern "C" {

int statfs(const char* path, struct statfs* found) noexcept
{
    using headroom::store::file_place_test::g_magic;
    static auto* const original = reinterpret_cast<int (*)(const char*, struct statfs*)>(dlsym(RTLD_NEXT, "statfs"));
    const int code = original(path, found);
    if (g_magic != 0)
        found->f_type = g_magic;
    return code;
}

int fcntl(int descriptor, int command, ...)
{
    using headroom::store::file_place_test::g_locks;
    using headroom::store::file_place_test::Locks;
    va_list arguments;
    va_start(arguments, command);
    void* const argument = va_arg(arguments, void*);
    va_end(arguments);
    const bool isLock = command == F_SETLK || command == F_OFD_SETLK;
    if (isLock && g_locks == Locks::Refused) {
        errno = ENOLCK;
        return -1;
    }
    if (isLock && g_locks == Locks::Ignored)
        return 0;
    static auto* const original = reinterpret_cast<int (*)(int, int, ...)>(dlsym(RTLD_NEXT, "fcntl"));
    return original(descriptor, command, argument);
}
}
// NOLINTEND

namespace headroom::store::file_place_test {
namespace {

constexpr std::uint32_t kNfs = 0x6969;
constexpr std::uint32_t kFuse = 0x65735546;

class FilePlaceTest : public StoreTest {
protected:
    ~FilePlaceTest() override
    {
        g_magic = 0;
        g_locks = Locks::AsTheyAre;
    }
};

TEST_F(FilePlaceTest, aLocalFolderHasNothingToBeSaid)
{
    EXPECT_EQ(placeOf(workspacePath()).caution(), "");
    EXPECT_EQ(lockingProblem(m_folder.path()), "");
    EXPECT_TRUE(snapshot().empty());
}

TEST_F(FilePlaceTest, aNetworkFileSystemIsNamed)
{
    g_magic = kNfs;
    EXPECT_EQ(placeOf(workspacePath()).network, "NFS");
    EXPECT_EQ(placeOf(file("no/such/folder/w.db")).network, "NFS");
    EXPECT_NE(placeOf(workspacePath()).caution().find("from one machine at a time"), std::string::npos);
    g_magic = kFuse;
    EXPECT_EQ(placeOf(workspacePath()).network, "FUSE");
}

TEST_F(FilePlaceTest, aSynchronisedFolderIsNamedFromAnyFolderInIt)
{
    std::filesystem::create_directories(file("mine/deep"));
    std::filesystem::create_directory(file("mine/.stfolder"));
    EXPECT_EQ(placeOf(file("mine/deep/w.db")).synchronisedBy, "Syncthing");
    EXPECT_NE(placeOf(file("mine/deep/w.db")).caution().find("Syncthing copies"), std::string::npos);
    EXPECT_EQ(placeOf(workspacePath()).synchronisedBy, "");
}

TEST_F(FilePlaceTest, aWorkspaceOnANetworkWithLocksIsUsed)
{
    g_magic = kNfs;
    create();
    EXPECT_NO_THROW(Workspace::open(workspacePath(), Access::ReadWrite));
    EXPECT_EQ(snapshot().size(), 1U); // the trial of the locks leaves nothing
}

TEST_F(FilePlaceTest, whereLocksAreRefusedNothingIsWritten)
{
    create();
    const auto before = snapshot();
    g_magic = kNfs;
    g_locks = Locks::Refused;
    EXPECT_EQ(refusal<FileError>([&] { Workspace::open(workspacePath(), Access::ReadWrite); }),
        workspacePath().string()
            + ": locks do not work on its file system (NFS): No locks available. Two programs that write at once would "
              "destroy it (valid: a file on a local disk)");
    EXPECT_THROW(Workspace::open(file("new.db"), Access::Create), FileError);
    EXPECT_EQ(snapshot(), before);
}

TEST_F(FilePlaceTest, whereLocksExcludeNobodyNothingIsWritten)
{
    create();
    g_magic = kFuse;
    g_locks = Locks::Ignored;
    EXPECT_EQ(lockingProblem(m_folder.path()), "a lock is not seen by others");
    EXPECT_NE(
        refusal<FileError>([&] { Workspace::open(workspacePath(), Access::ReadWrite); }).find("locks do not work"),
        std::string::npos);
}

} // namespace
} // namespace headroom::store::file_place_test
