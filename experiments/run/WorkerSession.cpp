// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/WorkerSession.h"

#include "core/base/Error.h"
#include "core/base/Utf8.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/imported/ImportedFamily.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <csignal>
#include <filesystem>
#include <sstream>
#include <vector>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

// The shards lie beside an index.
std::string weightsPlace(const fs::path& weights)
{
    return weights.extension() == ".json" ? fs::absolute(weights).parent_path().string() : weights.string();
}

void addFiles(std::set<std::string>& reads, const config::Trial& trial)
{
    const config::ValueMap& fields = trial.configuration.modelFields;
    if (const auto archive = fields.find(config::kArchiveField); archive != fields.end() && archive->second.isText())
        reads.insert(archive->second.text());
    if (const std::string weights = config::weightsOf(fields); weights != config::kFilledWeights)
        reads.insert(weightsPlace(weights));
    if (trial.device.isSimulated() && simulator::isProfileFile(trial.device.profile))
        reads.insert(trial.device.profile);
}

bool isOfGpu(const protocol::WorkerRequest& request)
{
    if (request.calibration)
        return config::parseDevice(request.calibration->device, "--device").kind == config::DeviceKind::Cuda;
    return request.kind == protocol::RequestKind::Describe
        || (request.trial && request.trial->device.kind == config::DeviceKind::Cuda);
}

using namespace std::chrono_literals;
using protocol::EventKind;
using protocol::RepeatResult;
using protocol::WorkerEvent;
using SessionClock = WorkerProcess::Clock;

constexpr auto kStopLatency = 50ms; ///< how soon a request to stop is seen
constexpr auto kCancelLatency = 5ms; ///< the same where the worker is to live on, with a person waiting
constexpr auto kCancelTime = 2s; ///< for a worker to do as it was asked
constexpr auto kDrainTime = 2s; ///< for what a killed worker has left in its pipes
constexpr auto kExitTime = 30s; ///< for an orderly exit after the last result
constexpr std::size_t kShownLogLines = 5;

// The last lines in one, for a reason.
std::string shownLog(const std::string& log)
{
    std::vector<std::string> lines;
    std::istringstream stream(log);
    for (std::string line; std::getline(stream, line);)
        if (!line.empty())
            lines.push_back(line);
    std::string text;
    for (std::size_t i = lines.size() - std::min(lines.size(), kShownLogLines); i < lines.size(); ++i)
        text += (text.empty() ? "; its log ends: " : " | ") + lines[i];
    return text;
}

std::string secondsText(std::chrono::duration<double> duration)
{
    return config::toLabel(config::Value(duration.count())) + " s";
}

} // namespace

protocol::WorkerRights neededRights(const protocol::WorkerRequest& request)
{
    protocol::WorkerRights rights;
    if (request.trial)
        addFiles(rights.reads, *request.trial);
    if (request.parity)
        rights.reads.insert({request.parity->inputs, request.parity->expected});
    rights.reads.erase("");
    if (!request.spoolPath.empty())
        rights.spoolFolder = fs::absolute(request.spoolPath).parent_path().string();
    rights.usesGpu = isOfGpu(request);
    return rights;
}

/// One request from its line to its outcome.
class WorkerSession::Exchange {
public:
    Exchange(WorkerSession& session, const Patience& patience, const EventSink& sink)
        : m_session(session)
        , m_patience(patience)
        , m_sink(sink)
        , m_begin(SessionClock::now())
    {
    }

    RepeatResult run(const protocol::WorkerRequest& request)
    {
        m_id = request.id;
        m_session.requireWorkerFor(request);
        m_session.m_process->send(toLine(request)); // a worker that has gone shows as the end of its output
        const SessionClock::time_point deadline =
            m_patience.timeout ? m_begin + timeout() : SessionClock::time_point::max();
        while (!m_result) {
            if (m_patience.cancel.stop_requested())
                askToCancel();
            if (m_patience.stop.stop_requested() || (m_cancelled && SessionClock::now() >= *m_cancelled + kCancelTime))
                end(Outcome::Cancelled, "interrupted");
            else if (SessionClock::now() >= deadline)
                end(Outcome::TimedOut, "no result within " + secondsText(*m_patience.timeout));
            else
                follow(m_session.m_process->readLine(std::min(deadline, SessionClock::now() + latency())));
        }
        return *m_result;
    }

