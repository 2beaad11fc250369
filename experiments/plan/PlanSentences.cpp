// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanSentences.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/plan/FitRanking.h"
#include "experiments/verdict/PeakSentences.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace headroom::experiments {
namespace {

using protocol::RepeatResult;

struct CounterWords {
    const char* technique;
    const char* counter;
    bool isBytes;
    const char* verb; ///< "recomputes", "brings"
    const char* thing;
};

constexpr CounterWords kBlocks{"checkpointing", "blocks_recomputed", false, "recomputes", "block"};
constexpr CounterWords kOps{"checkpointing", "ops_recomputed", false, "recomputes", "op"};

// What counters say of where time goes.
constexpr std::array kCounterWords{
    kBlocks,
    kOps,
    CounterWords{"checkpointing", "bytes_to_host", true, "moves", "of block inputs to the host"},
    CounterWords{"split_ffn", "slices_recomputed", false, "recomputes", "slice"},
    CounterWords{"split_ffn", "slices_run", false, "runs", "slice"},
    CounterWords{"casting", "cast_bytes", true, "writes", "of upcast weights"},
    CounterWords{"offload", "bytes_to_device", true, "brings", "of weights to the card"},
    CounterWords{"offload", "bytes_to_host", true, "takes", "of weights back to the host"},
    CounterWords{"ema", "bytes_to_host", true, "takes", "of weights to the host for the EMA"},
    CounterWords{"optimizer", "state_bytes", true, "keeps", "of optimizer state"},
};

std::int64_t counterOf(const RepeatResult& result, const CounterWords& words)
{
    const auto technique = result.engagement.find(words.technique);
    if (technique == result.engagement.end())
        return 0;
    const auto counter = technique->second.find(words.counter);
    return counter == technique->second.end() ? 0 : counter->second;
}

std::string amountText(std::int64_t amount, const CounterWords& words)
{
    return words.isBytes ? sizeText(amount) + " " + words.thing : counted(amount, words.thing);
}

// Where ops of blocks are kept, blocks count that are run again in part.
std::string wholeBlocks(const RepeatResult& slower, const RepeatResult& faster)
{
    const std::int64_t whole = counterOf(slower, kBlocks);
    if (whole == 0 || counterOf(slower, kOps) > 0 || counterOf(faster, kOps) == 0)
        return {};
    return fmt::format("recomputes {} as a whole instead of {} in part", counted(whole, kBlocks.thing),
        grouped(counterOf(faster, kBlocks)));
}

// "it recomputes 48 blocks instead of 31 and brings 24.5 GiB of weights to the card"
std::string whereTimeGoes(const RepeatResult& slower, const RepeatResult& faster)
{
    std::vector<std::string> parts;
    if (std::string blocks = wholeBlocks(slower, faster); !blocks.empty())
        parts.push_back(std::move(blocks));
    const bool areBlocksTold = !parts.empty();
    for (const CounterWords& words : kCounterWords) {
        if (areBlocksTold && std::string_view(words.counter) == kBlocks.counter)
            continue;
        const std::int64_t more = counterOf(slower, words);
        const std::int64_t less = counterOf(faster, words);
        const bool isWorthNaming = !words.isBytes || more - less >= kMiB;
        if (more > less && isWorthNaming && parts.size() < 3)
            parts.push_back(fmt::format("{} {}{}", words.verb, amountText(more, words),
                less == 0 ? "" : " instead of " + (words.isBytes ? sizeText(less) : grouped(less))));
    }
    return parts.empty() ? "" : ": a step " + enumerated(parts);
}

double speedRatio(const PlanFigures& one, const PlanFigures& other)
{
    return one.seconds / other.seconds - 1;
}

// "59.7 GiB more than is usable", "which leaves less than the margin of 0.369 GiB"
std::string whatIsMissing(const FitVerdict& verdict)
{
    const Bytes left = verdict.freeBytes().value_or(0);
    if (left < 0)
        return sizeText(-left) + " more than is usable";
    if (left < verdict.marginBytes || verdict.missingInOtherOrder() == 0)
        return "which leaves less than the margin of " + sizeText(verdict.marginBytes);
    return sizeText(verdict.missingInOtherOrder()) + " too few where segments lie in the other order";
}

} // namespace

std::string peakOwnerSentence(const protocol::RepeatResult& result, const config::Configuration& configuration)
{
    if (!result.breakdown)
        return {};
    const auto owner = ownerOf(profileOf(*result.breakdown), configuration);
    if (!owner)
        return {};
    return fmt::format(" Of its peak of {} in {}, {} are {}.", sizeText(result.breakdown->totalBytes),
        inWords(result.breakdown->phase), sizeText(owner->share.higherBytes),
        ownerText(owner->share.category, owner->share.part));
}

