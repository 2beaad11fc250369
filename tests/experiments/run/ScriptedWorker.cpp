// SPDX-License-Identifier: Apache-2.0
//
// A worker that speaks the protocol and does as it is told, for tests of the side that starts workers.
// HEADROOM_SCRIPT names the misbehaviour, "what" or "what@SEQUENCE_LENGTH" for the trials of that length only, the
// first of several with commas that is for a trial; HEADROOM_SCRIPT_LOG is a file that gets a line per start and per
// request.

#include "core/base/Error.h"
#include "core/protocol/TrialCodec.h"
#include "core/protocol/WorkerMessages.h"
#include "profiling/store/traces/SpoolWriter.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

namespace {

using namespace headroom;
using namespace headroom::protocol;

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

void log(const std::string& text)
{
    if (const std::string file = variable("HEADROOM_SCRIPT_LOG"); !file.empty())
        std::ofstream(file, std::ios::app) << text << '\n';
}

void say(const WorkerEvent& event)
{
    std::cout << toLine(event) << std::endl;
}

void greet(int version)
{
    WorkerDescription description;
    description.protocolVersion = version;
    description.headroomVersion = "0.1.0";
    description.torchVersion = "2.11.0";
    description.cudaReason = "no driver";
    say({.kind = EventKind::Hello, .description = description});
}

// Deterministic figures, so that tests can compute what the record must say.
RepeatResult result(const WorkerRequest& request)
{
    RepeatResult result;
    result.outcome = Outcome::Completed;
    result.parameters = 1000;
    result.weightBytes = 2000; // with gradients still below the peak
    result.memory.peak.allocated = 5000 + request.repeat;
    result.memory.wholeRunPeak.allocated = 6000;
    for (int step = 0; step < request.trial->protocol.steps; ++step)
        result.stepSeconds.push_back(0.5 + 0.25 * request.repeat);
    result.firstStepSeconds = 1.5;
    result.effective = {{"split_ffn", "2 layers"}};
    return result;
}

[[noreturn]] void hang()
{
    for (;;)
        std::this_thread::sleep_for(std::chrono::seconds(1));
}

bool misbehave(const std::string& what)
{
    if (what == "kill")
        ::kill(::getpid(), SIGKILL);
    if (what == "segv")
        ::kill(::getpid(), SIGSEGV);
    if (what == "hang")
        hang();
    if (what == "garbage")
        std::cout << "Segmentation what?" << std::endl;
    if (what == "binary")
        std::cout << "\xff\xfe" << std::endl;
    if (what == "talk")
        std::cerr << "first remark\nsecond remark" << std::endl;
    if (what == "slow" || what == "diagnose_slowly")
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (what == "exit")
        std::_Exit(7);
    if (what == "leave_child" && ::fork() == 0)
        hang();
    if (what == "leave_child" || what == "log") {
        std::cerr << "first line\nsomething went wrong\n";
        std::_Exit(1);
    }
    return what == "garbage" || what == "binary";
}

void outOfMemory(RepeatResult& result)
{
    result.outcome = Outcome::OutOfMemory;
    result.reason = "4096 bytes were asked for";
    result.phase = "forward";
    result.outOfMemory = OutOfMemoryFacts{"forward", 4096, 96};
    result.stepSeconds.clear();
}

// Without checkpointing the device is too small, with it there is room; the device without its limit has room for all.
void beTight(RepeatResult& result, const WorkerRequest& request, const std::string& script)
{
    const std::string notation = request.trial->configuration.techniques.at("checkpointing").notation;
    if (notation == "none" && request.aim != SimulationAim::Need)
        outOfMemory(result);
    for (double& seconds : result.stepSeconds)
        seconds = notation == "none" ? 0.5 : 0.625;
    if (script == "tight_and_hang" && notation == "ops")
        hang();
}

// Waits for the request to cancel, and does as it says.
void obey(RepeatResult& result)
{
    std::string line;
    std::getline(std::cin, line);
    const WorkerRequest request = requestFromLine(line);
    if (request.kind != RequestKind::Cancel)
        throw TrialError("expected a request to cancel", "worker request");
    log("cancel " + std::to_string(request.id));
    result.outcome = Outcome::Cancelled;
}

// Without checkpointing a step takes four times as long as with it: always, or in the first process only.
void contradict(RepeatResult& result, const WorkerRequest& request, const std::string& script)
{
    const std::string notation = request.trial->configuration.techniques.at("checkpointing").notation;
    if (notation != "none")
        result.engagement["checkpointing"] = {{"blocks_checkpointed", 2}, {"blocks_recomputed", 2}};
    const bool isSlow = notation == "none" && (script == "contradict" || request.repeat == 0);
    for (double& seconds : result.stepSeconds)
        seconds = isSlow ? 2.0 : notation == "none" ? 0.4 : 0.5;
}

void writeSpool(const std::string& path, const std::string& script)
{
    if (path.empty())
        return;
    if (script == "bad_spool")
        std::ofstream(path) << "no database";
    if (script != "spool" && script != "trace")
        return;
    store::SpoolWriter spool(path);
    spool.addPhase({"forward", 0, 10, 20});
    if (script == "trace") {
        using trace::Action;
        const std::array<trace::AllocatorEvent, 3> events{{{12, 1, 4096, 4000, 0, Action::Alloc},
            {14, 2, 1024, 1000, 0, Action::Alloc}, {18, 2, 1024, 1000, 0, Action::FreeRequested}}};
        spool.append("device", events);
    }
    spool.finish();
}

// The script for this trial: empty unless it is for all or for its sequence length.
std::string scriptFor(const WorkerRequest& request)
{
    const auto& shapes = request.trial->configuration.workload.shapes;
    const auto tokens = shapes.find("sequence_length");
    const std::string length = tokens == shapes.end() ? "" : std::to_string(tokens->second.integer());
    std::istringstream scripts(variable("HEADROOM_SCRIPT"));
    for (std::string script; std::getline(scripts, script, ',');)
        if (const auto at = script.find('@'); at == std::string::npos || script.substr(at + 1) == length)
            return script.substr(0, at);
    return "";
}

void carryOut(const WorkerRequest& request)
{
    const std::string script = scriptFor(request);
    log("request " + std::to_string(request.repeat) + " " + trialId(*request.trial));
    say({.kind = EventKind::Phase, .id = request.id, .phase = "load"});
    say({.kind = EventKind::Phase, .id = request.id, .phase = "forward"});
    say({.kind = EventKind::Progress, .id = request.id, .step = 1, .total = 5});
    if (misbehave(script))
        return;
    writeSpool(request.spoolPath, script);
    RepeatResult outcome = result(request);
    for (std::size_t i = 0; i < outcome.stepSeconds.size(); ++i)
        say({.kind = EventKind::Sample, .id = request.id, .step = std::int64_t(i), .seconds = outcome.stepSeconds[i]});
    if (script == "obedient")
        obey(outcome);
    if (script == "oom")
        outOfMemory(outcome);
    if (script == "tight" || script == "tight_and_hang")
        beTight(outcome, request, script);
    if (script == "contradict" || script == "contradict_once" || script == "contradict_and_fail")
        contradict(outcome, request, script);
    if (script == "contradict_and_fail" && request.repeat > 0)
        outcome.outcome = Outcome::Failed;
    if (script == "unsteady")
        outcome.objections = {"the step time still changed by +3.0 % per step after 1000 warm-up steps"};
    if (script == "diagnose" || script == "diagnose_slowly")
        outcome.diagnostics = {"3 events were lost"};
    log("answer " + trialId(*request.trial));
    say({.kind = EventKind::Outcome, .id = request.id + (script == "wrong_id" ? 1 : 0), .result = outcome});
    if (script == "late_crash")
        ::kill(::getpid(), SIGABRT);
}

void describe(const WorkerRequest& request)
{
    WorkerDescription description;
    description.torchVersion = "2.11.0";
    description.details = {{"answer", 42}};
    say({.kind = EventKind::Description, .id = request.id, .description = description});
}

} // namespace

int main(int argc, char** argv)
{
    log("start " + std::to_string(::getpid()));
    std::string rights = "rights";
    for (int i = 1; i < argc; ++i)
        rights += std::string(" ") + argv[i];
    log(rights);
    const std::string script = variable("HEADROOM_SCRIPT");
    if (script == "mute")
        hang();
    greet(script == "version" ? 99 : kWorkerProtocolVersion);
    for (std::string line; std::getline(std::cin, line);) {
        try {
            const WorkerRequest request = requestFromLine(line);
            if (request.kind == RequestKind::Describe)
                describe(request);
            else
                carryOut(request);
        } catch (const Error& error) {
            std::cerr << error.what() << '\n';
            return 1;
        }
    }
    log("end");
    return 0;
}
