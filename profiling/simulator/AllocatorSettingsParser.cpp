// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/AllocatorSettings.h"

#include "core/base/Error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <charconv>
#include <map>
#include <vector>

namespace headroom::simulator {

namespace {

/// One "key:value" pair and its position in the text.
struct Entry {
    std::string key;
    std::string value;
    std::string where;

    [[noreturn]] void refuse(const std::string& valid) const
    {
        throw UsageError(fmt::format("allocator setting '{}' has the value '{}'", key, value), where, valid);
    }
};

std::string withoutSpaces(std::string_view text)
{
    std::string result;
    for (char c : text) {
        if (c != ' ' && c != '\t')
            result += c;
    }
    return result;
}

/// Splits at commas outside brackets.
std::vector<std::string> splitEntries(const std::string& text)
{
    std::vector<std::string> parts(1);
    int depth = 0;
    for (char c : text) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == ',' && depth == 0)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

Bytes mebibytes(const Entry& entry, Bytes least, const std::string& valid)
{
    constexpr std::int64_t kMost = std::int64_t{1} << 24; // 16 TiB
    const auto number = wholeNumber(entry.value);
    if (!number || *number < 0 || *number > kMost || *number * kMiB < least)
        entry.refuse(valid);
    return *number * kMiB;
}

double fraction(const Entry& entry, const std::string& valid)
{
    double number = 0.0;
    const char* const last = entry.value.data() + entry.value.size();
    const auto [end, error] = std::from_chars(entry.value.data(), last, number);
    if (error != std::errc() || end != last)
        entry.refuse(valid);
    return number;
}

bool isTrue(const Entry& entry)
{
    if (entry.value != "True" && entry.value != "False")
        entry.refuse("True or False");
    return entry.value == "True";
}

void setGarbageCollection(AllocatorSettings& settings, const Entry& entry)
{
    const std::string valid = "a number greater than 0 and less than 1";
    const double value = fraction(entry, valid);
    if (!(value > 0.0 && value < 1.0))
        entry.refuse(valid);
    settings.garbageCollectionThreshold = value;
}

void setMemoryFraction(AllocatorSettings& settings, const Entry& entry)
{
    const std::string valid = "a number from 0 to 1";
    const double value = fraction(entry, valid);
    if (!(value >= 0.0 && value <= 1.0))
        entry.refuse(valid);
    settings.memoryFraction = value;
}

int divisions(const Entry& entry, std::string_view text)
{
    const auto number = wholeNumber(text);
    if (!number || *number < 0 || *number > (1 << 20)
        || (*number > 0 && !std::has_single_bit(static_cast<std::uint64_t>(*number))))
        entry.refuse("0 or a power of two as the number of divisions");
    return static_cast<int>(*number);
}

std::size_t interval(const Entry& entry, std::string_view text)
{
    const auto number = wholeNumber(text);
    if (!number || *number <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(*number)))
        entry.refuse("intervals in MB that are powers of two, or '>' for all larger ones, as in [256:1,512:2,>:8]");
    const auto index = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(*number))) - 1;
    return std::min(index, AllocatorSettings::kDivisionIntervals - 1);
}

/// "[256:1,512:2,>:8]": the first interval's count also applies below it, and '>' applies above the last one named.
void setDivisionList(AllocatorSettings& settings, const Entry& entry)
{
    auto& all = settings.roundupPower2Divisions;
    all.fill(0);
    std::size_t next = 0;
    for (const std::string& part : splitEntries(entry.value.substr(1, entry.value.size() - 2))) {
        const std::size_t colon = part.find(':');
        if (colon == std::string::npos)
            entry.refuse("a list of interval:divisions, as in [256:1,512:2,>:8]");
        const int count = divisions(entry, std::string_view(part).substr(colon + 1));
        if (part.substr(0, colon) == ">") {
            std::fill(all.begin() + static_cast<std::ptrdiff_t>(next), all.end(), count);
            continue;
        }
        const std::size_t index = interval(entry, std::string_view(part).substr(0, colon));
        if (next == 0)
            std::fill(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(index), count);
        all[index] = count;
        next = index + 1;
    }
}

void setDivisions(AllocatorSettings& settings, const Entry& entry)
{
    if (entry.value.size() >= 2 && entry.value.front() == '[' && entry.value.back() == ']')
        setDivisionList(settings, entry);
    else
        settings.roundupPower2Divisions.fill(divisions(entry, entry.value));
}

void requireNativeBackend(AllocatorSettings&, const Entry& entry)
{
    if (entry.value != "native")
        entry.refuse("native (the driver's own pool follows other rules, which are not simulated)");
}

/// Settings that change when things happen or how host memory is registered, but not device memory.
void acceptSwitch(AllocatorSettings&, const Entry& entry)
{
    isTrue(entry);
}

void acceptThreads(AllocatorSettings&, const Entry& entry)
{
    const auto number = wholeNumber(entry.value);
    if (!number || *number < 1 || *number > 128 || !std::has_single_bit(static_cast<std::uint64_t>(*number)))
        entry.refuse("a power of two from 1 to 128");
}

