// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/TrialPairs.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/models/RecordingFamily.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace headroom::experiments {
namespace {

/// Settings in the order in which they were added.
class SettingList {
public:
    void add(const std::string& key, const std::string& value) { m_values.emplace_back(key, value); }
    void add(const std::string& prefix, const NamedValues& values)
    {
        for (const auto& [name, value] : values)
            add(prefix + name, config::toLabel(value));
    }

    const std::vector<std::pair<std::string, std::string>>& all() const { return m_values; }

private:
    std::vector<std::pair<std::string, std::string>> m_values;
};

SettingList settingsOf(const TrialResult& result)
{
    SettingList settings;
    settings.add("device", result.deviceNotation());
    settings.add("allocator", result.allocator);
    settings.add("model", result.model.name);
    if (result.model.name != config::kRecordingModel) // whose fields name its file
        settings.add("model.", result.model.overrides);
    settings.add("workload.", result.workload);
    for (const TechniqueResult& technique : result.techniques) {
        settings.add("techniques." + technique.key, technique.notation);
        settings.add("techniques." + technique.key + ".", technique.options);
    }
    return settings;
}

// Variables and the like are objects within.
void addKeys(SettingList& list, const std::string& prefix, const OrderedJson& json)
{
    for (const auto& [key, value] : json.items())
        if (value.is_object())
            addKeys(list, prefix + key + ".", value);
        else
            list.add(prefix + key, value.is_string() ? value.get<std::string>() : value.dump());
}

std::vector<SettingDifference> differencesBetween(const SettingList& a, const SettingList& b)
{
    std::map<std::string, std::string> ofB(b.all().begin(), b.all().end());
    std::vector<SettingDifference> differences;
    for (const auto& [key, value] : a.all()) {
        const auto other = ofB.extract(key);
        const std::string text = other ? other.mapped() : "";
        if (value != text)
            differences.push_back({key, value, text});
    }
    for (const auto& [key, value] : b.all())
        if (ofB.contains(key) && !value.empty())
            differences.push_back({key, "", value});
    return differences;
}

constexpr std::array kVerdicts{"worse", "differs", "better", "cannot_tell", "same"};

/// -1: b is better, 1: worse, 0: no difference that counts.
using Direction = int;
using Tolerance = std::optional<double>;

Direction memoryDirection(const TrialPair& pair, Tolerance tolerance)
{
    const auto least = static_cast<double>(*pair.peakA) * tolerance.value_or(kLeastShownChange);
    const auto difference = static_cast<double>(*pair.difference());
    return difference > least ? 1 : difference < -least ? -1 : 0;
}

// Of two measured speeds where the interval of their ratio leaves out what counts as equal; predictions have no
// scatter.
Direction speedDirection(const TrialPair& pair, Tolerance tolerance)
{
    if (!pair.speedRatio)
        return 0;
    const bool arePredicted = pair.a.isPredicted && pair.b.isPredicted;
    if (!arePredicted && !pair.speedRatio95)
        return 0;
    const double least = tolerance.value_or(arePredicted ? kLeastShownChange : 0);
    const Interval ratio = arePredicted ? Interval{*pair.speedRatio, *pair.speedRatio} : *pair.speedRatio95;
    return ratio.low > 1 + least ? -1 : ratio.high < 1 - least ? 1 : 0;
}

PairVerdict verdictOfOutcomes(const TrialPair& pair)
{
    if (pair.a.outcome == Outcome::OutOfMemory && pair.b.hasCompleted())
        return PairVerdict::Better;
    if (pair.a.hasCompleted() && pair.b.outcome == Outcome::OutOfMemory)
        return PairVerdict::Worse;
    return PairVerdict::Differs;
}

PairVerdict verdictOf(const TrialPair& pair, Tolerance tolerance)
{
    if (pair.a.outcome != pair.b.outcome)
        return verdictOfOutcomes(pair);
    if (!pair.peakA || !pair.peakB)
        return PairVerdict::CannotTell;
    const Direction memory = memoryDirection(pair, tolerance);
    const Direction speed = speedDirection(pair, tolerance);
    if (memory * speed < 0)
        return tolerance ? PairVerdict::Worse : PairVerdict::Differs;
    return memory + speed > 0 ? PairVerdict::Worse : memory + speed < 0 ? PairVerdict::Better : PairVerdict::Same;
}

void setPeaks(TrialPair& pair)
{
    const protocol::MemoryFigures& a = pair.a.memory.peak;
    const protocol::MemoryFigures& b = pair.b.memory.peak;
    pair.isReserved = a.reserved && b.reserved;
    pair.peakA = pair.isReserved ? a.reserved : a.allocated;
    pair.peakB = pair.isReserved ? b.reserved : b.allocated;
}

void setSpeed(TrialPair& pair)
{
    const TrialSpeed& a = pair.a.speed;
    const TrialSpeed& b = pair.b.speed;
    if (!a.stepsPerSecond || !b.stepsPerSecond || !(*a.stepsPerSecond > 0))
        return;
    pair.speedRatio = *b.stepsPerSecond / *a.stepsPerSecond;
    const auto rangeA = a.stepsPerSecond95();
    const auto rangeB = b.stepsPerSecond95();
    if (rangeA && rangeB && rangeA->low > 0)
        pair.speedRatio95 = Interval{rangeB->low / rangeA->high, rangeB->high / rangeA->low};
}

std::string memoryText(const TrialPair& pair)
{
    const char* const kind = pair.isReserved ? "reserved" : "allocated";
    if (!pair.peakA || !pair.peakB)
        return "a peak is not known";
    if (pair.difference() == 0)
        return fmt::format("{} {} at the peak in both", sizeText(*pair.peakA), kind);
    return fmt::format("{} {} at the peak instead of {} ({})", sizeText(*pair.peakB), kind, sizeText(*pair.peakA),
        moreOrLessText(*pair.difference()));
}

std::string speedChange(const TrialPair& pair)
{
    if (!pair.speedRatio)
        return "";
    std::string text = fmt::format("{} steps/s", signedPercentText(*pair.speedRatio - 1));
    if (pair.speedRatio95)
        text += fmt::format(" (95 %: {} to {})", signedPercentText(pair.speedRatio95->low - 1),
            signedPercentText(pair.speedRatio95->high - 1));
    return text;
}

std::string categoriesText(const TrialPair& pair)
{
    if (!pair.a.breakdown || !pair.b.breakdown)
        return "";
    std::vector<std::pair<Bytes, std::string>> changes;
    for (const auto& [category, bytes] : pair.b.breakdown->categories) {
        const auto before = pair.a.breakdown->categories.find(category);
        const Bytes change = bytes - (before == pair.a.breakdown->categories.end() ? 0 : before->second);
        if (change != 0)
            changes.emplace_back(change, inWords(category));
    }
    std::ranges::sort(changes, std::ranges::greater(), [](const auto& change) { return std::abs(change.first); });
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, changes.size()); ++i)
        words.push_back(moreOrLessText(changes[i].first) + " " + changes[i].second);
    return joined(words);
}

