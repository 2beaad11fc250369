// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/ParityReport.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/protocol/ParityResult.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace headroom::cli {

using experiments::OrderedJson;
using protocol::ParityResult;
using protocol::ParityTensor;

namespace {

constexpr std::size_t kListed = 10;

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::string numberText(const std::optional<double>& number)
{
    return number ? fmt::format("{:.3g}", *number) : std::string();
}

OrderedJson recordOfTensor(const ParityTensor& tensor)
{
    return {{"name", tensor.name}, {"kind", tensor.isOutput() ? "output" : "gradient"}, {"shape", tensor.shape},
        {"max_abs", protocol::orNull(tensor.maxAbs)}, {"mean_abs", protocol::orNull(tensor.meanAbs)},
        {"rel_l2", protocol::orNull(tensor.relL2)}, {"pass", tensor.pass}};
}

OrderedJson documentOf(const config::Trial& trial, const ParityResult& result, double tolerance)
{
    const config::Configuration& configuration = trial.configuration;
    OrderedJson document{{"schema", "headroom.parity/1"}, {"model", configuration.model},
        {"overrides", OrderedJson::object()}, {"device", trial.device.notation()},
        {"dtype", toText(configuration.workload.dtype)}, {"techniques", OrderedJson::object()},
        {"effective", OrderedJson::object()}, {"pass", result.passes()}, {"tolerance_rel_l2", tolerance},
        {"missing", result.missing}, {"unexpected", result.unexpected}, {"wrong_shape", OrderedJson::array()},
        {"tensors", OrderedJson::array()}};
    const config::ModelDescriptor model = config::findModel(configuration.model, "model.name");
    for (const auto& [name, value] : model.fields.differing(configuration.modelFields))
        document["overrides"][name] = OrderedJson(protocol::toJson(value));
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        const auto effective = result.effective.find(technique.key);
        document["techniques"][technique.key] = configuration.techniques.at(technique.key).notation;
        document["effective"][technique.key] =
            effective == result.effective.end() ? OrderedJson() : OrderedJson(effective->second);
    }
    for (const protocol::ParityShape& shape : result.wrongShapes)
        document["wrong_shape"].push_back(
            {{"name", shape.name}, {"shape", shape.found}, {"expected_shape", shape.expected}});
    for (const ParityTensor& tensor : result.tensors)
        document["tensors"].push_back(recordOfTensor(tensor));
    return document;
}

Table parityTable(const ParityResult& result)
{
    Table table({{"tensor"}, {"shape"}, {"largest difference", Alignment::Right}, {"mean", Alignment::Right},
        {"relative L2", Alignment::Right}, {"verdict"}});
    for (const ParityTensor& tensor : result.tensors)
        table.addRow({tensor.name, shapeText(tensor.shape), numberText(tensor.maxAbs), numberText(tensor.meanAbs),
            numberText(tensor.relL2), tensor.pass ? "equal" : "different"});
    return table;
}

template <typename T, typename Say>
void addObjections(std::vector<std::string>& objections, const std::vector<T>& items, const Say& say)
{
    for (std::size_t i = 0; i < std::min(items.size(), kListed); ++i)
        objections.push_back(say(items[i]));
    if (items.size() > kListed)
        objections.push_back(fmt::format("and {} more such", items.size() - kListed));
}

std::string difference(const ParityTensor& tensor, double tolerance)
{
    if (!tensor.relL2)
        return fmt::format("\"{}\" differs, and no relative distance can be told", tensor.name);
    return fmt::format("\"{}\" differs by {:.3g} relative (tolerance {:g}), by {} at most", tensor.name, *tensor.relL2,
        tolerance, numberText(tensor.maxAbs));
}

} // namespace

Report parityReport(const config::Trial& trial, const ParityResult& result, double tolerance)
{
    Report report;
    report.document = documentOf(trial, result, tolerance);
    report.records = report.document.at("tensors");
    const auto equal = std::ranges::count_if(result.tensors, &ParityTensor::pass);
    report.sections.push_back({"", "", parityTable(result),
        fmt::format("{}: {} of {} tensors are equal within a relative L2 of {:g}.",
            result.passes() ? "Parity" : "No parity", equal, result.tensors.size(), tolerance)});
    return report;
}

std::vector<std::string> parityObjections(const ParityResult& result, double tolerance)
{
    std::vector<std::string> objections;
    addObjections(
        objections, result.missing, [](const std::string& name) { return fmt::format("\"{}\" is missing", name); });
    addObjections(objections, result.unexpected,
        [](const std::string& name) { return fmt::format("\"{}\" is no parameter of the model", name); });
    addObjections(objections, result.wrongShapes, [](const protocol::ParityShape& shape) {
        return fmt::format(
            "\"{}\" is {} where the model has {}", shape.name, shapeText(shape.found), shapeText(shape.expected));
    });
    std::vector<ParityTensor> different = result.tensors;
    std::erase_if(different, [&](const ParityTensor& tensor) {
        return tensor.pass
            || std::ranges::find(result.wrongShapes, tensor.name, &protocol::ParityShape::name)
            != result.wrongShapes.end();
    });
    // Outputs come before the gradients that follow from them, each with the largest difference first.
    std::ranges::stable_sort(different, [](const ParityTensor& a, const ParityTensor& b) {
        constexpr double kUnknown = std::numeric_limits<double>::infinity();
        return std::pair(!a.isOutput(), -a.relL2.value_or(kUnknown))
            < std::pair(!b.isOutput(), -b.relL2.value_or(kUnknown));
    });
    addObjections(objections, different, [&](const ParityTensor& tensor) { return difference(tensor, tolerance); });
    return objections;
}

} // namespace headroom::cli