    const std::optional<protocol::WorkerDescription>& description() const { return m_description; }
    const std::optional<protocol::ParityAnswer>& parity() const { return m_parity; }
    const std::optional<protocol::CalibrationAnswer>& calibration() const { return m_calibration; }

private:
    SessionClock::duration timeout() const
    {
        constexpr std::chrono::duration<double> kLongest = 24h * 365;
        return std::chrono::duration_cast<SessionClock::duration>(std::min(*m_patience.timeout, kLongest));
    }

    SessionClock::duration latency() const
    {
        return m_patience.cancel.stop_possible() ? SessionClock::duration(kCancelLatency)
                                                 : SessionClock::duration(kStopLatency);
    }

    void askToCancel()
    {
        if (m_cancelled)
            return;
        m_session.m_process->send(
            protocol::toLine({.kind = protocol::RequestKind::Cancel, .id = m_id, .spoolPath = {}}));
        m_cancelled = SessionClock::now();
    }

    void follow(const WorkerProcess::Reading& reading)
    {
        if (reading.end == WorkerProcess::ReadEnd::EndOfOutput)
            end(Outcome::Failed, "");
        else if (reading.end == WorkerProcess::ReadEnd::Line)
            followLine(reading.line);
        else
            m_session.m_process->wait(
                SessionClock::now()); // ends the output, which something it left behind may hold open
    }

    void followLine(const std::string& line)
    {
        try {
            follow(protocol::eventFromLine(line));
        } catch (const TrialError& error) {
            end(Outcome::Failed, std::string("it broke the protocol: ") + error.what());
        }
    }

    void follow(const WorkerEvent& event)
    {
        if (event.kind == EventKind::Hello)
            return greet(event);
        if (!m_session.m_hello)
            throw TrialError("an event before hello", "worker event");
        if (event.id != m_id)
            throw TrialError("an event of request " + std::to_string(event.id), "worker event", std::to_string(m_id));
        if (event.kind == EventKind::Phase)
            m_phase = event.phase;
        if (m_sink)
            m_sink(event);
        if (event.kind == EventKind::Outcome)
            m_result = event.result;
        if (event.kind == EventKind::Description)
            describe(event);
        if (event.kind == EventKind::Parity)
            compare(event);
        if (event.kind == EventKind::Calibration)
            calibrate(event);
    }

    void greet(const WorkerEvent& event)
    {
        const int version = event.description->protocolVersion;
        if (version != protocol::kWorkerProtocolVersion)
            throw TrialError("it speaks protocol version " + std::to_string(version), "hello",
                std::to_string(protocol::kWorkerProtocolVersion));
        m_session.m_hello = event.description;
        m_phase = "started";
    }

    void describe(const WorkerEvent& event)
    {
        m_description = event.description;
        m_result = RepeatResult{};
        m_result->outcome = Outcome::Completed;
    }

    void compare(const WorkerEvent& event)
    {
        m_parity = event.parity;
        m_result = RepeatResult{};
        m_result->outcome = Outcome::Completed;
    }

    void calibrate(const WorkerEvent& event)
    {
        m_calibration = event.calibration;
        m_result = RepeatResult{};
        m_result->outcome = Outcome::Completed;
    }

    // The worker is of no use any more. What it did not say itself is in its exit status and its log.
    void end(Outcome outcome, const std::string& why)
    {
        const std::string exit = m_session.endOfWorker();
        m_result = RepeatResult{};
        m_result->outcome = outcome;
        m_result->phase = m_phase;
        m_result->reason = "worker " + (why.empty() ? "ended with " + exit : "killed: " + why) + " in phase " + m_phase;
        if (outcome != Outcome::Cancelled)
            m_result->reason += shownLog(m_session.m_process->logTail());
        m_result->reason = validUtf8(m_result->reason);
    }

    WorkerSession& m_session;
    const Patience& m_patience;
    const EventSink& m_sink;
    SessionClock::time_point m_begin;
    std::optional<SessionClock::time_point> m_cancelled; ///< when the worker was asked to
    std::int64_t m_id = 0;
    std::string m_phase = "start";
    std::optional<RepeatResult> m_result;
    std::optional<protocol::WorkerDescription> m_description;
    std::optional<protocol::ParityAnswer> m_parity;
    std::optional<protocol::CalibrationAnswer> m_calibration;
};