// "casting" of "techniques.casting".
std::string nameOfSetting(const std::string& key)
{
    return key.substr(key.find('.') == std::string::npos ? 0 : key.find('.') + 1);
}

std::string settingsText(const TrialPair& pair)
{
    constexpr std::size_t kMostNamed = 6;
    std::vector<std::string> words;
    for (const SettingDifference& setting : pair.settings)
        if (words.size() < kMostNamed)
            words.push_back(fmt::format("{} {} instead of {}", nameOfSetting(setting.key),
                setting.b.empty() ? "default" : setting.b, setting.a.empty() ? "default" : setting.a));
    if (pair.settings.size() > kMostNamed)
        words.push_back(fmt::format("{} more settings", pair.settings.size() - kMostNamed));
    return joined(words);
}

std::string pairText(const TrialPair& pair)
{
    std::vector<std::string> parts;
    if (pair.a.outcome != pair.b.outcome)
        parts.push_back(fmt::format("{} instead of {}", inWords(std::string(toText(pair.b.outcome))),
            inWords(std::string(toText(pair.a.outcome)))));
    for (const std::string& part : {memoryText(pair), speedChange(pair), categoriesText(pair), settingsText(pair)})
        if (!part.empty())
            parts.push_back(part);
    return joined(parts, "; ");
}

