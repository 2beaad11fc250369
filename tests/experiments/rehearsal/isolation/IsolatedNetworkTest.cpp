// SPDX-License-Identifier: Apache-2.0
#include "tests/experiments/rehearsal/isolation/IsolationFixture.h"

#include "core/confinement/Landlock.h"

#include <sys/un.h>

#include <cstring>

namespace headroom::experiments::isolated_network_test {
namespace {

using IsolatedNetworkTest = IsolationFixture;
using Writes = CommandTerms::Writes;
using Network = CommandTerms::Network;

TEST_F(IsolatedNetworkTest, itReachesItselfAndNothingElse)
{
    for (const Writes writes : {Writes::Discarded, Writes::Real}) {
        m_writes = writes;
        EXPECT_EQ(end(python(kTalksToItself)).exitCode, 0);
        EXPECT_EQ(end(python(kConnects + std::to_string(m_outside.port()) + "))")).exitCode, 1);
    }
    EXPECT_FALSE(m_outside.wasConnected());
}

TEST_F(IsolatedNetworkTest, itReachesOthersWhereThatIsAskedFor)
{
    m_network = Network::Real;
    EXPECT_EQ(end(python(kConnects + std::to_string(m_outside.port()) + "))")).exitCode, 0);
    EXPECT_TRUE(m_outside.wasConnected());
}

// As those of docker, of a desktop or of an agent for keys: by path, and by name alone.
TEST_F(IsolatedNetworkTest, itReachesNoSocketsOfOtherPrograms)
{
    for (const bool isNamed : {false, true}) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string path = (place() / "agent").string();
        std::memcpy(address.sun_path + (isNamed ? 1 : 0), path.c_str(), path.size());
        const int agent = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        ASSERT_EQ(::bind(agent, reinterpret_cast<sockaddr*>(&address),
                      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + (isNamed ? 1 : 0))),
            0);
        ASSERT_EQ(::listen(agent, 4), 0);
        const auto connects = python("import socket; socket.socket(socket.AF_UNIX).connect("
            + std::string(isNamed ? "'\\0' + " : "") + "'" + path + "')");
        for (const Writes writes : {Writes::Discarded, Writes::Real}) {
            m_writes = writes;
            EXPECT_EQ(end(connects).exitCode, 1) << isNamed;
        }
        m_network = Network::Real;
        EXPECT_EQ(end(connects).exitCode, 0) << isNamed;
        m_network = Network::Loopback;
        ::close(agent);
    }
}

TEST_F(IsolatedNetworkTest, eachHasPortsOfItsOwn)
{
    const std::string holds = "import socket, os, time\n"
                              "one = socket.socket(); one.bind(('127.0.0.1', 29500)); one.listen()\n"
                              "open('F/' + str(os.getpid()), 'w')\n"
                              "while len(os.listdir('F')) < 2: time.sleep(0.02)\n";
    IsolatedCommand one(terms(python(holds)));
    IsolatedCommand other(terms(python(holds)));
    EXPECT_EQ(one.wait([] { return false; }).exitCode, 0);
    EXPECT_EQ(other.wait([] { return false; }).exitCode, 0);
}

TEST_F(IsolatedNetworkTest, itSignalsNoProcessOutside)
{
    constexpr int kSignals = 6;
    if (confinement::LandlockDomain({}).version() < kSignals)
        GTEST_SKIP() << "Landlock holds signals from Linux 6.12 on";
    EXPECT_EQ(
        run("! kill -0 " + std::to_string(::getpid()) + " 2> /dev/null && sleep 100 & kill -9 $! && kill -0 $$"), 0);
    EXPECT_EQ(run("cat /proc/" + std::to_string(::getpid()) + "/environ > /dev/null 2>&1"), 1);
}

} // namespace
} // namespace headroom::experiments::isolated_network_test