WorkerSession::WorkerSession(std::filesystem::path program, std::string allocator, WorkerSurroundings surroundings)
    : m_program(std::move(program))
    , m_allocator(std::move(allocator))
    , m_surroundings(std::move(surroundings))
{
}

void WorkerSession::setLogSink(WorkerProcess::LogSink sink)
{
    m_logSink = [sink = std::move(sink)](const std::string& line) { sink(validUtf8(line)); };
    if (m_process)
        m_process->setLogSink(m_logSink);
}

void WorkerSession::requireWorkerFor(const protocol::WorkerRequest& request)
{
    const protocol::WorkerRights needed = neededRights(request);
    if (m_process && m_surroundings.rights.cover(needed))
        return;
    m_surroundings.rights = joined(m_surroundings.rights, needed);
    start();
}

// The driver of a GPU keeps what it compiles in a file, and does without where there is no place for one.
void WorkerSession::makeScratch()
{
    try {
        m_surroundings.rights.spoolFolder = m_scratch.emplace().path().string();
    } catch (const FileError&) {
        m_scratch.reset();
    }
}

void WorkerSession::start()
{
    if (m_surroundings.rights.usesGpu && m_surroundings.rights.spoolFolder.empty())
        makeScratch();
    m_hello.reset();
    m_process.reset();
    m_process = std::make_unique<WorkerProcess>(m_program, m_allocator, m_surroundings);
    m_process->setLogSink(m_logSink);
}

RepeatResult WorkerSession::carryOut(
    const protocol::WorkerRequest& request, const Patience& patience, const EventSink& sink)
{
    return Exchange(*this, patience, sink).run(request);
}

protocol::ParityAnswer WorkerSession::compare(const protocol::WorkerRequest& request, const Patience& patience)
{
    Exchange exchange(*this, patience, {});
    const RepeatResult result = exchange.run(request);
    if (exchange.parity())
        return *exchange.parity();
    return {std::nullopt, protocol::ParityAnswer::Problem::Trial, result.reason};
}

protocol::CalibrationAnswer WorkerSession::calibrate(
    const protocol::CalibrationRequest& request, const Patience& patience, const EventSink& sink)
{
    Exchange exchange(*this, patience, sink);
    const RepeatResult result =
        exchange.run({.kind = protocol::RequestKind::Calibrate, .id = 1, .spoolPath = {}, .calibration = request});
    if (exchange.calibration())
        return *exchange.calibration();
    return {std::nullopt, result.reason};
}

protocol::WorkerDescription WorkerSession::describe(const Patience& patience)
{
    Exchange exchange(*this, patience, {});
    const RepeatResult result = exchange.run({.kind = protocol::RequestKind::Describe, .id = 1, .spoolPath = {}});
    if (!exchange.description())
        throw TrialError(result.reason.empty() ? "it did not describe itself" : result.reason, "worker");
    return *exchange.description();
}

// How the worker ended; kills it first where it has not.
std::string WorkerSession::endOfWorker()
{
    m_usable = false;
    const bool endedItself = m_process->wait(SessionClock::now() + 100ms).has_value();
    if (!endedItself)
        m_process->kill();
    const auto drained = SessionClock::now() + kDrainTime;
    while (m_process->readLine(drained).end == WorkerProcess::ReadEnd::Line) { }
    const auto status = m_process->wait(drained);
    if (!status)
        return "no exit";
    const bool perhapsMemory = endedItself && status->signal == SIGKILL;
    return status->text() + (perhapsMemory ? ", perhaps by the system for want of memory," : "");
}

std::string WorkerSession::finish()
{
    if (!m_usable || !m_process)
        return {};
    m_usable = false;
    m_process->closeInput();
    const auto deadline = SessionClock::now() + kExitTime;
    while (m_process->readLine(deadline).end == WorkerProcess::ReadEnd::Line) { }
    const auto status = m_process->wait(deadline);
    if (status && status->isGood())
        return {};
    return "worker ended with " + (status ? status->text() : "no exit after its input ended") + " after its result"
        + validUtf8(shownLog(m_process->logTail()));
}

protocol::WorkerDescription describeWorker(const std::filesystem::path& program, const Patience& patience)
{
    WorkerSession session(program);
    const protocol::WorkerDescription description = session.describe(patience);
    session.finish();
    return description;
}

} // namespace headroom::experiments
