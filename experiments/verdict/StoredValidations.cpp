// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/StoredValidations.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/results/OrderedJson.h"

#include <fstream>

namespace headroom::experiments {
namespace {

constexpr const char* kFolder = "validations";
constexpr const char* kValidationSchema = "headroom.validation/1";
constexpr const char* kValidDocument = "what headroom validate --output FILE.json writes";

OrderedJson documentIn(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw FileError("cannot be read", file.string());
    OrderedJson document = OrderedJson::parse(stream);
    if (const OrderedJson schema = document.at("schema"); schema != kValidationSchema)
        throw FileError("schema: found " + schema.dump(), file.string(), kValidationSchema);
    return document;
}

// The quantile that the bound is.
std::optional<double> boundOf(const OrderedJson& quantiles, const char* figure)
{
    const OrderedJson& errors = quantiles.at(figure);
    return errors.is_null() ? std::nullopt : std::optional(errors.at("abs_p95").get<double>());
}

std::string basisOf(const OrderedJson& document, const std::string& file)
{
    const OrderedJson& torch = document.at("environment").at("libtorch_version");
    return percentText(kErrorBoundShare) + " of " + counted(std::ssize(document.at("rows")), "trial") + " on "
        + document.at("device").get<std::string>()
        + (torch.is_null() ? std::string() : ", LibTorch " + torch.get<std::string>()) + ", "
        + document.at("date").get<std::string>() + ", " + kFolder + "/" + file;
}

} // namespace

StoredValidations::StoredValidations(const std::filesystem::path& resources)
{
    const std::filesystem::path folder = resources / kFolder;
    if (!std::filesystem::is_directory(folder))
        return;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".json")
            m_validations.push_back(read(entry.path()));
}

StoredValidations::Validation StoredValidations::read(const std::filesystem::path& file)
{
    try {
        const OrderedJson document = documentIn(file);
        const OrderedJson& quantiles = document.at("quantiles");
        return {document.at("against").get<std::string>(), document.at("date").get<std::string>(),
            {boundOf(quantiles, "allocated_rel"), boundOf(quantiles, "reserved_rel"), boundOf(quantiles, "step_rel"),
                basisOf(document, file.filename().string())}};
    } catch (const OrderedJson::exception& error) {
        throw FileError(error.what(), file.string(), kValidDocument);
    }
}

std::optional<ErrorBound> StoredValidations::errorBound(const TrialResult& trial) const
{
    const bool hasFigures = trial.outcome == Outcome::Completed || trial.outcome == Outcome::OutOfMemory;
    if (!trial.isPredicted || !hasFigures)
        return std::nullopt;
    const Validation* newest = nullptr;
    for (const Validation& validation : m_validations)
        if (validation.device == trial.deviceNotation() && (newest == nullptr || newest->date < validation.date))
            newest = &validation;
    return newest == nullptr ? std::nullopt : std::optional(newest->bound);
}

} // namespace headroom::experiments
