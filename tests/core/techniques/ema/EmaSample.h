// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/techniques/ema/EmaModel.h"
#include "tests/support/torch/Comparison.h"

#include <random>

namespace headroom::techniques {

/// What stands in a spec for EMA.
struct EmaChoice {
    std::string notation;
    config::ValueMap options{};

    std::string text() const
    {
        std::string text = notation;
        for (const auto& [name, value] : options)
            text += " " + name + " " + config::toLabel(value);
        return text;
    }
    config::TechniqueSetting setting() const
    {
        return config::makeSetting(config::findTechnique("ema", ""), notation, options, "techniques.ema");
    }
    EmaChoice with(const std::string& name, const config::Value& value) const
    {
        EmaChoice other = *this;
        other.options[name] = value;
        return other;
    }
};

/// Every way in which an update can go about.
inline std::vector<EmaChoice> everyPlacement()
{
    return {{"device"}, {"host"}, {"host", {{"blocking", true}}}, {"host", {{"pinned", false}}}, {"host:async"},
        {"host:async", {{"slice_bytes", 4096}}}, {"host:async", {{"pinned", false}}}, {"host:cpu"},
        {"host:cpu", {{"pinned", true}}}};
}

inline const std::vector<std::string>& everyMode()
{
    static const std::vector<std::string> modes{"loop", "foreach", "foreach_no_temporary"};
    return modes;
}

inline EmaModel emaOf(const EmaChoice& choice, const Tensors& parameters)
{
    return {config::emaSettings(choice.setting()), parameters};
}

/// Parameters of odd shapes, an empty one, one that is larger than a slice of 4096 bytes, every third one frozen.
inline Tensors randomParameters(c10::ScalarType type, unsigned seed = 5)
{
    at::manual_seed(seed);
    std::mt19937 random(seed);
    Tensors parameters{at::randn({3001}, onTestDevice(type)), at::randn({0, 4}, onTestDevice(type)),
        at::randn({}, onTestDevice(type))};
    for (int i = 0; i < 9; ++i)
        parameters.push_back(
            at::randn({static_cast<std::int64_t>(1 + random() % 40), static_cast<std::int64_t>(1 + random() % 70)},
                onTestDevice(type)));
    for (std::size_t i = 0; i < parameters.size(); ++i)
        parameters[i].requires_grad_(i % 3 != 1);
    return parameters;
}

/// What an optimizer would do in a step, the same in every run.
inline void change(const Tensors& parameters, int step = 0, double size = 0.1)
{
    const torch::NoGradGuard noGradients;
    at::manual_seed(1000 + static_cast<std::uint64_t>(step));
    for (const at::Tensor& parameter : parameters)
        at::Tensor(parameter).add_(at::randn_like(parameter), size);
}

/// One update that is over when it returns.
inline void stepAndFinish(EmaModel& ema, const Tensors& parameters)
{
    ema.step(parameters);
    ema.finish();
}

inline bool allEqual(const Tensors& left, const Tensors& right)
{
    bool equal = left.size() == right.size();
    for (std::size_t i = 0; equal && i < left.size(); ++i)
        equal = sameNumbers(left[i].detach(), right[i].detach());
    return equal;
}

inline Tensors clones(const Tensors& tensors)
{
    Tensors result;
    for (const at::Tensor& tensor : tensors)
        result.push_back(tensor.detach().clone());
    return result;
}

} // namespace headroom::techniques
