// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"
#include "core/protocol/WorkerRights.h"
#include "experiments/run/TraceFolder.h"
#include "experiments/run/WorkerProcess.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace headroom::experiments {

/// What a worker needs for a request: the archive, the weights, the profile and the tensors that it names, the folder
/// of its spool, and the GPU where it measures or looks for one.
protocol::WorkerRights neededRights(const protocol::WorkerRequest& request);

/// When waiting for a worker ends.
struct Patience {
    std::optional<std::chrono::duration<double>> timeout = std::nullopt; ///< none: as long as it takes
    std::stop_token stop = {}; ///< kills the worker
    /// Asks the worker to end the trial between two steps; it lives on. Killed where it does not within two seconds.
    std::stop_token cancel = {};
};

/// A worker process and the protocol spoken with it. Whatever the worker does, a request ends with a result.
///
/// The first request starts the worker, with the rights that it needs (neededRights). A process cannot be given more
/// later: where a request needs more, another worker takes over, with the rights of the former one and those.
class WorkerSession {
public:
    using EventSink = std::function<void(const protocol::WorkerEvent&)>;

    /// `allocator` and `surroundings` as for WorkerProcess: of the trials on cuda that it is to carry out, and what it
    /// has from the start.
    explicit WorkerSession(
        std::filesystem::path program, std::string allocator = {}, WorkerSurroundings surroundings = {});

    /// Is given each line of the worker's log as it comes, as valid UTF-8.
    void setLogSink(WorkerProcess::LogSink sink);

    /// Sends the request and follows its events to the outcome. A worker that dies, hangs beyond the timeout, is
    /// interrupted or breaks the protocol is killed; the result then says how (failed, timed_out, cancelled), in
    /// which phase, with the end of its log, and the session is spent. This and the other requests throw FileError when
    /// the program cannot be started.
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
    /// What the worker may do; of the last one that was started.
    const protocol::WorkerRights& rights() const { return m_surroundings.rights; }
    /// What the worker said of itself at its start; nothing before its first answer.
    const std::optional<protocol::WorkerDescription>& hello() const { return m_hello; }

private:
    class Exchange;

    void requireWorkerFor(const protocol::WorkerRequest& request);
    void start();
    void makeScratch();
    std::string endOfWorker();

    std::filesystem::path m_program;
    std::string m_allocator;
    WorkerProcess::LogSink m_logSink;
    std::optional<TraceFolder> m_scratch; ///< of a worker with a GPU and without a spool
    WorkerSurroundings m_surroundings;
    std::unique_ptr<WorkerProcess> m_process; ///< null before the first request
    std::optional<protocol::WorkerDescription> m_hello;
    bool m_usable = true;
};

/// Starts a worker for the answer to `describe`. Throws FileError when it cannot be started, TrialError when it does
/// not answer within `patience`.
protocol::WorkerDescription describeWorker(const std::filesystem::path& program, const Patience& patience = {});

} // namespace headroom::experiments
