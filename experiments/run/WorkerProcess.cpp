// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/WorkerProcess.h"

#include "core/base/Error.h"
#include "core/protocol/AllocatorVariables.h"
#include "core/protocol/WorkerVariables.h"
#include "experiments/run/Pipe.h"

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/group.hpp>

#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <thread>

namespace headroom::experiments {
namespace {

namespace bp = boost::process;
using namespace std::chrono_literals;

struct ChildSetup : bp::extend::handler {
    std::array<int, 3> standardDescriptors{};
    pid_t parent = 0;

    // Boost.Process leaves the child of a failed exec as a zombie.
    template <typename Executor> void on_error(Executor& executor, const std::error_code&) const
    {
        if (executor.pid > 0)
            ::waitpid(executor.pid, nullptr, 0);
    }

    // Runs in the child between fork and exec, where only async-signal-safe calls are allowed.
    template <typename Executor> void on_exec_setup(Executor&) const
    {
        for (int i = 0; i < 3; ++i)
            ::dup2(standardDescriptors[static_cast<std::size_t>(i)], i);
        // What other parts of the program opened is none of the worker's business (before Linux 5.11: it is inherited).
        ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        signal(SIGPIPE, SIG_DFL);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) // it died before the line above
            ::_exit(1);
    }
};

int millisecondsUntil(WorkerProcess::Clock::time_point deadline)
{
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - WorkerProcess::Clock::now());
    return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(left.count(), 0, 3'600'000));
}

void keepTail(std::string& log)
{
    if (log.size() > WorkerProcess::kLogTailBytes)
        log.erase(0, log.size() - WorkerProcess::kLogTailBytes);
}

// Without reaping it.
bool hasExited(pid_t process)
{
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

ExitStatus exitStatusFromWait(int status)
{
    if (WIFSIGNALED(status))
        return {0, WTERMSIG(status)};
    return {WEXITSTATUS(status), 0};
}

// What this process has does not count: a trial is what its spec says, on every machine. Versions of LibTorch differ in
// the name they read.
void setAllocator(bp::environment& environment, const std::string& settings)
{
    for (const char* name : kAllocatorVariables)
        environment.erase(name);
    if (settings.empty())
        return;
    for (const char* name : {"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"})
        environment[name] = settings;
}

} // namespace

std::string ExitStatus::text() const
{
    if (signal == 0)
        return "exit code " + std::to_string(code);
    const char* name = sigabbrev_np(signal);
    return "signal " + std::to_string(signal) + (name != nullptr ? " (SIG" + std::string(name) + ")" : "");
}

struct WorkerProcess::Child {
    PipeEnd input;
    PipeEnd output;
    PipeEnd log;
    bp::group group;
    bp::child process;
    pid_t pid = 0;
    std::optional<ExitStatus> status;

    // What the worker started and left behind goes first: as long as the worker is not reaped, nobody else can have
    // the id of its group.
    void reap()
    {
        std::error_code gone;
        group.terminate(gone);
        group.detach();
        int waitStatus = 0;
        ::waitpid(pid, &waitStatus, 0);
        process.detach();
        status = exitStatusFromWait(waitStatus);
    }
};

WorkerProcess::WorkerProcess(
    const std::filesystem::path& program, const std::string& allocator, const WorkerSurroundings& surroundings)
    : m_child(std::make_unique<Child>())
{
    Pipe input = makePipe(Blocking::Yes);
    Pipe output = makePipe(Blocking::No);
    Pipe log = makePipe(Blocking::No);
    ChildSetup setup;
    setup.standardDescriptors = {input.source.descriptor(), output.sink.descriptor(), log.sink.descriptor()};
    setup.parent = ::getpid();
    bp::environment environment = boost::this_process::environment();
    for (const auto& [name, value] : workerVariables())
        environment[name] = value;
    setAllocator(environment, allocator);
    for (const auto& [name, value] : surroundings.variables)
        environment[name] = value;
    std::error_code error;
    m_child->process = bp::child(bp::exe = program.string(), bp::args = toArguments(surroundings.rights), environment,
        m_child->group, setup, error);
    if (error)
        throw FileError("worker cannot be started: " + error.message(), program.string(), "an executable program");
    m_child->pid = m_child->process.id();
    m_child->input = std::move(input.sink);
    m_child->output = std::move(output.source);
    m_child->log = std::move(log.source);
}

