// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/ParityResult.h"

#include <algorithm>

namespace headroom::protocol {
namespace {

const std::vector<std::string> kProblems{"none", "usage", "file", "trial"};

Json tensorToJson(const ParityTensor& tensor)
{
    return {{"name", tensor.name}, {"kind", tensor.isOutput() ? "output" : "gradient"}, {"shape", tensor.shape},
        {"max_abs", orNull(tensor.maxAbs)}, {"mean_abs", orNull(tensor.meanAbs)}, {"rel_l2", orNull(tensor.relL2)},
        {"pass", tensor.pass}};
}

ParityTensor tensorFromJson(const Json& json)
{
    return {json.at("name").get<std::string>(), json.at("shape").get<std::vector<std::int64_t>>(),
        optionalFromJson<double>(json.at("max_abs")), optionalFromJson<double>(json.at("mean_abs")),
        optionalFromJson<double>(json.at("rel_l2")), json.at("pass").get<bool>()};
}

Json shapeToJson(const ParityShape& shape)
{
    return {{"name", shape.name}, {"shape", shape.found}, {"expected_shape", shape.expected}};
}

ParityShape shapeFromJson(const Json& json)
{
    return {json.at("name").get<std::string>(), json.at("shape").get<std::vector<std::int64_t>>(),
        json.at("expected_shape").get<std::vector<std::int64_t>>()};
}

} // namespace

// A comparison without tensors proves nothing.
bool ParityResult::passes() const
{
    return missing.empty() && unexpected.empty() && wrongShapes.empty() && !tensors.empty()
        && std::ranges::all_of(tensors, &ParityTensor::pass);
}

Json toJson(const ParityFiles& files)
{
    return {{"inputs", files.inputs}, {"expected", files.expected}, {"tolerance", files.tolerance}};
}

ParityFiles parityFilesFromJson(const Json& json)
{
    return {json.at("inputs").get<std::string>(), json.at("expected").get<std::string>(),
        json.at("tolerance").get<double>()};
}

Json toJson(const ParityResult& result)
{
    Json json{{"pass", result.passes()}, {"missing", result.missing}, {"unexpected", result.unexpected},
        {"wrong_shape", Json::array()}, {"tensors", Json::array()}, {"effective", result.effective}};
    for (const ParityShape& shape : result.wrongShapes)
        json["wrong_shape"].push_back(shapeToJson(shape));
    for (const ParityTensor& tensor : result.tensors)
        json["tensors"].push_back(tensorToJson(tensor));
    return json;
}

ParityResult parityResultFromJson(const Json& json)
{
    ParityResult result;
    json.at("missing").get_to(result.missing);
    json.at("unexpected").get_to(result.unexpected);
    for (const Json& shape : json.at("wrong_shape"))
        result.wrongShapes.push_back(shapeFromJson(shape));
    for (const Json& tensor : json.at("tensors"))
        result.tensors.push_back(tensorFromJson(tensor));
    json.at("effective").get_to(result.effective);
    return result;
}

Json toJson(const ParityAnswer& answer)
{
    return {{"result", answer.result ? toJson(*answer.result) : Json(nullptr)},
        {"problem", kProblems.at(static_cast<std::size_t>(answer.problem))}, {"reason", answer.reason}};
}

ParityAnswer parityAnswerFromJson(const Json& json)
{
    ParityAnswer answer;
    if (!json.at("result").is_null())
        answer.result = parityResultFromJson(json.at("result"));
    const auto problem = std::ranges::find(kProblems, json.at("problem").get<std::string>());
    answer.problem = problem == kProblems.end() ? ParityAnswer::Problem::Trial
                                                : static_cast<ParityAnswer::Problem>(problem - kProblems.begin());
    answer.reason = json.at("reason").get<std::string>();
    return answer;
}

} // namespace headroom::protocol