std::string changesText(const std::vector<SettingChange>& changes)
{
    std::vector<std::string> parts;
    std::vector<std::string> paths;
    for (const SettingChange& change : changes) {
        const std::string name = change.path.substr(change.path.find('.') + 1);
        const std::size_t dot = name.find('.');
        const bool isOption = dot != std::string::npos;
        if (isOption && !paths.empty() && paths.back() == change.path.substr(0, change.path.rfind('.')))
            parts.back() += " (" + name.substr(dot + 1) + " " + change.after + ")";
        else {
            parts.push_back(name + " " + change.after);
            paths.push_back(change.path);
        }
    }
    return parts.empty() ? "as it is" : joined(parts);
}

bool isProven(const PlanFindings& findings)
{
    return findings.provenGap && *findings.provenGap <= kSameSpeed && findings.end != PlanFindings::End::Cancelled;
}

std::string whyItDoesNotFit(
    const PlannedChoice& choice, const RepeatResult& result, const std::vector<SettingChange>& changes)
{
    const FitVerdict& verdict = choice.verdict;
    return fmt::format("{} it {}: it needs {}, {}.", changes.empty() ? "As it is" : "With " + changesText(changes),
               verdict.freeBytes().value_or(0) < 0 ? "does not fit" : "is too tight",
               sizeText(verdict.neededBytes().value_or(0)), whatIsMissing(verdict))
        + peakOwnerSentence(result, choice.trial.configuration);
}

std::string whyNot(const PlannedChoice& neighbour, const RepeatResult& result, const PlannedChoice& answer,
    const RepeatResult& answerResult, const std::vector<SettingChange>& own)
{
    if (neighbour.verdict.kind != FitVerdict::Kind::Fits)
        return whyItDoesNotFit(neighbour, result, own);
    const std::string what = changesText(own);
    const Bytes needed = neighbour.verdict.neededBytes().value_or(0);
    const double slower = speedRatio(neighbour.figures, answer.figures);
    const Bytes saved = answer.verdict.neededBytes().value_or(0) - needed;
    const std::string memory = std::abs(static_cast<double>(saved)) < 0.01 * static_cast<double>(needed)
        ? "needs about as much memory"
        : "needs " + moreOrLessText(-saved);
    if (std::abs(slower) <= kSameSpeed)
        return fmt::format("With {} it is as fast, as far as predictions tell, and {}{}.", what, memory,
            memory.ends_with("less") ? "; the answer is simpler" : "");
    if (slower > 0)
        return fmt::format("With {} it fits, but takes {} more time{}; it {}.", what, percentText(slower),
            whereTimeGoes(result, answerResult), memory);
    return fmt::format("With {} it would take {} less time.", what, percentText(-slower));
}

std::string certaintyText(const PlanFindings& findings)
{
    if (!findings.provenGap)
        return {};
    const std::string counts =
        fmt::format("{} of {} combinations decided with {}", grouped(static_cast<std::int64_t>(findings.considered)),
            grouped(static_cast<std::int64_t>(findings.combinations)),
            counted(static_cast<std::int64_t>(findings.predictions), "simulation"));
    if (findings.end == PlanFindings::End::Cancelled)
        return counts + ", interrupted";
    if (*findings.provenGap <= kSameSpeed)
        return counts + ": nothing else can be faster by more than predictions are accurate to";
    if (*findings.provenGap > 0.99)
        return counts + ": for the rest no bound is known yet, so a faster one may exist";
    return counts + ": one that takes up to " + percentText(*findings.provenGap) + " less time is not excluded";
}

std::string sentenceFor(const PlanResult& result)
{
    if (!result.answer) {
        if (!result.smallest)
            return "Nothing could be predicted"
                + (result.failures.empty() ? std::string(".") : ": " + joined(result.failures, "; ") + ".");
        const Bytes needed = result.smallest->verdict.neededBytes().value_or(0);
        return fmt::format("Nothing that was looked at fits in {}. What needs least ({}) needs {}.",
            sizeText(result.usableBytes), changesText(result.smallest->changes), sizeText(needed));
    }
    const PlannedChoice& answer = *result.answer;
    const Bytes needed = answer.verdict.neededBytes().value_or(0);
    return fmt::format("Use {}: {}, needs {} of {}, {} free.",
        answer.changes.empty() ? "it as it is" : changesText(answer.changes),
        speedAndTimeText(1 / answer.figures.seconds), sizeIn(needed, sizeUnitOf(needed)), sizeText(result.usableBytes),
        sizeText(result.usableBytes - needed));
}

} // namespace headroom::experiments
