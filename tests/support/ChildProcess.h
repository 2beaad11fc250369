// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <functional>

namespace headroom {

/// Exit codes of a child whose body did not do as expected.
constexpr int kChildFailedAnExpectation = 98;
constexpr int kChildThrew = 99; ///< the message is on the standard error stream

/// Runs `body` in a child process, for what a process cannot take back: a limit, a user, a kill. Returns its exit code:
/// 0 where `body` returned and met no failed expectation, -1 where a signal ended it.
inline int exitCodeOfChild(const std::function<void()>& body)
{
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            body();
            ::_exit(testing::Test::HasFailure() ? kChildFailedAnExpectation : 0);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "child: %s\n", error.what());
            ::_exit(kChildThrew);
        }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Becomes a user whom the permissions of files bind, which root is not; for children.
inline void becomeNobody()
{
    constexpr unsigned kNobody = 65534;
    constexpr int kNoOtherUser = 97;
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0))
        ::_exit(kNoOtherUser);
}

} // namespace headroom
