// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/RunOptions.h"
#include "experiments/archive/SpoolFiles.h"
#include "experiments/run/OrderedPool.h"
#include "experiments/run/RepeatExecutor.h"
#include "experiments/run/RunControl.h"
#include "profiling/store/traces/Rows.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// A repeat of a simulated trial that has begun.
struct SimulatedRepeat {
    RepeatTask task;
    std::filesystem::path spool; ///< empty: no trace
    std::shared_ptr<SpoolGuard> guard; ///< deletes what nobody has taken in
    store::Timestamp startedAt;
};

/// What came of a repeat.
struct RepeatEnd {
    protocol::RepeatResult result;
    bool isStopped = false; ///< this trial was, alone
    std::vector<protocol::WorkerEvent> events{}; ///< of a simulated one
    std::vector<std::string> log{}; ///< of its worker; of a simulated one
    std::optional<protocol::WorkerDescription> worker{}; ///< that simulated it

    /// The end of the run has ended it.
    bool isInterrupted() const { return result.outcome == Outcome::Cancelled && !isStopped; }
};

/// Which of a run's repeats is carried out when. Simulated ones run side by side in resident workers, and what came of
/// them is taken in their order; a measured one has the machine to itself, whatever stands before and behind it.
/// RunControl is followed before each repeat that begins.
class RepeatSchedule : private OrderedPool<SimulatedRepeat, RepeatEnd>::Source {
public:
    using SpoolOf = std::function<std::filesystem::path(const RepeatTask&)>;

    /// All but `tasks` is borrowed. `spoolOf` says where a simulated repeat is traced; it is called on any thread, one
    /// call at a time.
    RepeatSchedule(const RunOptions& options, RunControl& control, std::span<const PlannedTrial> trials,
        const std::vector<RepeatTask>& tasks, SpoolOf spoolOf);
    ~RepeatSchedule() override;

    /// The simulated repeat that ends next, as soon as it has begun. Null: none runs, and none may begin now.
    const SimulatedRepeat* nextSimulated() { return m_pool.next(); }
    using Look = std::function<void(const SimulatedRepeat& repeat, const RepeatEnd& end)>;
    /// What came of it; waits for it. What comes of others meanwhile is shown to `look`, each once.
    RepeatEnd takeSimulated(const Look& look);

    /// The repeat that is next, if that is a measured one; then none begins until `endMeasured`.
    std::optional<RepeatTask> beginMeasured();
    void endMeasured();

    bool isEmpty();
    /// Something that the control says has changed.
    void wake();
    /// Trials that have lost repeats to the control since the last call.
    std::set<std::size_t> takeShortened();

    /// Begins nothing any more, and ends what runs: it is cancelled, and comes in its order as what is finished does.
    void endSoon();
    /// The same, and forgets all that was not taken.
    void stop();
    using LogSink = std::function<void(std::size_t trial, const std::string& line)>;
    /// Ends the workers in good order, when nothing runs; remarks where one did not. `log` is given what they said
    /// after their last trial.
    std::vector<std::string> finish(const LogSink& log);

    /// Carries out a repeat under the control and the stop of the run, or until `otherStop`.
    RepeatEnd carryOut(RepeatExecutor& executor, const RepeatTask& task, const std::filesystem::path& spool,
        const WorkerSession::EventSink& sink, const std::stop_token& otherStop = {});

private:
    class ResidentWorker;

    bool hasNext() override;
    SimulatedRepeat next() override;
    void arrange();
    bool isSimulated(const RepeatTask& task) const { return m_trials[task.trial].trial.device.isSimulated(); }

    const RunOptions& m_options;
    RunControl& m_control;
    std::span<const PlannedTrial> m_trials;
    SpoolOf m_spoolOf;
    std::stop_source m_stop; ///< of what runs in the pool
    std::deque<RepeatTask> m_pending; ///< this and what follows is guarded by the pool
    std::set<std::size_t> m_shortened;
    std::size_t m_ahead = 0; ///< simulated repeats that have begun and were not taken
    bool m_isMeasuring = false;
    std::vector<std::string> m_remarks;
    std::vector<std::pair<std::size_t, std::string>> m_lastWords; ///< of workers, with their last trial
    OrderedPool<SimulatedRepeat, RepeatEnd> m_pool; ///< behind what its threads use
    std::stop_callback<std::function<void()>> m_wakeAtStop;
};

} // namespace headroom::experiments
