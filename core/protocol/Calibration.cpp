// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/Calibration.h"

#include "core/base/Error.h"

namespace headroom::protocol {
namespace {

constexpr const char* kFull = "full";
constexpr const char* kShort = "short";

Json constantToJson(const CalibratedConstant& constant)
{
    return {{"key", constant.key}, {"value", constant.value},
        {"count", constant.kind == CalibratedConstant::Kind::Count}, {"spread", orNull(constant.spread)},
        {"how", constant.how}};
}

CalibratedConstant constantFromJson(const Json& json)
{
    return {json.at("key").get<std::string>(), json.at("value").get<double>(),
        json.at("count").get<bool>() ? CalibratedConstant::Kind::Count : CalibratedConstant::Kind::Real,
        optionalFromJson<double>(json.at("spread")), json.at("how").get<std::string>()};
}

Json ratesToJson(const CalibratedRates& rates)
{
    Json points = Json::array();
    for (const CalibratedPoint& point : rates.points)
        points.push_back({point.size, point.perSecond, point.spread});
    return {{"work", rates.work}, {"type", rates.type}, {"smallest_dimension", rates.smallestDimension},
        {"points", points}, {"how", rates.how}};
}

CalibratedRates ratesFromJson(const Json& json)
{
    CalibratedRates rates{json.at("work").get<std::string>(), json.at("type").get<std::string>(),
        json.at("smallest_dimension").get<std::int64_t>(), {}, json.at("how").get<std::string>()};
    for (const Json& point : json.at("points"))
        rates.points.push_back({point.at(0).get<double>(), point.at(1).get<double>(), point.at(2).get<double>()});
    return rates;
}

} // namespace

Json toJson(const CalibrationRequest& request)
{
    return {{"device", request.device}, {"effort", request.effort == CalibrationEffort::Full ? kFull : kShort}};
}

CalibrationRequest calibrationRequestFromJson(const Json& json)
{
    CalibrationRequest request{json.at("device").get<std::string>()};
    const std::string effort = json.value("effort", std::string(kFull));
    if (effort != kFull && effort != kShort)
        throw TrialError("unknown effort \"" + effort + "\"", "worker request", "full, short");
    request.effort = effort == kFull ? CalibrationEffort::Full : CalibrationEffort::Short;
    return request;
}

Json toJson(const Calibration& calibration)
{
    Json json{{"allocator", calibration.allocator}, {"hardware", calibration.hardware},
        {"capability", calibration.capability}, {"torch_version", calibration.torchVersion},
        {"seconds", calibration.seconds}, {"constants", Json::array()}, {"rates", Json::array()}};
    for (const CalibratedConstant& constant : calibration.constants)
        json["constants"].push_back(constantToJson(constant));
    for (const CalibratedRates& rates : calibration.rates)
        json["rates"].push_back(ratesToJson(rates));
    return json;
}

Calibration calibrationFromJson(const Json& json)
{
    Calibration calibration{json.at("allocator").get<std::string>(), json.at("hardware").get<std::string>(),
        json.at("capability").get<std::string>(), json.at("torch_version").get<std::string>(),
        json.at("seconds").get<double>()};
    for (const Json& constant : json.at("constants"))
        calibration.constants.push_back(constantFromJson(constant));
    for (const Json& rates : json.at("rates"))
        calibration.rates.push_back(ratesFromJson(rates));
    return calibration;
}

Json toJson(const CalibrationAnswer& answer)
{
    return {{"result", answer.result ? toJson(*answer.result) : Json(nullptr)}, {"reason", answer.reason}};
}

CalibrationAnswer calibrationAnswerFromJson(const Json& json)
{
    CalibrationAnswer answer;
    if (!json.at("result").is_null())
        answer.result = calibrationFromJson(json.at("result"));
    answer.reason = json.at("reason").get<std::string>();
    return answer;
}

} // namespace headroom::protocol
