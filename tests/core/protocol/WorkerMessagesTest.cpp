// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/WorkerMessages.h"

#include "core/protocol/TrialCodec.h"
#include "tests/core/protocol/RandomTrial.h"
#include "tests/support/Refusal.h"

#include <cmath>

namespace headroom::protocol {
namespace {

WorkerDescription description()
{
    return {kWorkerProtocolVersion, "0.1.0", "2.11.0", false, "no driver", Json{{"gpus", Json::array()}}};
}

WorkerEvent outcomeEvent()
{
    RepeatResult result;
    result.outcome = Outcome::Completed;
    result.stepSeconds = {0.1, 0.2};
    return {.kind = EventKind::Outcome, .id = 5, .phase = {}, .result = result};
}

// Every prefix and many single-character changes of a line: each is read or refused, nothing else happens.
template <typename Read> void expectReadOrRefused(const std::string& line, Read read)
{
    std::mt19937_64 random(5);
    const auto attempt = [&](const std::string& text) {
        try {
            read(text);
        } catch (const TrialError&) {
        } catch (const UsageError&) {
        }
    };
    for (std::size_t length = 0; length < line.size(); ++length)
        attempt(line.substr(0, length));
    for (int i = 0; i < 4000; ++i) {
        std::string changed = line;
        for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes)
            changed[random() % changed.size()] = static_cast<char>(random() % 256);
        attempt(changed);
    }
}

// Removes or replaces each key of each object in turn.
template <typename Read> void expectReadOrRefusedWithoutKeys(const Json& whole, Read read)
{
    const Json flat = whole.flatten();
    for (const auto& [pointer, value] : flat.items())
        for (const Json& other : {Json(nullptr), Json(true), Json(-1), Json(1e300), Json("x"), Json::array(),
                 Json::object(), Json(18446744073709551615u)}) {
            Json changed = whole;
            changed[Json::json_pointer(pointer)] = other;
            try {
                read(changed.dump());
            } catch (const TrialError&) {
            } catch (const UsageError&) {
            }
        }
}

TEST(WorkerRequestTest, readsBackAsTheSameRequest)
{
    RandomTrial random(6);
    for (const RequestKind kind :
        {RequestKind::Describe, RequestKind::Run, RequestKind::Simulate, RequestKind::Inspect, RequestKind::Cancel}) {
        WorkerRequest request{.kind = kind, .id = 42, .repeat = 3, .spoolPath = "/tmp/a \"b\".spool"};
        if (kind != RequestKind::Describe && kind != RequestKind::Cancel)
            request.trial = random.next();
        const WorkerRequest read = requestFromLine(toLine(request));
        EXPECT_EQ(read.kind, kind);
        EXPECT_EQ(read.id, 42);
        EXPECT_EQ(read.repeat, 3);
        EXPECT_EQ(read.spoolPath, request.spoolPath);
        EXPECT_EQ(read.trial, request.trial);
    }
}

TEST(WorkerRequestTest, saysWhatASimulationIsFor)
{
    for (const SimulationAim aim : {SimulationAim::Record, SimulationAim::Answer, SimulationAim::Need}) {
        const WorkerRequest request{.kind = RequestKind::Simulate, .id = 1, .spoolPath = {}, .aim = aim};
        EXPECT_EQ(requestFromLine(toLine(request)).aim, aim);
    }
    EXPECT_EQ(requestFromLine(R"({"protocol_version":1,"request":"simulate","id":1})").aim, SimulationAim::Record);
    EXPECT_EQ(refusal<TrialError>(
                  [] { requestFromLine(R"({"protocol_version":1,"request":"simulate","id":1,"aim":"fun"})"); }),
        "worker request: unknown message \"fun\" (valid: record, answer, need)");
}

TEST(WorkerRequestTest, howDeepATraceLooksSurvivesAndIsMemoryByDefault)
{
    for (const TraceDepth depth : {TraceDepth::Memory, TraceDepth::Kernels}) {
        const WorkerRequest request{.kind = RequestKind::Run, .id = 1, .traceDepth = depth};
        EXPECT_EQ(requestFromLine(toLine(request)).traceDepth, depth);
    }
    EXPECT_EQ(requestFromLine(R"({"protocol_version":1,"request":"run","id":1})").traceDepth, TraceDepth::Memory);
    EXPECT_THROW(requestFromLine(R"({"protocol_version":1,"request":"run","id":1,"trace_depth":"x"})"), TrialError);
}

TEST(WorkerRequestTest, isOneLine)
{
    WorkerRequest request{.kind = RequestKind::Run, .id = 1, .spoolPath = "a\nb"};
    EXPECT_EQ(toLine(request).find('\n'), std::string::npos);
    EXPECT_EQ(requestFromLine(toLine(request)).spoolPath, "a\nb");
}

TEST(WorkerRequestTest, refusesAnotherProtocolVersion)
{
    EXPECT_EQ(refusal<TrialError>([] { requestFromLine(R"({"protocol_version":99,"request":"describe","id":1})"); }),
        "worker request: protocol version 99 (valid: 1)");
}

TEST(WorkerRequestTest, refusesUnknownRequests)
{
    EXPECT_EQ(refusal<TrialError>([] { requestFromLine(R"({"protocol_version":1,"request":"dance","id":1})"); }),
        "worker request: unknown message \"dance\" (valid: describe, run, simulate, cancel, parity, calibrate, "
        "inspect)");
}

TEST(WorkerRequestTest, refusesLinesThatAreNoRequest)
{
    for (const char* line : {"", "{", "[]", "null", "7", "\"text\"", "{}", R"({"protocol_version":"1"})",
             R"({"protocol_version":1})", R"({"protocol_version":1,"request":"run","id":"x"})",
             R"({"protocol_version":1,"request":"run","id":1,"trial":7})",
             R"({"protocol_version":1,"request":"run","id":1,"trial":{}})"})
        EXPECT_THROW(requestFromLine(line), TrialError) << line;
}

TEST(WorkerRequestTest, aBadTrialIsBadUsage)
{
    const std::string line =
        R"({"protocol_version":1,"request":"run","id":1,"trial":{"model":{"name":"bert"},"device":{"name":"cpu"}}})";
    EXPECT_THROW(requestFromLine(line), UsageError);
}

TEST(WorkerRequestTest, damagedLinesAreReadOrRefused)
{
    RandomTrial random(8);
    const WorkerRequest request{.kind = RequestKind::Run, .id = 1, .trial = random.next(), .spoolPath = "x"};
    expectReadOrRefused(toLine(request), requestFromLine);
    expectReadOrRefusedWithoutKeys(Json::parse(toLine(request)), requestFromLine);
}

TEST(WorkerEventTest, readsBackAsTheSameEvent)
{
    const WorkerEvent hello =
        eventFromLine(toLine(WorkerEvent{.kind = EventKind::Hello, .phase = {}, .description = description()}));
    ASSERT_TRUE(hello.description);
    EXPECT_EQ(hello.description->torchVersion, "2.11.0");
    EXPECT_EQ(hello.description->cudaReason, "no driver");
    EXPECT_EQ(hello.description->details, description().details);

    const WorkerEvent phase =
        eventFromLine(toLine(WorkerEvent{.kind = EventKind::Phase, .id = 2, .phase = "load", .step = 3}));
    EXPECT_EQ(phase.phase, "load");
    EXPECT_EQ(phase.step, 3);

    const WorkerEvent progress =
        eventFromLine(toLine(WorkerEvent{.kind = EventKind::Progress, .id = 2, .phase = {}, .step = 3, .total = 7}));
    EXPECT_EQ(progress.total, 7);

    const WorkerEvent sample = eventFromLine(
        toLine(WorkerEvent{.kind = EventKind::Sample, .id = 2, .phase = {}, .step = 1, .seconds = 0.125}));
    EXPECT_EQ(sample.seconds, 0.125);

    EXPECT_EQ(eventFromLine(toLine(outcomeEvent())).result, outcomeEvent().result);
}

TEST(WorkerEventTest, textThatIsNotUtf8IsStillWritten)
{
    WorkerEvent event = outcomeEvent();
    event.result->outcome = Outcome::Failed;
    event.result->reason = "bad bytes \xff\xfe";
    const WorkerEvent read = eventFromLine(toLine(event));
    EXPECT_EQ(read.result->reason.rfind("bad bytes ", 0), 0u);
}

TEST(WorkerEventTest, aNumberThatIsNoneBecomesUnknown)
{
    WorkerEvent event = outcomeEvent();
    event.result->numerics = Numerics{std::nan(""), {}, {}, 1.0, {}, {}, {}};
    const WorkerEvent read = eventFromLine(toLine(event));
    EXPECT_EQ(read.result->numerics->outputMaxAbs, std::nullopt);
    EXPECT_EQ(read.result->numerics->loss, 1.0);
}

TEST(WorkerEventTest, refusesLinesThatAreNoEvent)
{
    for (const char* line :
        {"", "Segmentation fault", "{\"event\":", "[]", "{}", R"({"event":"hello"})", R"({"event":"hello","id":0})",
            R"({"event":"outcome","id":1})", R"({"event":"outcome","id":1,"result":{}})", R"({"event":"party","id":1})",
            R"({"event":7,"id":1})", R"({"event":"phase","id":1,"phase":5})"})
        EXPECT_THROW(eventFromLine(line), TrialError) << line;
}

TEST(WorkerEventTest, saysWhatAnUnusableLineWas)
{
    EXPECT_EQ(refusal<TrialError>([] { eventFromLine("terminate called"); }),
        "worker event: not JSON: terminate called (valid: one JSON object per line)");
    EXPECT_EQ(refusal<TrialError>([] { eventFromLine(R"({"event":"party","id":1})"); }),
        "worker event: unknown message \"party\" (valid: hello, phase, progress, sample, outcome, description, "
        "parity, calibration)");
}

TEST(WorkerEventTest, damagedLinesAreReadOrRefused)
{
    expectReadOrRefused(toLine(outcomeEvent()), eventFromLine);
    expectReadOrRefusedWithoutKeys(Json::parse(toLine(outcomeEvent())), eventFromLine);
    const std::string hello = toLine(WorkerEvent{.kind = EventKind::Hello, .phase = {}, .description = description()});
    expectReadOrRefused(hello, eventFromLine);
}

} // namespace
} // namespace headroom::protocol
