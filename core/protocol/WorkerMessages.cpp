// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/WorkerMessages.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/protocol/Json.h"
#include "core/protocol/TrialCodec.h"

#include <algorithm>

namespace headroom::protocol {
namespace {

const std::vector<std::string> kRequests{"describe", "run", "simulate", "cancel", "parity", "calibrate", "inspect"};
const std::vector<std::string> kAims{"record", "answer", "need"};
const std::vector<std::string> kTraceDepths{"memory", "kernels"};
const std::vector<std::string> kEvents{
    "hello", "phase", "progress", "sample", "outcome", "description", "parity", "calibration"};

template <typename Enum>
Enum fromName(const std::vector<std::string>& names, const std::string& name, const std::string& where)
{
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end())
        throw TrialError("unknown message \"" + name + "\"", where, joined(names));
    return static_cast<Enum>(it - names.begin());
}

Json descriptionToJson(const WorkerDescription& description)
{
    return {{"protocol_version", description.protocolVersion}, {"headroom_version", description.headroomVersion},
        {"torch_version", description.torchVersion}, {"cuda_usable", orNull(description.cudaUsable)},
        {"cuda_reason", description.cudaReason}, {"details", description.details}};
}

WorkerDescription descriptionFromJson(const Json& json)
{
    return {json.at("protocol_version").get<int>(), json.at("headroom_version").get<std::string>(),
        json.at("torch_version").get<std::string>(), optionalFromJson<bool>(json.at("cuda_usable")),
        json.at("cuda_reason").get<std::string>(), json.at("details")};
}

void addBody(Json& json, const WorkerEvent& event)
{
    switch (event.kind) {
    case EventKind::Hello:
    case EventKind::Description:
        json["worker"] = descriptionToJson(event.description.value());
        return;
    case EventKind::Phase:
        json["phase"] = event.phase;
        json["step"] = event.step;
        return;
    case EventKind::Progress:
        json["step"] = event.step;
        json["total"] = event.total;
        return;
    case EventKind::Sample:
        json["step"] = event.step;
        json["seconds"] = event.seconds;
        return;
    case EventKind::Outcome:
        json["result"] = toJson(event.result.value());
        return;
    case EventKind::Parity:
        json["parity"] = toJson(event.parity.value());
        return;
    case EventKind::Calibration:
        json["calibration"] = toJson(event.calibration.value());
        return;
    }
}

WorkerRequest decodeRequest(const Json& json)
{
    WorkerRequest request;
    request.kind = fromName<RequestKind>(kRequests, json.at("request").get<std::string>(), "worker request");
    request.id = json.at("id").get<std::int64_t>();
    if (json.contains("trial"))
        request.trial = trialFromJson(json.at("trial"));
    request.repeat = json.value("repeat", 0);
    request.spoolPath = json.value("spool", std::string());
    request.aim = fromName<SimulationAim>(kAims, json.value("aim", kAims.front()), "worker request");
    request.traceDepth =
        fromName<TraceDepth>(kTraceDepths, json.value("trace_depth", kTraceDepths.front()), "worker request");
    if (json.contains("parity"))
        request.parity = parityFilesFromJson(json.at("parity"));
    if (json.contains("calibration"))
        request.calibration = calibrationRequestFromJson(json.at("calibration"));
    return request;
}

WorkerEvent decodeEvent(const Json& json)
{
    WorkerEvent event;
    event.kind = fromName<EventKind>(kEvents, json.at("event").get<std::string>(), "worker event");
    event.id = json.at("id").get<std::int64_t>();
    event.phase = json.value("phase", std::string());
    event.step = json.value("step", std::int64_t{0});
    event.total = json.value("total", std::int64_t{0});
    event.seconds = json.value("seconds", 0.0);
    if (event.kind == EventKind::Outcome)
        event.result = repeatResultFromJson(json.at("result"));
    if (event.kind == EventKind::Parity)
        event.parity = parityAnswerFromJson(json.at("parity"));
    if (event.kind == EventKind::Calibration)
        event.calibration = calibrationAnswerFromJson(json.at("calibration"));
    if (event.kind == EventKind::Hello || event.kind == EventKind::Description)
        event.description = descriptionFromJson(json.at("worker"));
    return event;
}

// A message with missing keys or wrong types is as unusable as one that is not JSON.
template <typename Decode> auto decoded(const std::string& line, const char* where, Decode decode)
{
    const Json json = parseJson(line, where);
    try {
        return decode(json);
    } catch (const Json::exception& error) {
        throw TrialError(
            problemOf(error), where, "a message of protocol version " + std::to_string(kWorkerProtocolVersion));
    }
}

// A library's message that is not UTF-8 must not lose the result that contains it.
std::string oneLine(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void requireVersion(const Json& json)
{
    const int version = json.at("protocol_version").get<int>();
    if (version != kWorkerProtocolVersion)
        throw TrialError(
            "protocol version " + std::to_string(version), "worker request", std::to_string(kWorkerProtocolVersion));
}

} // namespace

std::string toLine(const WorkerRequest& request)
{
    Json json{{"protocol_version", kWorkerProtocolVersion},
        {"request", kRequests.at(static_cast<std::size_t>(request.kind))}, {"id", request.id},
        {"repeat", request.repeat}, {"spool", request.spoolPath}};
    if (request.aim != SimulationAim::Record)
        json["aim"] = kAims.at(static_cast<std::size_t>(request.aim));
    if (request.traceDepth != TraceDepth::Memory)
        json["trace_depth"] = kTraceDepths.at(static_cast<std::size_t>(request.traceDepth));
    if (request.trial)
        json["trial"] = toJson(*request.trial);
    if (request.parity)
        json["parity"] = toJson(*request.parity);
    if (request.calibration)
        json["calibration"] = toJson(*request.calibration);
    return oneLine(json);
}

WorkerRequest requestFromLine(const std::string& line)
{
    return decoded(line, "worker request", [](const Json& json) {
        requireVersion(json);
        return decodeRequest(json);
    });
}

std::string toLine(const WorkerEvent& event)
{
    Json json{{"event", kEvents.at(static_cast<std::size_t>(event.kind))}, {"id", event.id}};
    addBody(json, event);
    return oneLine(json);
}

WorkerEvent eventFromLine(const std::string& line)
{
    return decoded(line, "worker event", decodeEvent);
}

} // namespace headroom::protocol
