// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/KnownErrors.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"

#include <fmt/format.h>

namespace headroom::experiments {
namespace {

std::string withinText(const ErrorBound& bound)
{
    std::vector<std::string> parts;
    const auto add = [&](const char* figure, const std::optional<double>& error) {
        if (error)
            parts.push_back(std::string(figure) + (*error == 0 ? " exact" : " within " + percentText(*error)));
    };
    add("allocated memory", bound.allocated);
    add("reserved memory", bound.reserved);
    add("step time", bound.stepTime);
    return parts.empty() ? "not known" : joined(parts);
}

} // namespace

std::string knownErrorsText(const KnownErrors& errors)
{
    std::vector<std::string> sentences;
    for (const auto& [device, bound] : errors)
        sentences.push_back(fmt::format("Known error of {}: {} ({}).", device, withinText(bound), bound.basis));
    return joined(sentences, " ");
}

} // namespace headroom::experiments
