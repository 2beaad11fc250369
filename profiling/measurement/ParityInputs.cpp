// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/ParityInputs.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/weights/Safetensors.h"

#include <algorithm>
#include <set>

namespace headroom::collectors {
namespace {

using config::InputForm;
using config::UpstreamInput;

/// Takes the tensors of one file, argument by argument.
class InputReader {
public:
    InputReader(const std::string& file, const at::TensorOptions& options)
        : m_reader(file)
        , m_file(file)
        , m_options(options)
    {
        for (const auto& [name, entry] : m_reader.header().tensors)
            m_left.insert(name);
    }

    void read(models::Inputs& inputs, const UpstreamInput& argument)
    {
        const bool isTuple = argument.elements > 1;
        if (isTuple && !has(argument.name) && has(argument.name + ".0"))
            readTuple(inputs, argument);
        else if (has(argument.name) && isTuple && argument.form != InputForm::HostNumbers)
            throw FileError(
                "has a tensor \"" + argument.name + "\", which is a tuple of " + std::to_string(argument.elements),
                m_file, argument.name + ".0, " + argument.name + ".1");
        else if (has(argument.name))
            inputs[argument.name] = inForm(take(argument.name), argument);
        else if (argument.presence == UpstreamInput::Presence::Required)
            throw FileError("has no tensor \"" + argument.name + "\", an argument of the model's forward", m_file);
    }

    void requireNothingLeft(const config::UpstreamFamily& upstream) const
    {
        if (m_left.empty())
            return;
        std::vector<std::string> names;
        for (const UpstreamInput& argument : upstream.inputs)
            names.push_back(argument.name);
        throw FileError(
            "tensor \"" + *m_left.begin() + "\" is no argument of the model's forward", m_file, joined(names));
    }

private:
    bool has(const std::string& name) const { return m_left.contains(name); }

    at::Tensor take(const std::string& name)
    {
        if (m_left.erase(name) == 0)
            throw FileError("has no tensor \"" + name + "\"", m_file);
        return m_reader.read(name);
    }

    // Numbers for the host are one tensor to the model, however they were written.
    void readTuple(models::Inputs& inputs, const UpstreamInput& argument)
    {
        std::vector<at::Tensor> numbers;
        for (std::size_t i = 0; i < argument.elements; ++i) {
            const std::string name = argument.name + "." + std::to_string(i);
            at::Tensor element = take(name);
            if (argument.form == InputForm::HostNumbers)
                numbers.push_back(element.reshape({-1}));
            else
                inputs[name] = inForm(element, argument);
        }
        if (!numbers.empty())
            inputs[argument.name] = inForm(at::cat(numbers), argument);
    }

    at::Tensor inForm(const at::Tensor& given, const UpstreamInput& argument) const
    {
        if (argument.form == InputForm::HostNumbers)
            return hostNumbers(given, argument);
        if (argument.form == InputForm::Activation && given.is_floating_point())
            return given.to(m_options);
        return given.to(m_options.device());
    }

    at::Tensor hostNumbers(const at::Tensor& given, const UpstreamInput& argument) const
    {
        if (given.numel() != static_cast<std::int64_t>(argument.elements))
            throw FileError("tensor \"" + argument.name + "\" has " + std::to_string(given.numel()) + " elements",
                m_file, std::to_string(argument.elements));
        return given.reshape({-1});
    }

    tensor::SafetensorsReader m_reader;
    std::string m_file;
    at::TensorOptions m_options;
    std::set<std::string> m_left;
};

} // namespace

models::Inputs readParityInputs(const std::string& file, const config::UpstreamFamily& upstream,
    const config::ValueMap& fields, const at::TensorOptions& options)
{
    InputReader reader(file, options);
    models::Inputs inputs;
    for (const UpstreamInput& argument : upstream.inputs)
        reader.read(inputs, argument);
    reader.requireNothingLeft(upstream);
    std::set<std::string> given;
    for (const auto& [name, input] : inputs)
        given.insert(name);
    const std::string problem = upstream.inputProblem ? upstream.inputProblem(fields, given) : std::string();
    if (!problem.empty())
        throw FileError(problem, file);
    return inputs;
}

} // namespace headroom::collectors
