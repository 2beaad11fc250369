// SPDX-License-Identifier: Apache-2.0
//
// Each case makes its attempts in a child that has given up its rights, as nothing gives them back.
#include "core/confinement/Confinement.h"

#include "core/confinement/Landlock.h"
#include "tests/support/ChildProcess.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string>
#include <thread>

namespace headroom::confinement {
namespace {

constexpr int kNoLandlock = 96;
constexpr int kNoFilter = 95;

// The error of a call; 0: it succeeded.
int errorOf(long result)
{
    return result < 0 ? errno : 0;
}

int errorOfOpening(const std::string& path, int flags)
{
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    const int error = errorOf(descriptor);
    if (descriptor >= 0)
        ::close(descriptor);
    return error;
}

int errorOfSocket(int family, int type)
{
    const int descriptor = ::socket(family, type, 0);
    const int error = errorOf(descriptor);
    if (descriptor >= 0)
        ::close(descriptor);
    return error;
}

class ConfinementTest : public testing::Test {
protected:
    ConfinementTest()
    {
        for (const char* folder : {"given", "spool", "mine"})
            std::filesystem::create_directory(m_folder.path() / folder);
        for (const char* file : {"given/weights", "spool/old", "mine/secret"})
            m_folder.write(file, "text");
    }

    std::string path(const std::string& name) const { return m_folder.path() / name; }

    std::vector<FileRule> rules() const { return {{path("given")}, {path("spool"), FileUse::Write}}; }

    // Skips where the kernel cannot hold what the attempts are about.
    void confined(const std::function<void(const Confinement&)>& attempts, Sockets sockets = Sockets::None,
        const std::vector<FileRule>& more = {})
    {
        std::vector<FileRule> all = rules();
        all.insert(all.end(), more.begin(), more.end());
        const int code = exitCodeOfChild([&] {
            const Confinement confinement = confine(all, sockets);
            if (!confinement.holdsFiles())
                ::_exit(kNoLandlock);
            if (!confinement.isFiltered)
                ::_exit(kNoFilter);
            attempts(confinement);
        });
        if (code == kNoLandlock)
            GTEST_SKIP() << "this kernel has no Landlock";
        if (code == kNoFilter)
            GTEST_SKIP() << "seccomp cannot be used here";
        EXPECT_EQ(code, 0);
    }

