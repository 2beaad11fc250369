// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/RehearsalAnswer.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headroom::experiments {
namespace {

template <typename T> OrderedJson orNull(const std::optional<T>& value)
{
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson orNull(const std::string& text)
{
    return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

OrderedJson toJson(const RecordedPeak& peak)
{
    return {{"allocated_bytes", orNull(peak.allocated)}, {"active_bytes", orNull(peak.active)},
        {"reserved_bytes", orNull(peak.reserved)}, {"step", orNull(peak.step)}, {"phase", orNull(peak.phase)}};
}

OrderedJson toJson(const std::vector<CodePlace>& stack)
{
    OrderedJson list = OrderedJson::array();
    for (const CodePlace& place : stack)
        list.push_back({{"file", place.file}, {"line", place.line}, {"function", place.function}});
    return list;
}

// The modelled times of a step are not known yet: the card's clock knows nominal kernels only.
OrderedJson toJson(const RecordedStep& step)
{
    return {{"step", step.step}, {"allocated_bytes", orNull(step.allocated)}, {"reserved_bytes", orNull(step.reserved)},
        {"host_seconds", orNull(step.hostSeconds)}, {"device_seconds", orNull(step.deviceSeconds)},
        {"exposed_communication_seconds", nullptr}, {"step_seconds", nullptr}};
}

OrderedJson toJson(const RecordedShortage& shortage)
{
    return {{"requested_bytes", orNull(shortage.requested)}, {"free_bytes", orNull(shortage.free)},
        {"where", toJson(shortage.where)}};
}

OrderedJson toJson(const RehearsedDevice& device)
{
    return {{"index", device.index}, {"peak", toJson(device.peak)}, {"needed_bytes", orNull(device.needed)}};
}

OrderedJson toJson(const RecordedGuess& guess)
{
    return {{"kind", guess.kind}, {"what", guess.what}, {"count", guess.count}, {"where", toJson(guess.where)}};
}

OrderedJson toJson(const HeldMemory& held)
{
    return {{"category", held.category}, {"bytes", held.bytes}, {"where", orNull(held.where)}};
}

OrderedJson toJson(const protocol::UncountedMemory& memory)
{
    return {{"library", memory.library}, {"function", memory.function}, {"where", nullptr}, {"low_bytes", memory.low},
        {"high_bytes", memory.high}};
}

OrderedJson toJson(const RefusedFunction& refused)
{
    return {{"function", refused.function}, {"count", refused.count}, {"where", toJson(refused.where)}};
}

template <typename T> OrderedJson listOf(const std::vector<T>& all)
{
    OrderedJson list = OrderedJson::array();
    for (const T& one : all)
        list.push_back(toJson(one));
    return list;
}

OrderedJson coveredJson(const RecordedCoverage& covered)
{
    return {
        {"steps", covered.steps}, {"evaluation", covered.evaluation}, {"saving", covered.saving}, {"end", covered.end}};
}

OrderedJson toJson(const RehearsedRank& rank)
{
    OrderedJson libraries = OrderedJson::object();
    for (const auto& [name, version] : rank.libraries)
        libraries[name] = version;
    OrderedJson json{{"rank", rank.rank}, {"world_size", rank.worldSize}, {"outcome", toText(rank.outcome)},
        {"reason", orNull(rank.reason)}, {"exit_code", orNull(rank.exitCode)}, {"second_run", rank.isSecondRun},
        {"peak", toJson(rank.peak)}, {"growing", rank.isGrowing}, {"needed_bytes", orNull(rank.needed)},
        {"needed_high_bytes", orNull(rank.neededHigh)}, {"usable_bytes", rank.usable},
        {"devices", listOf(rank.devices)}, {"processes", rank.processes}, {"covered", coveredJson(rank.covered)},
        {"steps", listOf(rank.steps)},
        {"out_of_memory", rank.outOfMemory ? toJson(*rank.outOfMemory) : OrderedJson(nullptr)},
        {"held", listOf(rank.held)}};
    json["reads"] = {
        {"computed", rank.reads.computed}, {"by_rule", rank.reads.byRule}, {"unknown", rank.reads.unknown}};
    json["guesses"] = listOf(rank.guesses);
    json["refused"] = listOf(rank.refused);
    json["not_counted"] = listOf(rank.notCounted);
    json["launches"] = orNull(rank.covered.launches);
    json["libraries"] = libraries;
    return json;
}

std::string nameOf(const RehearsedRank& rank)
{
    return fmt::format("rank {} of {}", rank.rank, rank.worldSize);
}

// Where there are several, a reason is one of them's.
std::string reasonOf(const RehearsedRank& rank)
{
    return rank.worldSize > 1 ? nameOf(rank) + ": " + rank.reason : rank.reason;
}

std::string needText(const RehearsedRank& rank)
{
    if (!rank.needed)
        return "";
    const std::string low = sizeText(*rank.needed);
    const std::string high = rank.neededHigh ? sizeText(*rank.neededHigh) : low;
    return fmt::format("needs {} of {}{}", high == low ? low : low + " to " + high, sizeText(rank.usable),
        rank.worldSize > 1 ? " on " + nameOf(rank) : std::string());
}

std::string shortageText(const RehearsedRank& rank)
{
    if (!rank.outOfMemory)
        return "";
    std::string text = "first failed";
    if (const std::string place = placeText(rank.outOfMemory->where); !place.empty())
        text += " at " + place;
    if (rank.outOfMemory->requested)
        text += " for " + requestSizeText(*rank.outOfMemory->requested);
    if (rank.outOfMemory->free)
        text += " with " + sizeText(*rank.outOfMemory->free) + " free";
    return text;
}

std::string andThen(std::string text, const std::string& more)
{
    return more.empty() ? text : text.empty() ? more : text + "; " + more;
}

std::string extent(const RecordedCoverage& covered)
{
    if (covered.end)
        return fmt::format("To its end ({}): ", counted(covered.steps, "step"));
    if (covered.steps == 0)
        return "";
    return covered.steps == 1 ? "In the first step: " : fmt::format("In the first {} steps: ", covered.steps);
}

// Where it ran to its end all that it takes is known, though it may not be what was asked.
bool isWhole(const RehearsedRank& rank)
{
    return rank.covered.end && rank.outcome == RehearsalOutcome::Completed
        && std::ranges::none_of(rank.guesses, &RecordedGuess::isSize);
}

std::string saidOfUnknown(const RehearsedRow& row)
{
    const std::string need = isWhole(row.rank) ? needText(row.rank) : "";
    return "Not known: " + reasonOf(row.rank) + (need.empty() ? "" : ". It ran to its end, where it " + need) + ".";
}

// How far it got belongs to what is said of memory, and to nothing else.
std::string saidOfMemory(const RehearsedRow& row, const char* word)
{
    const std::string before = extent(row.rank.covered);
    std::string said = before.empty() ? word : midSentence(word);
    if (const std::string need = needText(row.rank); !need.empty())
        said += ", " + need;
    return before + andThen(said, shortageText(row.rank)) + ".";
}

} // namespace

std::string toText(RehearsalOutcome outcome)
{
    constexpr std::array kTexts{"completed", "out_of_memory", "failed", "refused", "no_device_used", "timed_out"};
    return kTexts.at(static_cast<std::size_t>(outcome));
}

std::string toText(RehearsalVerdict verdict)
{
    constexpr std::array kTexts{"fits", "tight", "no", "unknown", "failed"};
    return kTexts.at(static_cast<std::size_t>(verdict));
}

int RehearsedRow::exitCode() const
{
    if (rank.outcome == RehearsalOutcome::Refused)
        return 3;
    switch (verdict) {
    case RehearsalVerdict::No:
        return 1;
    case RehearsalVerdict::Unknown:
        return 4;
    case RehearsalVerdict::Failed:
        return 3;
    default:
        return 0;
    }
}

std::vector<const RehearsedRank*> RehearsedRow::ranks() const
{
    std::vector<const RehearsedRank*> all{&rank};
    for (const RehearsedRank& other : otherRanks)
        all.push_back(&other);
    std::ranges::sort(all, {}, &RehearsedRank::rank);
    return all;
}

OrderedJson toJson(const RehearsedRow& row)
{
    OrderedJson values = OrderedJson::object();
    for (const auto& [name, value] : row.values)
        values[name] = value;
    OrderedJson ranks = OrderedJson::array();
    for (const RehearsedRank* rank : row.ranks())
        ranks.push_back(toJson(*rank));
    return {{"trial_id", orNull(row.trialId)}, {"label", row.label}, {"values", values}, {"device", row.device},
        {"allocator", orNull(row.allocator)}, {"verdict", toText(row.verdict)}, {"ranks", ranks}};
}

std::string verdictSentence(const RehearsedRow& row)
{
    switch (row.verdict) {
    case RehearsalVerdict::Fits:
        return saidOfMemory(row, "Fits");
    case RehearsalVerdict::Tight:
        return saidOfMemory(row, "Tight");
    case RehearsalVerdict::No:
        return saidOfMemory(row, "Does not fit");
    case RehearsalVerdict::Unknown:
        return saidOfUnknown(row);
    case RehearsalVerdict::Failed:
        break;
    }
    return row.rank.outcome == RehearsalOutcome::TimedOut ? "Timed out: " + reasonOf(row.rank) + "."
                                                          : "Failed: " + reasonOf(row.rank) + ".";
}

std::string readsSentence(const ValueReads& reads)
{
    return fmt::format("{} of device values: {} computed, {} by rule, {} unknown",
        counted(reads.computed + reads.byRule + reads.unknown, "read"), reads.computed, reads.byRule, reads.unknown);
}

} // namespace headroom::experiments
