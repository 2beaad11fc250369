// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/Pipe.h"

#include "core/base/Error.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

namespace headroom::experiments {
namespace {

// Keeps this thread's SIGPIPE from being delivered: not every program that starts workers ignores it everywhere.
class SigpipeGuard {
public:
    SigpipeGuard()
    {
        sigset_t pending;
        sigpending(&pending);
        m_wasPending = sigismember(&pending, SIGPIPE) == 1;
        sigemptyset(&m_sigpipe);
        sigaddset(&m_sigpipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &m_sigpipe, &m_before);
    }

    ~SigpipeGuard()
    {
        const timespec now{};
        if (!m_wasPending)
            while (sigtimedwait(&m_sigpipe, nullptr, &now) == -1 && errno == EINTR) { }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }

    SigpipeGuard(const SigpipeGuard&) = delete;
    SigpipeGuard& operator=(const SigpipeGuard&) = delete;

private:
    sigset_t m_sigpipe{};
    sigset_t m_before{};
    bool m_wasPending = false;
};

// Above the standard descriptors: where one of those is closed, the child's dup2 onto itself would lose the pipe.
PipeEnd aboveStandard(int descriptor)
{
    const PipeEnd low(descriptor);
    const int high = fcntl(low.descriptor(), F_DUPFD_CLOEXEC, 3);
    if (high < 0)
        throw FileError(std::string("no descriptor for a pipe: ") + std::strerror(errno), "worker");
    return PipeEnd(high);
}

} // namespace

PipeEnd::PipeEnd(PipeEnd&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

PipeEnd& PipeEnd::operator=(PipeEnd&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

void PipeEnd::close()
{
    if (m_descriptor >= 0)
        ::close(std::exchange(m_descriptor, -1));
}

PipeEnd::Read PipeEnd::readInto(std::string& text)
{
    std::array<char, 64 * 1024> buffer;
    const ssize_t count = ::read(m_descriptor, buffer.data(), buffer.size());
    if (count > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(count));
        return Read::Data;
    }
    const bool nothingYet = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    return nothingYet ? Read::Nothing : Read::End;
}

PipeEnd::Written PipeEnd::write(std::string_view text)
{
    const SigpipeGuard guard;
    while (!text.empty()) {
        const ssize_t count = ::write(m_descriptor, text.data(), text.size());
        if (count < 0 && errno != EINTR)
            return Written::NoReader;
        text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
    }
    return Written::All;
}

Pipe makePipe(Blocking reading)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw FileError(std::string("no pipe to the worker: ") + std::strerror(errno), "worker");
    Pipe pipe{PipeEnd(aboveStandard(ends[0])), PipeEnd(aboveStandard(ends[1]))};
    if (reading == Blocking::No)
        fcntl(pipe.source.descriptor(), F_SETFL, O_NONBLOCK);
    return pipe;
}

} // namespace headroom::experiments