    TemporaryFolder m_folder;
};

TEST_F(ConfinementTest, whatWasGivenIsReadAndNotWritten)
{
    confined([&](const Confinement&) {
        EXPECT_EQ(contentOf(path("given/weights")), "text");
        EXPECT_EQ(errorOfOpening(path("given"), O_RDONLY | O_DIRECTORY), 0);
        EXPECT_EQ(errorOfOpening(path("given/weights"), O_WRONLY), EACCES);
        EXPECT_EQ(errorOfOpening(path("given/new"), O_WRONLY | O_CREAT), EACCES);
    });
}

TEST_F(ConfinementTest, theFolderOfTheSpoolIsWritten)
{
    confined([&](const Confinement&) {
        EXPECT_EQ(errorOfOpening(path("spool/new"), O_RDWR | O_CREAT), 0);
        EXPECT_EQ(errorOfOpening(path("spool/old"), O_WRONLY | O_TRUNC), 0);
        EXPECT_EQ(errorOf(::mkdir(path("spool/compiled").c_str(), 0700)), 0);
        EXPECT_EQ(errorOf(::rename(path("spool/new").c_str(), path("spool/newer").c_str())), 0);
        EXPECT_EQ(errorOf(::unlink(path("spool/newer").c_str())), 0);
    });
}

// Whoever reads the spool afterwards has all rights, and must not be led elsewhere.
TEST_F(ConfinementTest, noLinksAreMadeInIt)
{
    confined([&](const Confinement&) {
        EXPECT_EQ(errorOf(::symlink(path("mine/secret").c_str(), path("spool/link").c_str())), EACCES);
        EXPECT_NE(errorOf(::link(path("given/weights").c_str(), path("spool/link").c_str())), 0);
        EXPECT_NE(errorOf(::rename(path("given/weights").c_str(), path("spool/moved").c_str())), 0);
        EXPECT_EQ(errorOf(::mkfifo(path("spool/pipe").c_str(), 0600)), EACCES);
    });
}

TEST_F(ConfinementTest, nothingElseIsReadOrWritten)
{
    confined([&](const Confinement& confinement) {
        EXPECT_EQ(errorOfOpening(path("mine/secret"), O_RDONLY), EACCES);
        EXPECT_EQ(errorOfOpening(path("mine"), O_RDONLY | O_DIRECTORY), EACCES);
        EXPECT_EQ(errorOfOpening(path("mine/secret"), O_WRONLY), EACCES);
        EXPECT_EQ(errorOfOpening(path("mine/new"), O_WRONLY | O_CREAT), EACCES);
        EXPECT_EQ(errorOf(::unlink(path("mine/secret").c_str())), EACCES);
        EXPECT_EQ(errorOf(::mkdir(path("mine/folder").c_str(), 0700)), EACCES);
        EXPECT_NE(errorOf(::rename(path("mine/secret").c_str(), path("spool/stolen").c_str())), 0);
        EXPECT_EQ(errorOfOpening("/etc/passwd", O_RDONLY), EACCES);
        if (confinement.landlock >= 3) {
            EXPECT_NE(errorOfOpening(path("mine/secret"), O_RDONLY | O_TRUNC), 0);
        }
    });
    EXPECT_EQ(contentOf(m_folder.path() / "mine/secret"), "text");
}

TEST_F(ConfinementTest, aLinkInAGivenFolderLeadsNowhereElse)
{
    std::filesystem::create_symlink(path("mine/secret"), path("given/link"));
    confined([&](const Confinement&) { EXPECT_EQ(errorOfOpening(path("given/link"), O_RDONLY), EACCES); });
}

TEST_F(ConfinementTest, whatIsKnownOfFilesStays)
{
    const int own = ::open(path("spool/old").c_str(), O_RDWR | O_CLOEXEC);
    confined([&](const Confinement&) {
        EXPECT_EQ(errorOf(::chmod(path("mine/secret").c_str(), 0777)), EPERM);
        EXPECT_EQ(errorOf(::fchmod(own, 0777)), EPERM);
        EXPECT_EQ(errorOf(::chown(path("mine/secret").c_str(), ::getuid(), ::getgid())), EPERM);
        EXPECT_EQ(errorOf(::truncate(path("mine/secret").c_str(), 0)), EPERM);
        EXPECT_EQ(errorOf(::utimensat(AT_FDCWD, path("mine/secret").c_str(), nullptr, 0)), EPERM);
    });
    ::close(own);
}

TEST_F(ConfinementTest, noProgramIsStarted)
{
    confined(
        [&](const Confinement&) {
            char name[] = "true";
            char* const arguments[] = {name, nullptr};
            EXPECT_EQ(errorOf(::execv("/bin/true", arguments)), EPERM);
            const int program = ::memfd_create("program", 0);
            EXPECT_EQ(errorOf(::fexecve(program, arguments, arguments + 1)), EPERM);
        },
        Sockets::Local, {{"/bin"}, {"/usr"}, {"/lib"}, {"/proc"}});
}

TEST_F(ConfinementTest, thereIsNoNetwork)
{
    confined([&](const Confinement&) {
        for (const int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_UNIX})
            for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW})
                EXPECT_EQ(errorOfSocket(family, type), EACCES) << family << " " << type;
    });
}

TEST_F(ConfinementTest, driversHaveTheSocketsOfThisMachine)
{
    confined(
        [&](const Confinement&) {
            EXPECT_EQ(errorOfSocket(AF_UNIX, SOCK_STREAM), 0);
            EXPECT_EQ(errorOfSocket(AF_INET, SOCK_STREAM), EACCES);
            EXPECT_EQ(errorOfSocket(AF_INET6, SOCK_DGRAM), EACCES);
        },
        Sockets::Local);
}

// One that was open before cannot be connected either, where Landlock knows of networks.
TEST_F(ConfinementTest, aSocketFromBeforeIsNotConnected)
{
    const int before = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(9);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    confined([&](const Confinement& confinement) {
        if (confinement.landlock >= 4) {
            EXPECT_EQ(errorOf(::connect(before, reinterpret_cast<sockaddr*>(&address), sizeof(address))), EACCES);
        }
    });
    ::close(before);
}

TEST_F(ConfinementTest, otherProcessesAreLeftAlone)
{
    const pid_t parent = ::getpid();
    confined(
        [&](const Confinement& confinement) {
            if (confinement.landlock >= 6) {
                EXPECT_EQ(errorOf(::kill(parent, 0)), EPERM);
            }
            for (const char* file : {"environ", "mem", "maps", "auxv", "root/etc/passwd", "cwd"})
                EXPECT_NE(errorOfOpening("/proc/" + std::to_string(parent) + "/" + file, O_RDONLY), 0) << file;
            EXPECT_EQ(errorOfOpening("/proc/self/maps", O_RDONLY), 0);
            EXPECT_EQ(errorOf(::kill(::getpid(), 0)), 0);
        },
        Sockets::None, {{"/proc"}});
}

TEST_F(ConfinementTest, threadsThatComeLaterAreHeldToo)
{
    confined([&](const Confinement&) {
        std::thread([&] {
            EXPECT_EQ(errorOfOpening(path("mine/secret"), O_RDONLY), EACCES);
            EXPECT_EQ(errorOfSocket(AF_INET, SOCK_STREAM), EACCES);
        }).join();
    });
}

