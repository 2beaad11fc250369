// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/IsolatedCommand.h"

#include "core/base/Error.h"
#include "experiments/rehearsal/isolation/CommandWords.h"
#include "experiments/rehearsal/isolation/DiscardedPlace.h"
#include "experiments/rehearsal/isolation/Guardian.h"
#include "experiments/rehearsal/isolation/MountPlan.h"
#include "experiments/run/PrivateFolder.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;
using Writes = CommandTerms::Writes;
using Network = CommandTerms::Network;
using Clock = std::chrono::steady_clock;

constexpr int kPollMilliseconds = 20;

// Of programs that act for others: what they are asked to do is done outside.
const std::vector<std::string> kWaysOut{"SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS",
    "DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DOCKER_HOST", "CONTAINER_HOST", "GPG_AGENT_INFO"};

bool mayMount()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
    return ::syscall(SYS_capget, &header, sets.data()) == 0 && (sets[0].effective & 1U << CAP_SYS_ADMIN) != 0;
}

// Each that this process knows is the same one inside.
std::string everyOne(const char* map)
{
    std::ifstream lines(map);
    std::string same;
    for (std::string inside, outside, count; lines >> inside >> outside >> count;)
        same.append(inside).append(" ").append(inside).append(" ").append(count).append("\n");
    return same;
}

std::string onlyOne(unsigned id)
{
    const std::string text = std::to_string(id);
    return text + " " + text + " 1\n";
}

const char* textOf(LaunchReport::Part part)
{
    constexpr std::array kTexts{"", "no process could be made", "no namespaces could be made",
        "no user namespace could be made", "no overlay could be mounted", "no network could be made",
        "the mounts could not be taken", "no user namespace could be made for the command",
        "rights could not be given up", "the current folder cannot be entered"};
    return kTexts.at(static_cast<std::size_t>(part));
}

std::pair<int, int> newPipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw TrialError("no pipe could be made: " + std::generic_category().message(errno));
    return {ends[0], ends[1]};
}

void closeOne(int& descriptor)
{
    if (descriptor >= 0)
        ::close(std::exchange(descriptor, -1));
}

} // namespace

std::vector<fs::path> CommandTerms::gpuFiles()
{
    std::vector<fs::path> files;
    std::error_code missing;
    for (const fs::directory_entry& entry : fs::directory_iterator("/dev", missing)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("nvidia") || name == "dri" || name == "kfd" || name == "dxg")
            files.push_back(entry.path());
    }
    return files;
}

class IsolatedCommand::Run {
public:
    explicit Run(CommandTerms terms);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    CommandEnd wait(const std::function<bool()>& shallEnd);

private:
    enum class Way { Mounts, LockedMounts };

    bool isStarted(Way way);
    void prepare(Way way);
    void prepareWords();
    void prepareMounts(Way way);
    MountTerms mountTerms(Way way) const;
    void fork();
    bool isRunning();
    void take(const LaunchReport& report);
    void end();
    bool isHeard(LaunchReport& report) const;
    void awaitEnd(const std::function<bool()>& shallEnd);

    CommandTerms m_terms;
    Clock::time_point m_begin = Clock::now();
    std::unique_ptr<PrivateFolder> m_discarded;
    std::unique_ptr<Launch> m_launch;
    std::string m_why; ///< the last way was not possible
    CommandEnd m_end;
    bool m_hasEnded = false;
    pid_t m_guardian = -1;
    int m_orders = -1;
    int m_reports = -1;
};

IsolatedCommand::Run::Run(CommandTerms terms)
    : m_terms(std::move(terms))
{
    if (m_terms.command.empty())
        throw UsageError("there is no command", {}, "a program and its arguments after --");
    m_terms.written.push_back(m_terms.folder);
    for (fs::path& path : m_terms.written)
        path = fs::canonical(path);
    if (mayMount() && isStarted(Way::Mounts))
        return;
    if (isStarted(Way::LockedMounts))
        return;
    throw UsageError("what the command writes cannot be kept from the disk here: " + m_why, {},
        "--writes real, which lets it write");
}

IsolatedCommand::Run::~Run()
{
    end();
}

bool IsolatedCommand::Run::isStarted(Way way)
{
    m_end = {};
    prepare(way);
    fork();
    return isRunning();
}

void IsolatedCommand::Run::prepare(Way way)
{
    const std::optional<fs::path> place = placeForDiscarded();
    m_discarded =
        std::make_unique<PrivateFolder>(PrivateFolder::Purpose::Writes, place ? *place : fs::temp_directory_path());
    m_launch = std::make_unique<Launch>();
    m_launch->discardedParent = m_discarded->path().parent_path().string();
    m_launch->discardedName = m_discarded->path().filename().string();
    m_launch->workingFolder = fs::current_path().string();
    prepareWords();
    prepareMounts(way);
    m_end.isolation = m_terms.writes == Writes::Discarded ? "overlay" : "none";
}

void IsolatedCommand::Run::prepareWords()
{
    const bool isOut = m_terms.network == Network::Real;
    std::vector<std::string> environment =
        environmentWith(m_terms.variables, isOut ? std::vector<std::string>() : kWaysOut);
    m_launch->programs = KernelTexts(programsOf(m_terms.command.front(), environment));
    m_launch->environment = KernelTexts(std::move(environment));
    std::vector<std::string> arguments{"/bin/sh"};
    arguments.insert(arguments.end(), m_terms.command.begin(), m_terms.command.end());
    m_launch->arguments = KernelTexts(std::move(arguments));
}

