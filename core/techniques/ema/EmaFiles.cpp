// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/ema/EmaFiles.h"

#include "core/base/Error.h"
#include "core/memory/ParameterHome.h"
#include "core/models/SavedBuffers.h"

#include <algorithm>
#include <unordered_map>

namespace headroom::techniques {
namespace {

using Indices = std::unordered_map<const c10::TensorImpl*, std::size_t>;

Indices indicesOf(const Tensors& parameters)
{
    Indices indices;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        indices.emplace(parameters[i].unsafeGetTensorImpl(), i);
    return indices;
}

tensor::NamedTensors weightsOf(const models::Model& model, const Tensors& parameters, const Tensors& shadow)
{
    const Indices indices = indicesOf(parameters);
    tensor::NamedTensors weights;
    for (const auto& item : model.named_parameters()) {
        const auto found = indices.find(item.value().unsafeGetTensorImpl());
        weights.emplace_back(
            item.key(), found == indices.end() ? tensor::dataOnDevice(item.value()) : shadow.at(found->second));
    }
    for (const auto& [name, buffer] : models::savedBuffers(model))
        weights.emplace_back(name, buffer);
    return weights;
}

void putScalars(config::ValueMap& entries, const config::EmaSchedule& schedule, std::int64_t optimizationStep)
{
    entries["decay"] = schedule.decay;
    entries["min_decay"] = schedule.minDecay;
    entries["optimization_step"] = optimizationStep;
    entries["update_after_step"] = schedule.updateAfterStep;
    entries["use_ema_warmup"] = schedule.useWarmup;
    entries["inv_gamma"] = schedule.invGamma;
    entries["power"] = schedule.power;
}

/// Takes the scalars out of a config.
class Scalars {
public:
    Scalars(config::ValueMap& entries, std::string where)
        : m_entries(entries)
        , m_where(std::move(where))
    {
    }

    void take(const char* name, double& value) { take(name, value, &config::Value::isReal, &config::Value::real); }
    void take(const char* name, std::int64_t& value)
    {
        take(name, value, &config::Value::isInteger, &config::Value::integer);
    }
    void take(const char* name, bool& value) { take(name, value, &config::Value::isBoolean, &config::Value::boolean); }

private:
    template <typename T>
    void take(const char* name, T& value, bool (config::Value::*has)() const, T (config::Value::*read)() const)
    {
        const auto found = m_entries.find(name);
        if (found == m_entries.end())
            return;
        // JSON writes a real number without fraction like an integer.
        const bool isNumber = std::is_same_v<T, double> && found->second.isInteger();
        if (!(found->second.*has)() && !isNumber)
            throw FileError(std::string(name) + " is " + config::kindOf(found->second), m_where);
        value = (found->second.*read)();
        m_entries.erase(found);
    }

    config::ValueMap& m_entries;
    std::string m_where;
};

EmaState takeState(config::ValueMap& entries, const EmaModel& ema, const std::string& where)
{
    EmaState state{ema.schedule(), ema.optimizationStep(), {}};
    Scalars scalars(entries, where);
    scalars.take("decay", state.schedule.decay);
    scalars.take("min_decay", state.schedule.minDecay);
    scalars.take("optimization_step", state.optimizationStep);
    scalars.take("update_after_step", state.schedule.updateAfterStep);
    scalars.take("use_ema_warmup", state.schedule.useWarmup);
    scalars.take("inv_gamma", state.schedule.invGamma);
    scalars.take("power", state.schedule.power);
    return state;
}

Tensors readShadow(
    const tensor::WeightFiles& files, const models::Model& model, const Tensors& parameters, const std::string& where)
{
    const Indices indices = indicesOf(parameters);
    const std::vector<std::string> names = files.names();
    Tensors shadow(parameters.size());
    for (const auto& item : model.named_parameters()) {
        const auto found = indices.find(item.value().unsafeGetTensorImpl());
        if (found == indices.end())
            continue;
        shadow[found->second] = files.read(item.key());
        if (shadow[found->second].sizes() != item.value().sizes())
            throw FileError("\"" + item.key() + "\" has another shape than in the model", where);
    }
    for (const at::Tensor& tensor : shadow)
        if (!tensor.defined())
            throw UsageError("a parameter that the EMA follows is none of the model", "ema", "parameters of the model");
    return shadow;
}

std::vector<std::string> unexpectedOf(const tensor::WeightFiles& files, const models::Model& model)
{
    std::vector<std::string> names;
    const auto parameters = model.named_parameters();
    const auto buffers = models::savedBuffers(model);
    const auto isBuffer = [&](const std::string& name) {
        return std::ranges::any_of(buffers, [&](const auto& item) { return item.first == name; });
    };
    for (const std::string& name : files.names())
        if (!parameters.contains(name) && !isBuffer(name))
            names.push_back(name);
    return names;
}

} // namespace

void saveEma(const std::filesystem::path& folder, EmaModel& ema, const models::Model& model, const Tensors& parameters,
    const config::ValueMap& modelConfig, Bytes maxShardBytes)
{
    const EmaState state = ema.state();
    config::ValueMap entries = modelConfig;
    putScalars(entries, state.schedule, state.optimizationStep);
    tensor::writeWeights(folder, weightsOf(model, parameters, *state.shadow), maxShardBytes);
    tensor::writeModelConfig(folder, entries);
}

EmaFolderContents loadEma(
    const std::filesystem::path& folder, EmaModel& ema, const models::Model& model, const Tensors& parameters)
{
    EmaFolderContents contents{tensor::readModelConfig(folder), {}};
    EmaState state = takeState(contents.modelConfig, ema, folder.string());
    const tensor::WeightFiles files(folder);
    state.shadow = readShadow(files, model, parameters, folder.string());
    contents.unexpected = unexpectedOf(files, model);
    try {
        ema.load(state);
    } catch (const UsageError& error) {
        throw FileError(error.problem(), folder.string(), error.valid());
    }
    return contents;
}

} // namespace headroom::techniques
