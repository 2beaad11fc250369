// SPDX-License-Identifier: Apache-2.0
//
// What is done where a kernel, a container or a user lacks rights. Each case gives them up in a child, for good.
#include "tests/experiments/rehearsal/isolation/IsolationFixture.h"

#include "core/confinement/Landlock.h"
#include "tests/support/ChildProcess.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>

namespace headroom::experiments::isolation_fallback_test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using Writes = CommandTerms::Writes;

constexpr std::uint32_t kCreateRuleset = 444; // of Landlock

// As containers and distributions refuse them.
void refuse(const std::vector<std::uint32_t>& calls)
{
    const auto line = [](int code, std::uint32_t value, std::uint8_t skipped) {
        return sock_filter{static_cast<std::uint16_t>(code), 0, skipped, value};
    };
    std::vector<sock_filter> lines{line(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr), 0)};
    for (const std::uint32_t call : calls) {
        lines.push_back(line(BPF_JMP | BPF_JEQ | BPF_K, call, 1));
        lines.push_back(line(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0));
    }
    lines.push_back(line(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0));
    const sock_fprog filter{static_cast<unsigned short>(lines.size()), lines.data()};
    ASSERT_EQ(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ASSERT_EQ(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
}

class IsolationFallbackTest : public IsolationFixture {
protected:
    void SetUp() override
    {
        constexpr int kTruncates = 3;
        if (confinement::LandlockDomain({}).version() < kTruncates)
            GTEST_SKIP() << "this kernel's Landlock does not keep files from being emptied";
        write("old", "of before");
        write("folder/old", "of before");
    }

    static void inChild(const std::function<void()>& body) { EXPECT_EQ(exitCodeOfChild(body), 0); }

    // In each line the command fails, or the shell would end with 1.
    void expectFilesAreHeld() const
    {
        const CommandEnd ended =
            end(shell("test \"$(cat old)\" = 'of before' || exit 1; for line in 'echo x > old' 'echo x >> old' "
                      "'rm old' 'mv old other' ': > folder/old' 'rm -r folder' 'ln old link' 'mkdir made' "
                      "'mv old F/old' 'ln old F/old' 'truncate -s 0 old'; do "
                      "sh -c \"$line\" 2> /dev/null && { echo \"$line was possible\"; exit 1; }; done; "
                      "echo x > $TMPDIR/own && mv $TMPDIR/own $TMPDIR/moved && echo record > F/record && "
                      "ln -s record F/link && echo x > /dev/null"));
        EXPECT_EQ(ended.exitCode, 0);
        EXPECT_EQ(ended.isolation, "landlock");
        EXPECT_THAT(ended.lacking, Contains(HasSubstr("TMPDIR")));
        EXPECT_EQ(content("old"), "of before");
        EXPECT_EQ(content("folder/old"), "of before");
        EXPECT_EQ(content("F/record"), "record\n");
        EXPECT_EQ(discardedFolders(), 0U);
    }
};

TEST_F(IsolationFallbackTest, filesAreHeldWithoutOverlays)
{
    inChild([&] {
        refuse({SYS_mount});
        expectFilesAreHeld();
        EXPECT_EQ(end(python(kTalksToItself)).exitCode, 0);
        EXPECT_EQ(end(python(kConnects + std::to_string(m_outside.port()) + "))")).exitCode, 1);
    });
    EXPECT_FALSE(m_outside.wasConnected());
}

TEST_F(IsolationFallbackTest, filesAreHeldWithoutNamespacesAndThereAreNoSocketsOfTheInternet)
{
    inChild([&] {
        refuse({SYS_unshare});
        expectFilesAreHeld();
        EXPECT_EQ(end(python(kConnects + std::to_string(m_outside.port()) + "))")).exitCode, 1);
        const CommandEnd ended = end(python("import socket; socket.socketpair(); socket.socket(socket.AF_UNIX)"));
        EXPECT_EQ(ended.exitCode, 0);
        EXPECT_THAT(ended.lacking, Contains(HasSubstr("no sockets of the internet")));
        m_network = CommandTerms::Network::Real;
        EXPECT_EQ(end(python(kTalksToItself)).exitCode, 0);
    });
    EXPECT_FALSE(m_outside.wasConnected());
}

TEST_F(IsolationFallbackTest, aHiddenFileIsNotOpenedWithoutNamespaces)
{
    m_hidden = {place() / "folder/old"};
    write("folder/seen", "x");
    inChild([&] {
        refuse({SYS_unshare});
        for (const Writes writes : {Writes::Discarded, Writes::Real}) {
            m_writes = writes;
            EXPECT_EQ(run("cat folder/seen > F/seen && ! cat folder/old 2> /dev/null"), 0);
        }
        EXPECT_EQ(run("echo real > folder/seen"), 0);
    });
    EXPECT_EQ(content("folder/seen"), "real\n");
}

TEST_F(IsolationFallbackTest, nothingIsStartedWhereNothingHoldsIt)
{
    inChild([&] {
        refuse({SYS_unshare, kCreateRuleset});
        try {
            run("echo x > old");
            ADD_FAILURE() << "it was started";
        } catch (const UsageError& error) {
            EXPECT_THAT(error.what(), HasSubstr("so it is not started (valid: --writes real"));
        }
        m_writes = Writes::Real;
        EXPECT_EQ(run("echo changed > old"), 0);
        m_hidden = {place() / "folder/old"};
        EXPECT_THROW(run("cat folder/old"), UsageError);
    });
    EXPECT_EQ(content("old"), "changed\n");
}

// Its mounts are locked, so that every folder has an overlay of its own.
TEST_F(IsolationFallbackTest, anyUserHasOverlays)
{
    inChild([&] {
        for (const fs::path& folder : {m_folder.path(), m_folder.file("tmp")})
            fs::permissions(folder, fs::perms::all);
        becomeNobody();
        ::prctl(PR_SET_DUMPABLE, 1); // as it is for a program that somebody starts
        const TemporaryFolder own;
        own.write("old", "of before");
        own.write("folder/old", "of before");
        fs::create_directory(own.path() / "F");
        fs::current_path(own.path());
        CommandTerms terms =
            this->terms(shell("cat old && echo x > old && rm -r folder && mkdir made && touch made/x && "
                              "echo record > F/record && test $(id -u) = "
                + std::to_string(::geteuid())));
        terms.folder = own.path() / "F";
        const EnvironmentVariable temporary("TMPDIR", own.path().string());
        IsolatedCommand command(terms);
        const CommandEnd ended = command.wait([] { return false; });
        if (ended.isolation != "overlay")
            return; // this system lets no user have namespaces
        EXPECT_EQ(ended.exitCode, 0);
        EXPECT_EQ(contentOf(own.file("old")), "of before");
        EXPECT_EQ(contentOf(own.file("F/record")), "record\n");
        EXPECT_THAT(own.names(), testing::ElementsAre("F", "folder", "old"));
        terms.command = python(kTalksToItself);
        EXPECT_EQ(IsolatedCommand(terms).wait([] { return false; }).exitCode, 0);
        terms.command = python(kConnects + std::to_string(m_outside.port()) + "))");
        EXPECT_EQ(IsolatedCommand(terms).wait([] { return false; }).exitCode, 1);
        fs::current_path("/");
    });
    EXPECT_FALSE(m_outside.wasConnected());
}

} // namespace
} // namespace headroom::experiments::isolation_fallback_test
