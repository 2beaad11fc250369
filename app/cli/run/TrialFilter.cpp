// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/TrialFilter.h"

#include "core/base/Error.h"
#include "experiments/spec/SpecOverrides.h"
#include "experiments/sweep/ExcludeMatcher.h"

#include <sstream>
#include <utility>

namespace headroom::cli {

using namespace experiments;

TrialFilter::TrialFilter(std::string expression, std::string option)
    : m_expression(std::move(expression))
    , m_option(std::move(option))
{
    std::istringstream words(m_expression);
    for (std::string word; words >> word;)
        m_terms.push_back(termOf(word));
}

TrialFilter::Term TrialFilter::termOf(const std::string& text) const
{
    const auto equals = text.find('=');
    const bool isUnequal = equals != std::string::npos && equals > 0 && text[equals - 1] == '!';
    const std::string path = text.substr(0, isUnequal ? equals - 1 : equals);
    if (equals == std::string::npos || path.empty() || equals + 1 == text.size())
        throw UsageError(
            "found \"" + text + "\"", m_option, "PATH=VALUE or PATH!=VALUE, such as split_ffn=4 or model.dim=2048");
    SpecOverrides settings;
    settings.set(path, text.substr(equals + 1), m_option + " " + path);
    return {isUnequal ? Sense::Unequal : Sense::Equal, {{settings.settings(), "matches", m_option}}};
}

void TrialFilter::keepMatching(const Term& term, std::vector<PlannedTrial>& trials) const
{
    if (trials.empty())
        return;
    ExcludeMatcher matcher(term.rules);
    const std::string model = trials.front().trial.configuration.model;
    std::erase_if(trials, [&](const PlannedTrial& trial) {
        return matcher.reasonFor(trial.trial).empty() == (term.sense == Sense::Equal);
    });
    matcher.requireKnownSettings(model);
}

std::vector<PlannedTrial> TrialFilter::kept(std::vector<PlannedTrial> trials) const
{
    for (const Term& term : m_terms)
        keepMatching(term, trials);
    if (trials.empty() && !m_terms.empty())
        throw UsageError("no trial matches \"" + m_expression + "\"", m_option,
            "an expression that some trial meets; --dry-run lists them");
    return trials;
}

} // namespace headroom::cli
