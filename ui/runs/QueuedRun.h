// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"
#include "ui/runs/RunBatch.h"
#include "ui/runs/RunRequest.h"

#include <QString>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headroom::ui {

/// The durations of repeats by kind of trial: trials of the same model on the same device are assumed to take equally
/// long.
class RepeatTimes {
public:
    using Seconds = std::chrono::duration<double>;

    /// A number that identifies the kind of this trial.
    std::size_t kindOf(const experiments::PlannedTrial& trial);

    void add(std::size_t kind, Seconds time);
    /// The mean for this kind, else for all kinds that are simulated, or measured, like it; nullopt if there is none
    /// yet.
    std::optional<Seconds> expected(std::size_t kind) const;

private:
    struct Kind {
        bool isSimulated = false;
        Seconds total{};
        int count = 0;
    };

    std::map<std::string, std::size_t> m_names;
    std::vector<Kind> m_kinds;
};

enum class QueueMove { Up, Down, ToTop };

/// Returns the list with the elements for which `isMoved` holds moved by one place or to the front; they keep their
/// order.
template <typename T, typename IsMoved>
std::vector<T> moved(std::vector<T> list, const IsMoved& isMoved, QueueMove direction)
{
    if (direction == QueueMove::ToTop)
        std::stable_partition(list.begin(), list.end(), isMoved);
    if (direction == QueueMove::Up)
        for (std::size_t i = 1; i < list.size(); ++i)
            if (isMoved(list[i]) && !isMoved(list[i - 1]))
                std::swap(list[i], list[i - 1]);
    if (direction == QueueMove::Down)
        for (std::size_t i = list.size(); i-- > 1;)
            if (isMoved(list[i - 1]) && !isMoved(list[i]))
                std::swap(list[i], list[i - 1]);
    return list;
}

/// The same, but moved to before the element that is now at `place`.
template <typename T, typename IsMoved>
std::vector<T> movedTo(std::vector<T> list, const IsMoved& isMoved, std::size_t place)
{
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(std::min(place, list.size()));
    std::stable_partition(list.begin(), middle, [&](const T& element) { return !isMoved(element); });
    std::stable_partition(middle, list.end(), isMoved);
    return list;
}

/// The state of an experiment in the queue. Failed: it could not be run at all.
enum class RunState { Waiting, Running, Paused, Finished, Stopped, Failed };

/// One experiment of the queue and the progress of its trials. For the UI thread.
class QueuedRun {
public:
    using TrialIndices = std::vector<std::size_t>; ///< indices of trials in the request

    /// Counts of its trials, without skipped ones.
    struct Counts {
        int done = 0; ///< with a result; stopped trials have none
        int total = 0;
    };

    QueuedRun(int id, RunRequest request, RepeatTimes& times);

    int id() const { return m_id; }
    const RunRequest& request() const { return *m_request; }
    QString name() const { return QString::fromStdString(m_request->spec.name); }
    /// The device if all its trials have the same one, else the number of devices.
    const QString& devicesText() const { return m_devices; }
    RunState state() const { return m_state; }
    /// How the run ended, in a sentence; empty before that.
    const QString& message() const { return m_message; }

    const experiments::PlannedTrial& planned(std::size_t trial) const { return m_request->trials[trial]; }
    const TrialProgress& progress(std::size_t trial) const { return m_progress[trial]; }
    /// The trials that are in the queue, in the order in which they are shown and run.
    const TrialIndices& order() const { return m_order; }
    Counts counts() const;
    /// The expected time of the remaining repeats; nullopt until a repeat has shown how long they take, or if one takes
    /// far longer.
    std::optional<RepeatTimes::Seconds> remaining(const RepeatTimes& times) const;
    bool isMovable(std::size_t trial) const;

    /// The request to run now: the original one with only the trials that are waiting.
    std::shared_ptr<const RunRequest> begin();
    /// The ids of the trials in the order in which they will run.
    std::vector<std::string> orderedIds() const;
    /// Applies what happened; returns the trials that changed.
    TrialIndices apply(const RunBatch& batch, RepeatTimes& times);
    /// Ends the run: trials that it did not reach can be retried. Returns the trials that changed.
    TrialIndices end(RunState state, const QString& message);
    /// The trial that is running, if any.
    std::optional<std::size_t> running() const;

    /// Queues those of the trials that can be retried; returns whether there were any.
    bool retry(const TrialIndices& trials);
    bool canRetry(std::size_t trial) const { return canBeRetried(m_progress[trial].state); }
    TrialIndices retriable() const;
    bool canRemove(std::size_t trial) const;
    /// Removes the trial from the queue; false if it has already begun.
    bool remove(std::size_t trial);
    /// Moves the waiting ones; false if nothing changes.
    bool move(const TrialIndices& trials, QueueMove direction);
    /// Moves the waiting ones to before the row.
    bool moveTo(const TrialIndices& trials, std::size_t row);

private:
    TrialIndices waiting() const;
    bool rearrange(const TrialIndices& waitingInNewOrder);

    int m_id;
    std::shared_ptr<const RunRequest> m_request;
    QString m_devices;
    RunState m_state = RunState::Waiting;
    QString m_message;
    std::vector<TrialProgress> m_progress;
    std::vector<std::size_t> m_kinds; ///< kind of each trial in RepeatTimes
    TrialIndices m_order;
    TrialIndices m_attempt; ///< trials of the current run, by their index in its request
    std::set<std::size_t> m_again; ///< to be run again when the current run has ended
    bool m_isStored = false; ///< the workspace has the experiment, so a retry resumes it
};

} // namespace headroom::ui
