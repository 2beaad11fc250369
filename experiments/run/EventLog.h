// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"
#include "experiments/run/RunObserver.h"

#include <chrono>
#include <functional>
#include <iosfwd>

namespace headroom::experiments {

/// The live event stream (`--events FILE`): one JSON object per line, flushed at once, each with `time` (seconds since
/// the epoch), `event` and, where it belongs to a trial, `trial_id`.
class EventLog : public RunObserver {
public:
    using Clock = std::function<std::chrono::system_clock::time_point()>;

    /// `stream` must outlive the log.
    explicit EventLog(std::ostream& stream, Clock clock = std::chrono::system_clock::now);

    void runStarted(const std::string& experiment, std::span<const PlannedTrial> trials) override;
    void repeatStarted(const PlannedTrial& trial, int repeat) override;
    void phaseStarted(const PlannedTrial& trial, const std::string& phase, std::int64_t step) override;
    void stepFinished(const PlannedTrial& trial, std::int64_t step, std::int64_t total) override;
    void sampleTaken(const PlannedTrial& trial, std::int64_t step, double seconds) override;
    void repeatFinished(const PlannedTrial& trial, int repeat, const protocol::RepeatResult& result) override;
    void trialFinished(const PlannedTrial& trial, const TrialResult& result) override;
    void remark(const std::string& text) override;
    void runFinished(const RunSummary& summary) override;

private:
    OrderedJson line(const char* event) const;
    OrderedJson line(const char* event, const PlannedTrial& trial) const;
    void write(const OrderedJson& json);

    std::ostream& m_stream;
    Clock m_clock;
};

} // namespace headroom::experiments
