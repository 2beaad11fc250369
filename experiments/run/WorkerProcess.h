// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerRights.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace headroom::experiments {

/// How a process ended.
struct ExitStatus {
    int code = 0; ///< meaningless when a signal ended it
    int signal = 0; ///< 0: it exited by itself

    bool isGood() const { return code == 0 && signal == 0; }
    /// "exit code 1", "signal 9 (SIGKILL)"
    std::string text() const;
    bool operator==(const ExitStatus&) const = default;
};

/// What a worker has beside its requests: variables of its environment in addition to those of this process, and what
/// it may do from the start.
struct WorkerSurroundings {
    std::map<std::string, std::string> variables;
    protocol::WorkerRights rights;
};

/// A running headroom-worker with its three pipes. The child is in a process group of its own, so that Ctrl-C in the
/// terminal reaches only this program, and dies when the thread that started it ends (so it must be used by that
/// thread, or one that ends sooner). The destructor kills and reaps it.
class WorkerProcess {
public:
    using Clock = std::chrono::steady_clock;

    /// `allocator`: the settings that LibTorch's CUDA allocator follows in it, as PYTORCH_ALLOC_CONF has them; the
    /// variables of that kind which this process has are not passed on. `surroundings`: what it finds and may do there.
    /// Throws FileError when the program cannot be started.
    explicit WorkerProcess(const std::filesystem::path& program, const std::string& allocator = {},
        const WorkerSurroundings& surroundings = {});
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    enum class Sent { Yes, WorkerGone };
    /// Writes one line to the worker's standard input, newline added. Never raises SIGPIPE.
    Sent send(const std::string& line);
    /// End of input: an idle worker exits.
    void closeInput();

    enum class ReadEnd { Line, Deadline, EndOfOutput };
    struct Reading {
        ReadEnd end = ReadEnd::EndOfOutput;
        std::string line; ///< without the newline; for EndOfOutput what came after the last newline
    };
    /// The next line of the worker's standard output; its standard error is collected meanwhile.
    Reading readLine(Clock::time_point deadline);

    /// Is given each line of standard error as it comes, without the newline; on the thread that reads.
    using LogSink = std::function<void(const std::string& line)>;
    void setLogSink(LogSink sink) { m_logSink = std::move(sink); }

    /// Kills the worker and everything it started.
    void kill();
    /// Waits for the end; nothing when the deadline comes first.
    std::optional<ExitStatus> wait(Clock::time_point deadline);

    /// The last lines of standard error, at most `kLogTailBytes`; complete after EndOfOutput and `wait`.
    const std::string& logTail() const { return m_log; }
    int pid() const;

    static constexpr std::size_t kLogTailBytes = 16 * 1024;
    /// A worker that writes a longer line is not speaking the protocol.
    static constexpr std::size_t kLongestLineBytes = 256 * 1024 * 1024;

private:
    struct Child;

    std::optional<std::string> takeLine();
    void receive(int timeoutMilliseconds);
    void receiveLog();
    void passLogLines();

    std::unique_ptr<Child> m_child;
    std::string m_output;
    std::size_t m_scanned = 0; ///< part of m_output that is known to hold no newline
    std::string m_log;
    LogSink m_logSink;
    std::string m_logLine; ///< the beginning of a line whose end has not come
};

} // namespace headroom::experiments
