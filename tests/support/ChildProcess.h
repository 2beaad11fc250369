// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <functional>

namespace headroom {

/// Exit codes of a child whose body failed.
constexpr int kChildFailedAnExpectation = 98;
constexpr int kChildThrew = 99; ///< the message is on the standard error stream

/// Runs `body` in a child process, for what a process cannot undo: setting a limit, changing the user, being killed.
/// Returns the exit code: 0 if `body` returned without a failed expectation, -1 if a signal ended the child.
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

/// Switches to the user nobody, because file permissions do not restrict root; for use in a child process.
inline void becomeNobody()
{
    constexpr unsigned kNobody = 65534;
    constexpr int kNoOtherUser = 97;
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0))
        ::_exit(kNoOtherUser);
}

} // namespace headroom