WorkerProcess::~WorkerProcess()
{
    kill();
    wait(Clock::now() + 10s);
}

WorkerProcess::Sent WorkerProcess::send(const std::string& line)
{
    if (!m_child->input.isOpen() || m_child->input.write(line + "\n") == PipeEnd::Written::NoReader)
        return Sent::WorkerGone;
    return Sent::Yes;
}

void WorkerProcess::closeInput()
{
    m_child->input.close();
}

std::optional<std::string> WorkerProcess::takeLine()
{
    const auto newline = m_output.find('\n', m_scanned);
    if (newline == std::string::npos) {
        m_scanned = m_output.size();
        if (m_output.size() < kLongestLineBytes)
            return std::nullopt;
        m_scanned = 0;
        return std::exchange(m_output, {});
    }
    std::string line = m_output.substr(0, newline);
    m_output.erase(0, newline + 1);
    m_scanned = 0;
    return line;
}

void WorkerProcess::receive(int timeoutMilliseconds)
{
    // poll ignores negative descriptors, which is what closed ends have.
    std::array<pollfd, 2> watched{
        pollfd{m_child->output.descriptor(), POLLIN, 0}, pollfd{m_child->log.descriptor(), POLLIN, 0}};
    if (::poll(watched.data(), watched.size(), timeoutMilliseconds) <= 0)
        return;
    if (watched[0].revents != 0 && m_child->output.readInto(m_output) == PipeEnd::Read::End)
        m_child->output.close();
    if (watched[1].revents != 0)
        receiveLog();
}

void WorkerProcess::receiveLog()
{
    const std::size_t known = m_logLine.size();
    const bool isEnd = m_child->log.readInto(m_logLine) == PipeEnd::Read::End;
    m_log.append(m_logLine, known);
    keepTail(m_log);
    if (isEnd && !m_logLine.empty())
        m_logLine += '\n';
    passLogLines();
    if (isEnd)
        m_child->log.close();
}

// A line without end is passed on in pieces.
void WorkerProcess::passLogLines()
{
    std::size_t begin = 0;
    for (std::size_t end = m_logLine.find('\n'); end != std::string::npos; end = m_logLine.find('\n', begin)) {
        if (m_logSink)
            m_logSink(m_logLine.substr(begin, end - begin));
        begin = end + 1;
    }
    m_logLine.erase(0, begin);
    if (m_logLine.size() >= kLogTailBytes && m_logSink)
        m_logSink(m_logLine);
    if (m_logLine.size() >= kLogTailBytes)
        m_logLine.clear();
}

WorkerProcess::Reading WorkerProcess::readLine(Clock::time_point deadline)
{
    for (;;) {
        if (auto line = takeLine())
            return {ReadEnd::Line, std::move(*line)};
        if (!m_child->output.isOpen() && !m_child->log.isOpen()) {
            m_scanned = 0;
            return {ReadEnd::EndOfOutput, std::exchange(m_output, {})};
        }
        if (Clock::now() >= deadline)
            return {ReadEnd::Deadline, {}};
        receive(millisecondsUntil(deadline));
    }
}

void WorkerProcess::kill()
{
    std::error_code gone; // there may be nothing left to kill
    if (!m_child->status)
        m_child->group.terminate(gone);
}

std::optional<ExitStatus> WorkerProcess::wait(Clock::time_point deadline)
{
    auto pause = 100us;
    while (!m_child->status) {
        if (hasExited(m_child->pid)) {
            m_child->reap();
        } else if (Clock::now() >= deadline) {
            return std::nullopt;
        } else {
            std::this_thread::sleep_for(pause);
            pause = std::min(pause * 2, 5000us);
        }
    }
    return m_child->status;
}

int WorkerProcess::pid() const
{
    return m_child->pid;
}

} // namespace headroom::experiments
