// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/IsolatedCommand.h"

#include "core/base/Error.h"
#include "experiments/rehearsal/isolation/DiscardedPlace.h"
#include "experiments/rehearsal/isolation/Guardian.h"
#include "experiments/rehearsal/isolation/LaunchWays.h"
#include "experiments/rehearsal/isolation/ProgramLoader.h"
#include "experiments/run/PrivateFolder.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <system_error>
#include <utility>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Kind = LaunchReport::Kind;
using Part = LaunchReport::Part;

constexpr int kPollMilliseconds = 20;

std::string messageOf(int error)
{
    return std::generic_category().message(error);
}

const char* textOf(Part part)
{
    constexpr std::array kTexts{"", "no process can be made", "no namespaces can be made",
        "no user namespace can be made", "no overlay can be mounted", "no network can be made",
        "the mounts cannot be taken", "no user namespace can be made for the command", "rights cannot be given up",
        "the current folder cannot be entered"};
    return kTexts.at(static_cast<std::size_t>(part));
}

struct Pipe {
    int read = -1;
    int written = -1;
};

Pipe newPipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw TrialError("no pipe can be made: " + messageOf(errno));
    return {ends[0], ends[1]};
}

void closeOne(int& descriptor)
{
    if (descriptor >= 0)
        ::close(std::exchange(descriptor, -1));
}

// An overlay needs a disk.
fs::path placeFor(LaunchWay way, const CommandTerms& terms)
{
    const std::optional<fs::path> place = placeForDiscarded();
    const bool hasOverlay = way == LaunchWay::Mounts || way == LaunchWay::LockedMounts;
    if (!place && hasOverlay && terms.writes == CommandTerms::Writes::Discarded)
        throw UsageError("all folders for temporary files are in memory, on a server or on an overlay");
    return place ? *place : fs::canonical(fs::temp_directory_path());
}

void requireLoader(const std::string& program)
{
    const fs::path loader = loaderOf(program);
    if (isOfMusl(loader))
        throw UsageError(program + " is built for the C library musl (" + loader.string()
                + "), which cannot load the card that is not there",
            {}, "a Python for glibc, as python.org, conda and uv have it");
    std::error_code unknown;
    if (!loader.empty() && !fs::exists(loader, unknown))
        throw UsageError(
            program + " cannot be started: its loader " + loader.string() + " is not there", {}, "a program for here");
}

fs::path realPath(const fs::path& path)
{
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error)
        throw FileError("cannot be looked at: " + error.message(), path.string());
    return real;
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
    ~Run() { end(); }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    CommandEnd wait(const std::function<bool()>& shallEnd);

private:
    bool isStarted(LaunchWay way);
    void fork();
    bool isRunning();
    void take(const LaunchReport& report);
    void note(const std::string& why);
    void end();
    bool isHeard(LaunchReport& report) const;
    void awaitEnd(const std::function<bool()>& shallEnd);

    CommandTerms m_terms;
    Clock::time_point m_begin = Clock::now();
    std::unique_ptr<PrivateFolder> m_discarded;
    std::unique_ptr<PreparedLaunch> m_launch;
    std::string m_why; ///< the ways so far were not possible
    std::string m_notStarted; ///< the program, on whichever way
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
    requireLoader(m_terms.command.front());
    m_terms.written.push_back(m_terms.folder);
    for (fs::path& path : m_terms.written)
        path = realPath(path);
    realPath("."); // the command begins there
    for (const LaunchWay way : waysFor(m_terms)) {
        if (isStarted(way))
            return;
        if (!m_notStarted.empty())
            throw UsageError(
                m_terms.command.front() + " cannot be started: " + m_notStarted, {}, "a program that PATH leads to");
    }
    const bool isReal = m_terms.writes == CommandTerms::Writes::Real;
    throw UsageError((isReal ? "the command cannot be kept from the network and the GPU here ("
                             : "what the command writes cannot be kept from the disk here (")
            + m_why + "), so it is not started",
        {}, isReal ? "a kernel with user namespaces or Landlock" : "--writes real, which lets it write");
}

bool IsolatedCommand::Run::isStarted(LaunchWay way)
{
    try {
        m_discarded = std::make_unique<PrivateFolder>(PrivateFolder::Purpose::Writes, placeFor(way, m_terms));
        m_launch = preparedLaunch(m_terms, way, m_discarded->path());
    } catch (const UsageError& impossible) {
        note(impossible.problem());
        return false;
    }
    m_end = {};
    m_end.isolation = m_launch->isolation;
    m_end.lacking = m_launch->lacking;
    if (!m_why.empty())
        m_end.lacking.push_back("it could not be kept in a better way: " + m_why);
    fork();
    if (isRunning())
        return true;
    end();
    return false;
}

// With all signals blocked, so that none of ours is handled in the new process.
void IsolatedCommand::Run::fork()
{
    const Pipe orders = newPipe();
    const Pipe reports = newPipe();
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    m_guardian = ::fork();
    if (m_guardian == 0)
        watchOver(m_launch->launch, {orders.read, reports.written});
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(orders.read);
    ::close(reports.written);
    m_orders = orders.written;
    m_reports = reports.read;
    if (m_guardian < 0)
        throw TrialError("no process can be made: " + messageOf(error));
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
        if (report.kind == Kind::Started)
            return true;
        take(report);
    }
    return false;
}

void IsolatedCommand::Run::take(const LaunchReport& report)
{
    const std::vector<MountStep>& mounts = m_launch->launch.mounts;
    if (report.kind == Kind::NoProgram)
        m_notStarted = messageOf(report.error);
    if (report.kind == Kind::WeakerMount)
        m_end.lacking.push_back("nothing can be written in " + mounts.at(report.value).source);
    if (report.kind != Kind::Failed)
        return;
    const bool isOfMount = report.part == Part::Mount && report.value >= 0;
    note(std::string(textOf(report.part)) + (isOfMount ? " at " + mounts.at(report.value).target : "") + ": "
        + messageOf(report.error));
}

void IsolatedCommand::Run::note(const std::string& why)
{
    if (m_why.find(why) == std::string::npos)
        m_why += (m_why.empty() ? "" : "; ") + why;
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
    LaunchReport report{Kind::Ended, Part::None, SIGKILL, 0};
    if (!isHeard(report))
        m_end.lacking.push_back("who watched over it was killed, so that processes of it may be left");
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
