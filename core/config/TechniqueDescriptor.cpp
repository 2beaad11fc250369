// SPDX-License-Identifier: Apache-2.0
#include "core/config/TechniqueDescriptor.h"

#include "core/base/Wording.h"

#include <charconv>

namespace headroom::config {

std::string TechniqueDescriptor::validForms() const
{
    std::vector<std::string> names;
    for (const NotationForm& form : forms)
        names.push_back(form.form);
    return joined(names);
}

std::vector<std::string> TechniqueDescriptor::candidateNotations(const ModelContext& context) const
{
    std::vector<std::string> notations;
    if (candidates)
        for (const Candidate& candidate : candidates(context))
            notations.push_back(candidate.notation);
    return notations;
}

std::optional<std::int64_t> parseCount(const std::string& text)
{
    std::int64_t count = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, count);
    if (text.empty() || error != std::errc{} || end != last || count <= 0)
        return std::nullopt;
    return count;
}

} // namespace headroom::config
