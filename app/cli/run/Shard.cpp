// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/Shard.h"

#include "core/base/Error.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace headroom::cli {

using experiments::PlannedTrial;

namespace {

std::optional<std::size_t> wholeNumber(const std::string& text)
{
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isWhole = error == std::errc() && end == text.data() + text.size();
    return isWhole ? std::optional(number) : std::nullopt;
}

// Keeps every count-th id, starting with the shard's number.
void deal(const Shard& shard, std::vector<std::string> ids, std::set<std::string>& kept)
{
    std::sort(ids.begin(), ids.end());
    for (std::size_t i = shard.number - 1; i < ids.size(); i += shard.count)
        kept.insert(ids[i]);
}

} // namespace

Shard Shard::fromText(const std::string& text)
{
    const auto slash = text.find('/');
    const auto number = wholeNumber(text.substr(0, slash));
    const auto count = slash == std::string::npos ? std::nullopt : wholeNumber(text.substr(slash + 1));
    if (!number || !count || *number < 1 || *number > *count)
        throw UsageError("found \"" + text + "\"", "--shard", "I/N with I from 1 to N, such as 2/4");
    return {*number, *count};
}

std::string Shard::text() const
{
    return std::to_string(number) + "/" + std::to_string(count);
}

std::vector<PlannedTrial> Shard::part(std::vector<PlannedTrial> trials) const
{
    std::vector<std::string> run;
    std::vector<std::string> skipped;
    for (const PlannedTrial& planned : trials)
        (planned.isRunnable() ? run : skipped).push_back(planned.trialId);
    std::set<std::string> kept;
    deal(*this, std::move(run), kept);
    deal(*this, std::move(skipped), kept);
    std::erase_if(trials, [&](const PlannedTrial& planned) { return !kept.contains(planned.trialId); });
    return trials;
}

} // namespace headroom::cli
