// SPDX-License-Identifier: Apache-2.0
//
// run-rehearsed CARD PROGRAM [ARGUMENT]...: starts a program with the substitute for the CUDA runtime loaded before it,
// and ends as it does. What tests with a GPU are given where there is none.

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/run/RehearsedCard.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

using headroom::experiments::RehearsedCard;

constexpr int kCannotRun = 127;

int endOf(pid_t child)
{
    int status = 0;
    if (::waitpid(child, &status, 0) != child)
        return kCannotRun;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run(const char* name, char** command)
{
    const headroom::simulator::ProfileCatalogue profiles(headroom::config::resourceDirectory());
    const RehearsedCard card(profiles.device(name, "CARD"), RehearsedCard::Terms{});
    const auto variables = card.variables();
    const pid_t child = ::fork();
    if (child != 0)
        return endOf(child);
    for (const auto& [variable, value] : variables)
        ::setenv(variable.c_str(), value.c_str(), 1);
    ::execvp(command[0], command);
    std::perror(command[0]);
    ::_exit(kCannotRun);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fputs("usage: run-rehearsed CARD PROGRAM [ARGUMENT]...\n", stderr);
        return 2;
    }
    try {
        return run(argv[1], argv + 2);
    } catch (const headroom::Error& error) {
        std::fprintf(stderr, "run-rehearsed: %s\n", error.what());
        return kCannotRun;
    }
}
