// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/EventLog.h"

#include "experiments/results/TrialRecordJson.h"

#include <ostream>

namespace headroom::experiments {

EventLog::EventLog(std::ostream& stream, Clock clock)
    : m_stream(stream)
    , m_clock(std::move(clock))
{
}

OrderedJson EventLog::line(const char* event) const
{
    const std::chrono::duration<double> time = m_clock().time_since_epoch();
    return {{"time", time.count()}, {"event", event}};
}

OrderedJson EventLog::line(const char* event, const PlannedTrial& trial) const
{
    OrderedJson json = line(event);
    json["trial_id"] = trial.trialId;
    return json;
}

void EventLog::write(const OrderedJson& json)
{
    m_stream << json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) << '\n' << std::flush;
}

void EventLog::runStarted(const std::string& experiment, std::span<const PlannedTrial> trials)
{
    OrderedJson json = line("run_started");
    json["experiment"] = experiment;
    json["trials"] = trials.size();
    write(json);
}

void EventLog::repeatStarted(const PlannedTrial& trial, int repeat)
{
    OrderedJson json = line("repeat_started", trial);
    json["label"] = trial.label;
    json["repeat"] = repeat;
    write(json);
}

void EventLog::phaseStarted(const PlannedTrial& trial, const std::string& phase, std::int64_t step)
{
    OrderedJson json = line("phase", trial);
    json["phase"] = phase;
    json["step"] = step;
    write(json);
}

void EventLog::stepFinished(const PlannedTrial& trial, std::int64_t step, std::int64_t total)
{
    OrderedJson json = line("progress", trial);
    json["step"] = step;
    json["total"] = total;
    write(json);
}

void EventLog::sampleTaken(const PlannedTrial& trial, std::int64_t step, double seconds)
{
    OrderedJson json = line("sample", trial);
    json["step"] = step;
    json["step_seconds"] = seconds;
    write(json);
}

void EventLog::repeatFinished(const PlannedTrial& trial, int repeat, const protocol::RepeatResult& result)
{
    OrderedJson json = line("repeat_finished", trial);
    json["repeat"] = repeat;
    json["outcome"] = toText(result.outcome);
    json["reason"] = result.reason.empty() ? OrderedJson(nullptr) : OrderedJson(result.reason);
    write(json);
}

void EventLog::trialFinished(const PlannedTrial& trial, const TrialResult& result)
{
    OrderedJson json = line("trial_finished", trial);
    json["outcome"] = toText(result.outcome);
    json["record"] = toJson(result);
    write(json);
}

void EventLog::remark(const std::string& text)
{
    OrderedJson json = line("remark");
    json["text"] = text;
    write(json);
}

void EventLog::runFinished(const RunSummary& summary)
{
    OrderedJson json = line("run_finished");
    json["summary"] = toJson(summary);
    write(json);
}

} // namespace headroom::experiments