using Setter = void (*)(AllocatorSettings&, const Entry&);

const std::map<std::string, Setter>& setters()
{
    static const std::map<std::string, Setter> table = {
        {"max_split_size_mb",
            [](AllocatorSettings& s, const Entry& e) { s.maxSplitBytes = mebibytes(e, 0, "a whole number of MB"); }},
        {"max_non_split_rounding_mb",
            [](AllocatorSettings& s, const Entry& e) {
                s.maxNonSplitRoundingBytes = mebibytes(e, 0, "a whole number of MB");
            }},
        {"large_segment_size_mb",
            [](AllocatorSettings& s, const Entry& e) {
                s.largeSegmentBytes = mebibytes(e, kMinLargeBytes, "a whole number of MB, at least 10");
            }},
        {"garbage_collection_threshold", setGarbageCollection},
        {"per_process_memory_fraction", setMemoryFraction},
        {"roundup_power2_divisions", setDivisions},
        {"expandable_segments",
            [](AllocatorSettings& s, const Entry& e) {
                s.growth = isTrue(e) ? SegmentGrowth::Expandable : SegmentGrowth::Fixed;
            }},
        {"throw_on_cudamalloc_oom",
            [](AllocatorSettings& s, const Entry& e) {
                s.fractionPolicy = isTrue(e) ? FractionPolicy::Reject : FractionPolicy::Retry;
            }},
        {"backend", requireNativeBackend},
        {"release_lock_on_cudamalloc", acceptSwitch},
        {"graph_capture_record_stream_reuse", acceptSwitch},
        {"pinned_use_cuda_host_register", acceptSwitch},
        {"pinned_use_background_threads", acceptSwitch},
        {"pinned_num_register_threads", acceptThreads},
    };
    return table;
}

Entry parseEntry(const std::string& text, const std::string& where)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || colon == 0)
        throw UsageError(fmt::format("allocator setting '{}' is not of the form key:value", text), where,
            "key:value pairs separated by commas, as in max_split_size_mb:64,expandable_segments:True");
    return {text.substr(0, colon), text.substr(colon + 1), where};
}

// What LibTorch's own allocator knows beyond what is simulated, and what its version does not know yet.
std::map<std::string, Setter> cudaSetters()
{
    std::map<std::string, Setter> table = setters();
    table.erase("throw_on_cudamalloc_oom");
    table["backend"] = [](AllocatorSettings&, const Entry& entry) {
        if (entry.value != "native" && entry.value != "cudaMallocAsync")
            entry.refuse("native or cudaMallocAsync");
    };
    table["pinned_reserve_segment_size_mb"] = [](AllocatorSettings&, const Entry& entry) {
        mebibytes(entry, 0, "a whole number of MB");
    };
    return table;
}

const std::map<std::string, Setter>& settersOf(AllocatorOwner owner)
{
    static const std::map<std::string, Setter> onCuda = cudaSetters();
    return owner == AllocatorOwner::Cuda ? onCuda : setters();
}

void apply(AllocatorSettings& settings, const Entry& entry, AllocatorOwner owner)
{
    const auto setter = settersOf(owner).find(entry.key);
    if (setter != settersOf(owner).end())
        return setter->second(settings, entry);
    std::vector<std::string> names;
    for (const auto& [name, unused] : settersOf(owner))
        names.push_back(name);
    throw UsageError(fmt::format("unknown allocator setting '{}' (value '{}')", entry.key, entry.value), entry.where,
        fmt::format("{}", fmt::join(names, ", ")));
}

void requireAtLeastSegment(Bytes bytes, Bytes segmentBytes, const char* key, const std::string& where)
{
    if (bytes < segmentBytes)
        throw UsageError(fmt::format("allocator setting '{}' has the value '{}'", key, bytes / kMiB), where,
            fmt::format("at least the large segment, {} MB", segmentBytes / kMiB));
}

} // namespace

AllocatorSettings parseAllocatorSettings(
    std::string_view text, const std::string& where, const AllocatorSettings& defaults, AllocatorOwner owner)
{
    AllocatorSettings settings = defaults;
    const std::string compact = withoutSpaces(text);
    if (compact.empty())
        return settings;
    bool roundingGiven = false;
    for (const std::string& part : splitEntries(compact)) {
        const Entry entry = parseEntry(part, where);
        apply(settings, entry, owner);
        roundingGiven = roundingGiven || entry.key == "max_non_split_rounding_mb";
    }
    if (!roundingGiven)
        settings.maxNonSplitRoundingBytes = settings.largeSegmentBytes;
    requireAtLeastSegment(settings.maxSplitBytes, settings.largeSegmentBytes, "max_split_size_mb", where);
    requireAtLeastSegment(
        settings.maxNonSplitRoundingBytes, settings.largeSegmentBytes, "max_non_split_rounding_mb", where);
    return settings;
}

} // namespace headroom::simulator