TrialPair pairOf(TrialResult a, TrialResult b, Tolerance tolerance)
{
    TrialPair pair;
    pair.a = std::move(a);
    pair.b = std::move(b);
    setPeaks(pair);
    setSpeed(pair);
    pair.settings = settingDifferences(pair.a, pair.b);
    pair.verdict = verdictOf(pair, tolerance);
    pair.text = pairText(pair);
    return pair;
}

/// The results of a side that have a key.
struct Keyed {
    int count = 0;
    TrialResult* last = nullptr;

    void add(TrialResult& result)
    {
        ++count;
        last = &result;
    }
};

/// Takes results out of both sides whose key each side has once.
void match(std::vector<TrialResult>& a, std::vector<TrialResult>& b, std::vector<TrialPair>& pairs,
    std::string TrialResult::* key, Tolerance tolerance)
{
    std::map<std::string, std::pair<Keyed, Keyed>> byKey;
    for (TrialResult& result : a)
        byKey[result.*key].first.add(result);
    for (TrialResult& result : b)
        byKey[result.*key].second.add(result);
    std::set<const TrialResult*> matched;
    for (TrialResult& left : a)
        if (const auto& [inA, inB] = byKey.at(left.*key); inA.count == 1 && inB.count == 1) {
            matched.insert({&left, inB.last});
            pairs.push_back(pairOf(std::move(left), std::move(*inB.last), tolerance));
        }
    const auto isMatched = [&](const TrialResult& result) { return matched.contains(&result); }; // asked where it lies
    std::erase_if(a, isMatched);
    std::erase_if(b, isMatched);
}

} // namespace

std::vector<SettingDifference> settingDifferences(const TrialResult& a, const TrialResult& b)
{
    return differencesBetween(settingsOf(a), settingsOf(b));
}

std::vector<SettingDifference> environmentDifferences(const OrderedJson& a, const OrderedJson& b)
{
    if (!a.is_object() || !b.is_object())
        return {};
    SettingList listA;
    SettingList listB;
    addKeys(listA, "", a);
    addKeys(listB, "", b);
    return differencesBetween(listA, listB);
}

std::string toText(PairVerdict verdict)
{
    return kVerdicts.at(static_cast<std::size_t>(verdict));
}

bool ResultComparison::hasVerdict(PairVerdict verdict) const
{
    return std::ranges::any_of(pairs, [&](const TrialPair& pair) { return pair.verdict == verdict; });
}

void explainPeaks(ResultComparison& comparison, const ComparedRun& a, const ComparedRun& b)
{
    for (TrialPair& pair : comparison.pairs) {
        const bool isSame = pair.difference() == 0 && pair.a.outcome == pair.b.outcome
            && pair.a.memory.peak.allocated == pair.b.memory.peak.allocated;
        if (isSame || !a.contentsOf || !b.contentsOf)
            continue;
        const auto inA = a.contentsOf(pair.a);
        const auto inB = inA ? b.contentsOf(pair.b) : std::nullopt;
        if (inB)
            pair.atPeaks = explanationOf(*inA, *inB);
    }
}

ResultComparison compareResults(std::vector<TrialResult> a, std::vector<TrialResult> b, Tolerance tolerance)
{
    ResultComparison comparison;
    if (a.size() == 1 && b.size() == 1) {
        comparison.pairs.push_back(pairOf(std::move(a.front()), std::move(b.front()), tolerance));
        return comparison;
    }
    match(a, b, comparison.pairs, &TrialResult::trialId, tolerance);
    const auto isRecording = [](const TrialResult& result) { return result.model.name == "recording"; };
    if (std::ranges::all_of(a, isRecording) && std::ranges::all_of(b, isRecording))
        match(a, b, comparison.pairs, &TrialResult::device, tolerance);
    comparison.onlyInA = std::move(a);
    comparison.onlyInB = std::move(b);
    std::ranges::stable_sort(comparison.pairs, [](const TrialPair& left, const TrialPair& right) {
        const auto size = [](const TrialPair& pair) { return std::abs(pair.difference().value_or(0)); };
        return left.verdict != right.verdict ? left.verdict < right.verdict : size(left) > size(right);
    });
    return comparison;
}

} // namespace headroom::experiments
