// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"
#include "experiments/rehearsal/isolation/IsolatedCommand.h"
#include "tests/support/EnvironmentVariable.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// A socket on this machine that waits to be connected.
class ListeningSocket {
public:
    ListeningSocket()
        : m_descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof(address);
        ::bind(m_descriptor, reinterpret_cast<sockaddr*>(&address), length);
        ::listen(m_descriptor, 16);
        ::getsockname(m_descriptor, reinterpret_cast<sockaddr*>(&address), &length);
        m_port = ntohs(address.sin_port);
    }
    ~ListeningSocket() { ::close(m_descriptor); }
    ListeningSocket(const ListeningSocket&) = delete;
    ListeningSocket& operator=(const ListeningSocket&) = delete;

    int port() const { return m_port; }

    bool wasConnected() const
    {
        const int connection = ::accept4(m_descriptor, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection >= 0)
            ::close(connection);
        return connection >= 0;
    }

private:
    int m_descriptor;
    int m_port = 0;
};

/// Commands that run in a folder of the test, in which F is their folder.
class IsolationFixture : public testing::Test {
protected:
    IsolationFixture()
        : m_before(std::filesystem::current_path())
    {
        std::filesystem::create_directory(place() / "F");
        std::filesystem::create_directory(place() / "tmp");
        m_temporary.emplace("TMPDIR", (place() / "tmp").string());
        std::filesystem::current_path(place());
    }
    ~IsolationFixture() override { std::filesystem::current_path(m_before); }

    void SetUp() override
    {
        try {
            end(shell("true"));
        } catch (const UsageError& error) {
            GTEST_SKIP() << error.what();
        }
    }

    std::filesystem::path place() const { return std::filesystem::canonical(m_folder.path()); }
    void write(const std::string& name, const std::string& text) const { m_folder.write(name, text); }
    std::string content(const std::string& name) const { return contentOf(m_folder.file(name)); }
    bool isThere(const std::string& name) const { return std::filesystem::exists(m_folder.file(name)); }

    static std::vector<std::string> python(const std::string& text) { return {"python3", "-c", text}; }

    /// To be followed by the number of a port of this machine.
    inline static const std::string kConnects = "import socket; socket.create_connection(('127.0.0.1', ";
    /// As processes do that find each other by a port.
    inline static const std::string kTalksToItself =
        "import socket; one = socket.socket(); one.bind(('127.0.0.1', 0)); one.listen(); "
        "socket.create_connection(one.getsockname()); one.accept()";

    static std::vector<std::string> shell(const std::string& line) { return {"/bin/sh", "-c", line}; }

    CommandTerms terms(std::vector<std::string> command) const
    {
        CommandTerms terms;
        terms.command = std::move(command);
        terms.variables = m_variables;
        terms.folder = place() / "F";
        terms.written = m_written;
        terms.writes = m_writes;
        terms.network = m_network;
        terms.timeout = m_timeout;
        terms.hidden = m_hidden;
        return terms;
    }

    CommandEnd end(std::vector<std::string> command) const
    {
        return IsolatedCommand(terms(std::move(command))).wait([] { return false; });
    }

    int run(const std::string& line) const { return end(shell(line)).exitCode; }

    /// Whether the process is there whose number is in the file. One that nobody has waited for is not.
    bool isAlive(const std::string& name) const
    {
        const std::string state = contentOf("/proc/" + linesOf(content(name)).at(0) + "/stat");
        const std::size_t end = state.rfind(')');
        return end != std::string::npos && state.at(end + 2) != 'Z';
    }

    static bool becomes(const std::function<bool()>& isSo)
    {
        constexpr int kMoments = 1500; // half a minute, on a machine that is busy
        for (int moment = 0; moment < kMoments; ++moment, std::this_thread::sleep_for(std::chrono::milliseconds(20)))
            if (isSo())
                return true;
        return false;
    }

    void awaitFile(const std::string& name) const
    {
        ASSERT_TRUE(becomes([&] { return !content(name).empty(); })) << name;
    }

    /// What is there now for what is thrown away.
    std::size_t discardedFolders() const
    {
        return std::distance(std::filesystem::directory_iterator(place() / "tmp"), {});
    }

    TemporaryFolder m_folder;
    ListeningSocket m_outside;
    std::filesystem::path m_before;
    std::optional<EnvironmentVariable> m_temporary;
    std::map<std::string, std::string> m_variables;
    std::vector<std::filesystem::path> m_written;
    std::vector<std::filesystem::path> m_hidden;
    CommandTerms::Writes m_writes = CommandTerms::Writes::Discarded;
    CommandTerms::Network m_network = CommandTerms::Network::Loopback;
    std::chrono::nanoseconds m_timeout{};
};

} // namespace headroom::experiments
