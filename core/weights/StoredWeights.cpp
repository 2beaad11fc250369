// SPDX-License-Identifier: Apache-2.0
#include "core/weights/StoredWeights.h"

#include "core/base/Error.h"
#include "core/memory/ParameterStorage.h"

#include <algorithm>

namespace headroom::models {

StoredWeights::StoredWeights(const std::string& path, const config::UpstreamWeights& upstream)
    : m_path(path)
    , m_files(path)
{
    for (const std::string& pattern : upstream.ignored)
        m_ignored.emplace_back(pattern);
    find(upstream);
}

// A parameter's own name takes precedence over its aliases.
void StoredWeights::find(const config::UpstreamWeights& upstream)
{
    for (const std::string& name : m_files.names()) {
        const auto alias = upstream.aliases.find(name);
        if (alias == upstream.aliases.end() && !isIgnored(name))
            m_names[name] = name;
        else if (alias != upstream.aliases.end() && !m_files.contains(alias->second))
            m_names.emplace(alias->second, name);
        else if (alias != upstream.aliases.end())
            requireSameShape(alias->second, name);
    }
}

void StoredWeights::requireSameShape(const std::string& name, const std::string& other) const
{
    if (m_files.entry(name).shape != m_files.entry(other).shape)
        throw FileError("tensors \"" + name + "\" and \"" + other
                + "\" are one weight and have other shapes: " + c10::str(at::IntArrayRef(m_files.entry(name).shape))
                + " and " + c10::str(at::IntArrayRef(m_files.entry(other).shape)),
            m_path);
}

bool StoredWeights::isIgnored(const std::string& name) const
{
    return std::ranges::any_of(m_ignored, [&](const std::regex& pattern) { return std::regex_search(name, pattern); });
}

WeightMismatch StoredWeights::compare(const torch::nn::Module& model) const
{
    WeightMismatch mismatch;
    const auto parameters = model.named_parameters();
    for (const auto& item : parameters) {
        const auto found = m_names.find(item.key());
        if (found == m_names.end()) {
            mismatch.missing.push_back(item.key());
            continue;
        }
        const tensor::SafetensorsEntry& entry = m_files.entry(found->second);
        if (!item.value().sizes().equals(entry.shape))
            mismatch.shapes.push_back({found->second, entry.shape, item.value().sizes().vec()});
    }
    for (const auto& [parameter, name] : m_names)
        if (!parameters.contains(parameter))
            mismatch.unexpected.push_back(name);
    return mismatch;
}

void StoredWeights::fill(const std::string& path, torch::nn::Module& module) const
{
    for (const auto& item : module.named_parameters(false)) {
        at::Tensor parameter = item.value();
        const std::string& name = m_names.at(path.empty() ? item.key() : path + "." + item.key());
        if (!c10::isFloatingType(tensor::scalarTypeOf(m_files.entry(name))))
            throw FileError("tensor \"" + name + "\" is of " + m_files.entry(name).dtype, m_path, "a floating type");
        if (!parameter.is_meta())
            parameter.copy_(m_files.view(name));
    }
}

} // namespace headroom::models
