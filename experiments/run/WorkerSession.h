// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"
#include "experiments/run/WorkerProcess.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace headroom::experiments {

/// When waiting for a worker ends.
struct Patience {
    std::optional<std::chrono::duration<double>> timeout = std::nullopt; ///< none: as long as it takes
    std::stop_token stop = {}; ///< kills the worker
    /// Asks the worker to end the trial between two steps; it lives on. Killed where it does not within two seconds.
    std::stop_token cancel = {};
};

/// A worker process and the protocol spoken with it. Whatever the worker does, a request ends with a result.
class WorkerSession {
public:
    using EventSink = std::function<void(const protocol::WorkerEvent&)>;

    /// `allocator` and `variables` as for WorkerProcess: of the trials on cuda that it is to carry out. Throws
    /// FileError when the program cannot be started.
    explicit WorkerSession(const std::filesystem::path& program, const std::string& allocator = {},
        const WorkerProcess::Variables& variables = {});

    /// Is given each line of the worker's log as it comes, as valid UTF-8.
    void setLogSink(WorkerProcess::LogSink sink);

    /// Sends the request and follows its events to the outcome. A worker that dies, hangs beyond the timeout, is
    /// interrupted or breaks the protocol is killed; the result then says how (failed, timed_out, cancelled), in
    /// which phase, with the end of its log, and the session is spent.
    protocol::RepeatResult carryOut(
        const protocol::WorkerRequest& request, const Patience& patience, const EventSink& sink);

    /// Has the worker compare a model with upstream's tensors. A worker that dies or hangs is an answer too.
    protocol::ParityAnswer compare(const protocol::WorkerRequest& request, const Patience& patience);

    /// Has the worker measure a device. A worker that dies or hangs is an answer too.
    protocol::CalibrationAnswer calibrate(
        const protocol::CalibrationRequest& request, const Patience& patience, const EventSink& sink);

    /// What the worker is; throws TrialError when it does not say.
    protocol::WorkerDescription describe(const Patience& patience);

    /// Ends the worker in good order: end of input, then its own exit (killed where that takes too long). Returns a
    /// remark where it did not exit well, else an empty text.
    std::string finish();

    /// False once the worker has died or was killed.
    bool isUsable() const { return m_usable; }
    /// What the worker said of itself at its start; nothing before its first answer.
    const std::optional<protocol::WorkerDescription>& hello() const { return m_hello; }

private:
    class Exchange;

    std::string endOfWorker();

    WorkerProcess m_process;
    std::optional<protocol::WorkerDescription> m_hello;
    bool m_usable = true;
};

/// Starts a worker for the answer to `describe`. Throws FileError when it cannot be started, TrialError when it does
/// not answer within `patience`.
protocol::WorkerDescription describeWorker(const std::filesystem::path& program, const Patience& patience = {});

} // namespace headroom::experiments
