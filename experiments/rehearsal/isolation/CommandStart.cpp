// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/CommandStart.h"

#include "experiments/rehearsal/isolation/ForkedCalls.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace headroom::experiments {
namespace {

using Part = LaunchReport::Part;
using Kind = LaunchReport::Kind;

[[noreturn]] void fail(int reports, Part part, int value = 0)
{
    report(reports, {Kind::Failed, part, value, errno});
    ::_exit(1);
}

void needs(bool isDone, int reports, Part part, int value = 0)
{
    if (!isDone)
        fail(reports, part, value);
}

bool isMounted(const char* source, const char* target, const char* type, unsigned long flags, const char* options)
{
    return ::mount(source, target, type, flags, options) == 0;
}

bool isBound(const MountStep& step)
{
    return isMounted(step.source.c_str(), step.target.c_str(), nullptr, MS_BIND | MS_REC, nullptr);
}

bool isBoundReadOnly(const MountStep& step)
{
    if (!isBound(step))
        return false;
    mount_attr attributes{};
    attributes.attr_set = MOUNT_ATTR_RDONLY;
    if (::syscall(SYS_mount_setattr, AT_FDCWD, step.target.c_str(), AT_RECURSIVE, &attributes, sizeof(attributes)) == 0)
        return true;
    const int error = errno;
    ::umount2(step.target.c_str(), MNT_DETACH);
    errno = error;
    return false;
}

bool isDone(const MountStep& step)
{
    const char* const target = step.target.c_str();
    switch (step.kind) {
    case MountStep::Kind::Overlay:
        return isMounted("overlay", target, "overlay", MS_NODEV, step.options.c_str());
    case MountStep::Kind::Bind:
        return isBound(step);
    case MountStep::Kind::ReadOnly:
        return isBoundReadOnly(step);
    case MountStep::Kind::Memory:
        return isMounted("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
    case MountStep::Kind::Terminals:
        break;
    }
    return isMounted("devpts", target, "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620");
}

// Where there is no overlay, at least nothing is written.
void change(const Launch& launch, int reports)
{
    needs(isMounted(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), reports, Part::Mount, -1);
    int number = 0;
    for (const MountStep& step : launch.mounts) {
        if (!isDone(step)) {
            if (step.isNeeded)
                fail(reports, Part::Mount, number);
            if (step.kind == MountStep::Kind::Overlay && isBoundReadOnly(step))
                report(reports, {Kind::WeakerMount, Part::None, number, errno});
        }
        ++number;
    }
}

bool hasLoopback()
{
    const int any = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ifreq request{};
    std::memcpy(request.ifr_name, "lo", 3);
    request.ifr_flags = IFF_UP;
    const bool isUp = any >= 0 && ::ioctl(any, SIOCSIFFLAGS, &request) == 0;
    ::close(any);
    return isUp;
}

bool isRoot(const char* root)
{
    return ::chdir(root) == 0 && ::syscall(SYS_pivot_root, ".", ".") == 0 && ::umount2(".", MNT_DETACH) == 0
        && ::chdir("/") == 0;
}

void prepare(const Launch& launch, int reports)
{
    needs(::unshare(launch.namespaces) == 0, reports, Part::Namespaces);
    if (!launch.ownUsers.empty()) {
        writeTo("/proc/self/setgroups", "deny", 4); // where it is not there, it is not asked for either
        needs(writeTo("/proc/self/uid_map", launch.ownUsers.c_str(), launch.ownUsers.size())
                && writeTo("/proc/self/gid_map", launch.ownGroups.c_str(), launch.ownGroups.size()),
            reports, Part::Users);
    }
    if (!launch.mounts.empty())
        change(launch, reports);
    if (launch.hasOwnNetwork)
        needs(hasLoopback(), reports, Part::Network);
    if (!launch.root.empty())
        needs(isRoot(launch.root.c_str()), reports, Part::Root);
}

// As a shell does it: a program may be there that may not be started, and another one of the name behind it.
void execute(Launch& launch)
{
    char* const* const environment = launch.environment.pointers();
    char** const withShell = launch.arguments.writable().data();
    int error = ENOENT;
    for (char* const* program = launch.programs.pointers(); *program != nullptr; ++program) {
        ::execve(*program, withShell + 1, environment);
        if (errno == ENOEXEC) {
            withShell[1] = *program;
            ::execve(withShell[0], withShell, environment);
        }
        if (errno != ENOENT && errno != ENOTDIR)
            error = errno;
    }
    errno = error;
}

// Those that we ignore or hold back are ours to ignore, but for the end of a terminal, which nohup lets be ignored.
void resetSignals()
{
    for (const int signal : {SIGPIPE, SIGINT, SIGQUIT, SIGTERM, SIGCHLD, SIGUSR1, SIGUSR2})
        ::signal(signal, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

struct Steps {
    int made[2]; ///< the command has its namespace
    int mapped[2]; ///< and its users
};

bool isHeard(int pipe)
{
    char letter = 0;
    return ::read(pipe, &letter, 1) == 1;
}

[[noreturn]] void runCommand(Launch& launch, int reports, const Steps& steps)
{
    ::close(steps.made[0]);
    ::close(steps.mapped[1]);
    if (!launch.commandUsers.empty()) {
        needs(::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0, reports, Part::CommandUsers);
        ::write(steps.made[1], "", 1) == 1 && isHeard(steps.mapped[0]) ? void() : ::_exit(1);
    }
    needs(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && (!launch.domain || launch.domain->enter())
            && (!launch.filter || launch.filter->enter()),
        reports, Part::Rights);
    needs(::chdir(launch.workingFolder.c_str()) == 0, reports, Part::WorkingFolder);
    constexpr rlimit kNoCore{1, 1}; // zero would be none for a file, and all for a program that is given it
    if (launch.leavesNoCore)
        ::setrlimit(RLIMIT_CORE, &kNoCore);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    resetSignals();
    execute(launch);
    report(reports, {Kind::NoProgram, Part::None, 0, errno});
    ::_exit(1);
}

void mapUsers(const Launch& launch, int reports, pid_t command, const Steps& steps)
{
    ::close(steps.made[1]);
    ::close(steps.mapped[0]);
    if (launch.commandUsers.empty() || !isHeard(steps.made[0]))
        return;
    const bool areMapped =
        writeTo(ProcessFile(command, "uid_map").path(), launch.commandUsers.c_str(), launch.commandUsers.size())
        && writeTo(ProcessFile(command, "gid_map").path(), launch.commandGroups.c_str(), launch.commandGroups.size());
    needs(areMapped && ::write(steps.mapped[1], "", 1) == 1, reports, Part::CommandUsers);
}

} // namespace

void startCommand(Launch& launch, int reports)
{
    if (launch.namespaces != 0)
        prepare(launch, reports);
    Steps steps{};
    needs(::pipe2(steps.made, O_CLOEXEC) == 0 && ::pipe2(steps.mapped, O_CLOEXEC) == 0, reports, Part::Fork);
    const pid_t command = ::fork();
    needs(command >= 0, reports, Part::Fork);
    if (command == 0)
        runCommand(launch, reports, steps);
    report(reports, {Kind::Command, Part::None, command, 0});
    mapUsers(launch, reports, command, steps);
    ::_exit(0);
}

} // namespace headroom::experiments
