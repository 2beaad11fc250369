// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/Budget.h"

namespace headroom::experiments {
namespace {

using EntryList = std::vector<std::pair<std::string, config::Value>>;

config::Value globsValue(const std::vector<std::string>& globs)
{
    return config::Value::List(globs.begin(), globs.end());
}

void addPeakFigure(EntryList& entries, const Budget& budget)
{
    for (const BudgetLimit& limit : budget.limits)
        if (limit.kind == LimitKind::Peak && limit.peak != PeakFigure::Default)
            entries.emplace_back("peak",
                limit.peak == PeakFigure::Allocated      ? "allocated"
                    : limit.peak == PeakFigure::Reserved ? "reserved"
                                                         : "device");
}

} // namespace

EntryList budgetEntries(const Budget& budget)
{
    EntryList entries{{"name", budget.name}};
    for (const BudgetPattern& pattern : budget.patterns)
        entries.emplace_back(pattern.path, globsValue(pattern.globs));
    for (const BudgetLimit& limit : budget.limits)
        entries.emplace_back(limit.key, limit.allowed);
    addPeakFigure(entries, budget);
    if (budget.onAmbiguity == AmbiguityPolicy::Pass)
        entries.emplace_back("ambiguous", "pass");
    return entries;
}

std::string budgetToml(const EntryList& entries)
{
    std::string text = "\n[[budget]]\n";
    for (const auto& [key, value] : entries)
        text += key + " = " + config::toToml(value) + "\n";
    return text;
}

} // namespace headroom::experiments
