// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/Guardian.h"

#include "experiments/rehearsal/isolation/CommandStart.h"
#include "experiments/rehearsal/isolation/ForkedCalls.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace headroom::experiments {
namespace {

using Kind = LaunchReport::Kind;
using Part = LaunchReport::Part;

constexpr int kNotEnded = -1;

// Each one that dies leaves its children to us, so that a round kills them all, one level at a time.
void killAll()
{
    const pid_t self = ::getpid();
    for (;;) {
        killChildrenOf(self);
        pid_t ended = 0;
        while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) { }
        if (ended < 0 && errno == ECHILD)
            return;
        const timespec moment{0, 1'000'000};
        ::nanosleep(&moment, nullptr);
    }
}

void removeDiscarded(const Launch& launch)
{
    if (launch.discardedName.empty())
        return;
    const int parent = ::open(launch.discardedParent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    removeFolder(parent, launch.discardedName.c_str());
}

// The command; 0: it did not start, which has been reported. Whoever starts it holds the other end until it runs.
pid_t startedCommand(Launch& launch, const GuardianPipes& pipes)
{
    int start[2];
    if (::pipe2(start, O_CLOEXEC) != 0)
        return 0;
    const pid_t starter = ::fork();
    if (starter == 0) {
        ::close(pipes.orders);
        ::close(pipes.reports);
        startCommand(launch, start[1]);
    }
    ::close(start[1]);
    pid_t command = 0;
    LaunchReport heard;
    while (::read(start[0], &heard, sizeof(heard)) == sizeof(heard)) {
        if (heard.kind == Kind::Command)
            command = heard.value;
        else
            report(pipes.reports, heard);
        if (heard.kind == Kind::Failed || heard.kind == Kind::NoProgram)
            return 0;
    }
    ::close(start[0]);
    return command;
}

// Reaps what has ended, of which the command's status is of interest.
int statusOf(pid_t command)
{
    int found = kNotEnded;
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;)
        if (ended == command)
            found = status;
    return found;
}

// Until the command has ended or shall end.
int awaitedStatus(pid_t command, int orders)
{
    sigset_t ends;
    ::sigemptyset(&ends);
    ::sigaddset(&ends, SIGCHLD);
    const int signals = ::signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
    pollfd sources[2] = {{orders, POLLIN, 0}, {signals, POLLIN, 0}};
    for (;;) {
        const int status = statusOf(command);
        if (status != kNotEnded || sources[0].revents != 0)
            return status;
        ::poll(sources, 2, -1);
        signalfd_siginfo one;
        while (::read(signals, &one, sizeof(one)) > 0) { }
    }
}

} // namespace

void watchOver(Launch& launch, const GuardianPipes& pipes)
{
    closeAllBut({pipes.orders, pipes.reports, launch.domain ? launch.domain->descriptor() : -1});
    ::signal(SIGCHLD, SIG_DFL);
    ::prctl(PR_SET_NAME, "rehearsal");
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    const pid_t command = startedCommand(launch, pipes);
    int status = kNotEnded;
    if (command != 0) {
        report(pipes.reports, {Kind::Started, Part::None, command, 0});
        status = awaitedStatus(command, pipes.orders);
    }
    killAll();
    removeDiscarded(launch);
    if (command != 0)
        report(pipes.reports, {Kind::Ended, Part::None, status == kNotEnded ? SIGKILL : status, 0});
    ::_exit(0);
}

} // namespace headroom::experiments