MountTerms IsolatedCommand::Run::mountTerms(Way way) const
{
    MountTerms terms;
    terms.discarded = m_discarded->path();
    terms.written = m_terms.written;
    terms.hidden = m_terms.hidden;
    terms.needed = {fs::current_path(), m_discarded->path()};
    terms.discardsWrites = m_terms.writes == Writes::Discarded;
    terms.mountsAreLocked = way == Way::LockedMounts;
    terms.hidesSockets = m_terms.network == Network::Loopback;
    return terms;
}

void IsolatedCommand::Run::prepareMounts(Way way)
{
    Launch& launch = *m_launch;
    MountPlan plan = planMounts(mountTerms(way));
    launch.mounts = std::move(plan.steps);
    launch.root = std::move(plan.root);
    launch.hasOwnNetwork = m_terms.network == Network::Loopback;
    launch.namespaces = CLONE_NEWNS | CLONE_NEWIPC | (launch.hasOwnNetwork ? CLONE_NEWNET : 0);
    launch.commandUsers = way == Way::Mounts ? everyOne("/proc/self/uid_map") : onlyOne(::geteuid());
    launch.commandGroups = way == Way::Mounts ? everyOne("/proc/self/gid_map") : onlyOne(::getegid());
    if (way == Way::Mounts)
        return;
    launch.namespaces |= CLONE_NEWUSER;
    launch.ownUsers = launch.commandUsers;
    launch.ownGroups = launch.commandGroups;
}

// With all signals blocked, so that none of ours is handled in the new process.
void IsolatedCommand::Run::fork()
{
    auto [ordersRead, ordersWritten] = newPipe();
    auto [reportsRead, reportsWritten] = newPipe();
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    m_guardian = ::fork();
    if (m_guardian == 0)
        watchOver(*m_launch, {ordersRead, reportsWritten});
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(ordersRead);
    ::close(reportsWritten);
    m_orders = ordersWritten;
    m_reports = reportsRead;
    if (m_guardian < 0)
        throw TrialError("no process could be made: " + std::generic_category().message(error));
}

bool IsolatedCommand::Run::isHeard(LaunchReport& report) const
{
    ssize_t length = 0;
    while ((length = ::read(m_reports, &report, sizeof(report))) < 0 && errno == EINTR) { }
    return length == static_cast<ssize_t>(sizeof(report));
}

bool IsolatedCommand::Run::isRunning()
{
    for (LaunchReport report; isHeard(report);) {
        if (report.kind == LaunchReport::Kind::Started)
            return true;
        take(report);
    }
    end();
    return false;
}

void IsolatedCommand::Run::take(const LaunchReport& report)
{
    using Kind = LaunchReport::Kind;
    const std::string error = std::generic_category().message(report.error);
    if (report.kind == Kind::NoProgram) {
        end();
        throw UsageError(m_terms.command.front() + " cannot be started: " + error, {}, "a program that PATH leads to");
    }
    if (report.kind == Kind::WeakerMount)
        m_end.lacking.push_back("nothing can be written in " + m_launch->mounts.at(report.value).source);
    if (report.kind != Kind::Failed)
        return;
    m_why = std::string(textOf(report.part)) + ": " + error;
    if (report.part == LaunchReport::Part::Mount && report.value >= 0)
        m_why += " (" + m_launch->mounts.at(report.value).target + ")";
}

// Whoever watches over the command ends when it has killed and removed everything.
void IsolatedCommand::Run::end()
{
    closeOne(m_orders);
    if (m_guardian > 0)
        while (::waitpid(m_guardian, nullptr, 0) < 0 && errno == EINTR) { }
    m_guardian = -1;
    closeOne(m_reports);
    m_discarded.reset();
}

void IsolatedCommand::Run::awaitEnd(const std::function<bool()>& shallEnd)
{
    pollfd reports{m_reports, POLLIN, 0};
    while (::poll(&reports, 1, kPollMilliseconds) <= 0) {
        if (m_orders < 0)
            continue;
        m_end.timedOut = m_terms.timeout.count() > 0 && Clock::now() - m_begin >= m_terms.timeout;
        m_end.stopped = !m_end.timedOut && shallEnd();
        if (m_end.timedOut || m_end.stopped)
            closeOne(m_orders);
    }
}

CommandEnd IsolatedCommand::Run::wait(const std::function<bool()>& shallEnd)
{
    if (std::exchange(m_hasEnded, true))
        return m_end;
    awaitEnd(shallEnd);
    LaunchReport report{LaunchReport::Kind::Ended, LaunchReport::Part::None, SIGKILL, 0};
    isHeard(report);
    m_end.exitCode = WIFEXITED(report.value) ? WEXITSTATUS(report.value) : 128 + WTERMSIG(report.value);
    end();
    return m_end;
}

IsolatedCommand::IsolatedCommand(CommandTerms terms)
    : m_run(std::make_unique<Run>(std::move(terms)))
{
}

IsolatedCommand::~IsolatedCommand() = default;

CommandEnd IsolatedCommand::wait(const std::function<bool()>& shallEnd)
{
    return m_run->wait(shallEnd);
}

} // namespace headroom::experiments
