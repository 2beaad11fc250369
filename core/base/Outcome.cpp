// SPDX-License-Identifier: Apache-2.0
#include "core/base/Outcome.h"

#include <algorithm>

namespace headroom {

const char* toText(Outcome outcome)
{
    constexpr std::array<const char*, kOutcomes.size()> kWords{
        "completed", "out_of_memory", "failed", "timed_out", "cancelled", "skipped", "not_run"};
    return kWords.at(static_cast<std::size_t>(outcome));
}

std::optional<Outcome> findOutcome(std::string_view text)
{
    const auto* const found = std::ranges::find_if(kOutcomes, [&](Outcome outcome) { return toText(outcome) == text; });
    return found == kOutcomes.end() ? std::nullopt : std::optional(*found);
}

const char* repeatOutcomes()
{
    return "completed, out_of_memory, failed, timed_out, cancelled, skipped";
}

std::optional<Outcome> findRepeatOutcome(std::string_view text)
{
    const auto found = findOutcome(text);
    return found == Outcome::NotRun ? std::nullopt : found;
}

} // namespace headroom