TEST_F(ConfinementTest, aThreadFromBeforeIsToldOf)
{
    const int code = exitCodeOfChild([&] {
        std::atomic<bool> mayEnd = false;
        std::thread before([&] {
            while (!mayEnd)
                std::this_thread::yield();
        });
        const Confinement confinement = confine(rules(), Sockets::None);
        mayEnd = true;
        before.join();
        EXPECT_FALSE(confinement.isComplete());
        EXPECT_THAT(confinement.lacking, testing::Contains(testing::HasSubstr("1 threads were there before")));
    });
    EXPECT_EQ(code, 0);
}

TEST_F(ConfinementTest, aRuleForAFileThatIsNotThereIsNoError)
{
    confined([&](const Confinement& confinement) { EXPECT_TRUE(confinement.isComplete() || confinement.landlock < 6); },
        Sockets::None, {{path("none")}, {path("none/at/all"), FileUse::Write}});
}

// A device is a file: what it takes beyond reading and writing are commands, which newer kernels ask about.
TEST_F(ConfinementTest, devicesAreUsed)
{
    confined(
        [&](const Confinement&) {
            EXPECT_EQ(errorOfOpening("/dev/null", O_RDWR), 0);
            EXPECT_EQ(errorOfOpening("/dev/zero", O_RDONLY), EACCES);
        },
        Sockets::None, {{"/dev/null", FileUse::Device}});
}

TEST_F(ConfinementTest, aSecondCallCanOnlyTighten)
{
    confined([&](const Confinement&) {
        restrictFiles({{path("mine")}, {path("given")}});
        EXPECT_EQ(errorOfOpening(path("given/weights"), O_RDONLY), 0);
        EXPECT_EQ(errorOfOpening(path("mine/secret"), O_RDONLY), EACCES);
        EXPECT_EQ(errorOfOpening(path("spool/old"), O_RDONLY), EACCES);
    });
}

// Prepared by one process and entered by another, as after a fork nothing may be allocated.
TEST_F(ConfinementTest, aDomainIsEnteredByAnotherProcess)
{
    const LandlockDomain domain(
        {true, {{"/", FileUse::List}, {path("given"), FileUse::Run}, {path("spool"), FileUse::All}}});
    if (domain.version() == 0)
        GTEST_SKIP() << domain.reason();
    const pid_t parent = ::getpid();
    const int code = exitCodeOfChild([&] {
        ASSERT_TRUE(domain.enter());
        EXPECT_EQ(contentOf(path("given/weights")), "text");
        EXPECT_EQ(errorOfOpening(path("given/weights"), O_WRONLY), EACCES);
        EXPECT_EQ(errorOfOpening(path("mine"), O_RDONLY | O_DIRECTORY), 0);
        EXPECT_EQ(errorOfOpening(path("mine/secret"), O_RDONLY), EACCES);
        EXPECT_EQ(errorOfOpening(path("spool/old"), O_WRONLY), 0);
        EXPECT_EQ(errorOf(::symlink("old", path("spool/link").c_str())), 0);
        if (domain.version() >= 6) {
            EXPECT_EQ(errorOf(::kill(parent, 0)), EPERM);
        }
    });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(errorOfOpening(path("mine/secret"), O_RDONLY), 0); // of this process nothing was taken
}

TEST_F(ConfinementTest, aDomainWithoutFilesHoldsSignalsAlone)
{
    const LandlockDomain domain({false});
    const pid_t parent = ::getpid();
    const int code = exitCodeOfChild([&] {
        ASSERT_TRUE(domain.enter());
        EXPECT_EQ(errorOfOpening(path("mine/secret"), O_WRONLY), 0);
        EXPECT_EQ(errorOf(::kill(parent, 0)), domain.version() >= 6 ? EPERM : 0);
    });
    EXPECT_EQ(code, 0);
}

TEST_F(ConfinementTest, theSocketFilterLeavesThoseOfThisMachine)
{
    const SocketFilter filter;
    const int code = exitCodeOfChild([&] {
        if (!filter.enter())
            ::_exit(kNoFilter);
        for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {
            EXPECT_EQ(errorOfSocket(AF_INET, type), EACCES);
            EXPECT_EQ(errorOfSocket(AF_INET6, type), EACCES);
            EXPECT_EQ(errorOfSocket(AF_UNIX, type), 0);
        }
        EXPECT_EQ(errorOfSocket(AF_NETLINK, SOCK_RAW), 0);
        EXPECT_EQ(errorOfOpening(path("mine/secret"), O_WRONLY), 0);
    });
    if (code == kNoFilter)
        GTEST_SKIP() << "seccomp cannot be used here";
    EXPECT_EQ(code, 0);
}

} // namespace
} // namespace headroom::confinement
