// SPDX-License-Identifier: Apache-2.0
#include "ui/window/LostRuns.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace headroom::ui {
namespace {

using experiments::UnsavedRun;

// Identifies a repeat: a run that continues another one has the same repeats. The times of the steps distinguish it
// from the same repeat of an independent run.
using RepeatKey = std::tuple<std::string, int, Outcome, std::vector<double>>;

std::set<RepeatKey> keysOf(const UnsavedRun& run)
{
    std::set<RepeatKey> keys;
    for (const experiments::UnsavedRepeat& repeat : run.repeats)
        keys.insert(
            {run.trials.at(repeat.trial).trialId, repeat.repeat, repeat.result.outcome, repeat.result.stepSeconds});
    return keys;
}

bool hasAllOf(const UnsavedRun& run, const UnsavedRun& other)
{
    return run.spec.name == other.spec.name && std::ranges::includes(keysOf(run), keysOf(other));
}

} // namespace

void LostRuns::add(const std::shared_ptr<const UnsavedRun>& run)
{
    const bool isKnown = !run || run->repeats.empty()
        || std::ranges::any_of(m_runs, [&](const auto& kept) { return hasAllOf(*kept, *run); });
    if (isKnown)
        return;
    std::erase_if(m_runs, [&](const auto& kept) { return hasAllOf(*run, *kept); });
    m_runs.push_back(run);
}

void LostRuns::remove(const UnsavedRuns& saved)
{
    std::erase_if(m_runs, [&](const auto& kept) { return std::ranges::find(saved, kept) != saved.end(); });
}

std::int64_t LostRuns::repeats() const
{
    return std::accumulate(m_runs.begin(), m_runs.end(), std::int64_t{0},
        [](std::int64_t sum, const auto& run) { return sum + std::ssize(run->repeats); });
}

} // namespace headroom::ui
