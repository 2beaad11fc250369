// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/RehearsalJudge.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/verdict/DeviceFit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace headroom::experiments {
namespace {

// Of what Python says of an exception.
std::string lastLine(std::string text)
{
    text.erase(text.find_last_not_of(" \n") + 1);
    return text.substr(text.rfind('\n') + 1);
}

// Of a name that users know the process by: what its Python said of it.
std::string sentenceFor(const RecordedProblem& problem)
{
    if (problem.reason == "not_preloaded")
        return "the card was not loaded into its process (" + problem.found
            + "): a command that clears its environment, or a program that is not dynamically linked, cannot be "
              "rehearsed";
    if (problem.reason == "no_cuda")
        return "its PyTorch (" + problem.found
            + ") is built without CUDA: install the build with CUDA, no GPU is needed";
    if (problem.reason == "rocm")
        return "its PyTorch (" + problem.found + ") is built for ROCm, and the card that is not there is one of CUDA";
    if (problem.reason == "too_old")
        return "its PyTorch (" + problem.found + ") is older than 2.4";
    if (problem.reason == "absent_rank")
        return "it waits for " + problem.found + ", which is not rehearsed: name it behind --ranks, too";
    if (problem.reason == "agent_failed")
        return "what watches it has failed, which is a fault of Headroom's: " + lastLine(problem.found);
    return problem.reason + " (" + problem.found + ")";
}

// It used the card, and nothing was heard of it.
constexpr const char* kUnwatched = "a process used the card without being watched: the command sets PYTHONPATH anew, "
                                   "or starts Python with -I, -E or -S";

// Nothing was heard, and nothing used the card either.
constexpr const char* kUnheard =
    ". No Python with a PyTorch was heard of: there is none, or the command clears its environment (env -i, sudo, "
    "python -I or -E, a container)";

bool isEndedBySteps(const ProcessRecords& process)
{
    return process.end && process.end->reason == "steps";
}

/// Whether steps were made after the last out of memory, or, where no step is made at all, whether it ended well.
bool wentOn(const ProcessRecords& process)
{
    return process.shortages.empty() || process.shortages.back().stepsBefore < process.steps.size();
}

// Its first line, as a part of a sentence.
std::string shortened(std::string text)
{
    constexpr std::size_t kMostLetters = 300;
    text = text.substr(0, std::min(text.find('\n'), kMostLetters));
    return text.substr(0, text.find_last_not_of(" .") + 1);
}

/// What the first of its processes that died of an exception says.
std::string exceptionOf(const RehearsedRun& run)
{
    for (const ProcessRecords& process : run.processes)
        if (process.end && !process.end->exception.empty())
            return process.end->exception;
    return {};
}

// What the libraries of the hub say without a network.
bool isAboutTheHub(const std::string& exception)
{
    return std::ranges::any_of(std::to_array({"huggingface.co", "LocalEntryNotFound", "OfflineMode", "Repo id must"}),
        [&](const char* word) { return exception.find(word) != std::string::npos; });
}

std::string failureText(const RehearsedRun& run)
{
    const std::string said = exceptionOf(run);
    if (run.processes.empty())
        return fmt::format("the command ended with exit code {}{}", run.end.exitCode, kUnheard);
    return fmt::format("the command ended with exit code {}{}{}", run.end.exitCode,
        said.empty() ? "" : ": " + shortened(said),
        isAboutTheHub(said) ? ". What it wants of a hub is not here, and nothing is downloaded: headroom ghost makes a "
                              "checkpoint of the right names and shapes that takes no room"
                            : "");
}

bool endedWell(const RehearsedRun& run, const ProcessRecords& main)
{
    return isEndedBySteps(main) || (!run.end.stopped && run.end.exitCode == 0);
}

void setOutcome(RehearsedRank& rank, RehearsalOutcome outcome, std::string reason = {})
{
    rank.outcome = outcome;
    rank.reason = std::move(reason);
}

/// The ledger counts calls, and what watches a Python knows its lines.
std::vector<RefusedFunction> refusedOf(const RehearsedRun& run)
{
    std::vector<RefusedFunction> all;
    for (const auto& [function, count] : run.ledger.refused) {
        all.push_back({function, count, {}});
        for (const ProcessRecords& process : run.processes)
            if (const auto known = process.refused.find(function);
                known != process.refused.end() && all.back().where.empty())
                all.back().where = known->second;
    }
    return all;
}

std::string refusedText(const RehearsedRun& run)
{
    std::vector<std::string> names;
    for (const RefusedFunction& refused : refusedOf(run)) {
        const std::string place = placeText(refused.where);
        names.push_back(refused.function + (place.empty() ? "" : " (at " + place + ")"));
    }
    return fmt::format("{} {} not rehearsed", enumerated(names), names.size() == 1 ? "is" : "are");
}

void judgeOutcome(RehearsedRank& rank, const RehearsalTerms& terms, const RehearsedRun& run)
{
    const ProcessRecords* const main = run.main();
    if (const RecordedProblem* const problem = run.problem())
        setOutcome(rank, RehearsalOutcome::Refused, sentenceFor(*problem));
    else if (run.end.timedOut)
        setOutcome(rank, RehearsalOutcome::TimedOut,
            fmt::format("no answer within {}", durationText(std::chrono::duration<double>(terms.timeout).count())));
    else if (main != nullptr && !wentOn(*main))
        setOutcome(rank, RehearsalOutcome::OutOfMemory);
    else if (!run.ledger.refused.empty())
        setOutcome(rank, RehearsalOutcome::Refused, refusedText(run));
    else if (main == nullptr && run.taken.processes > 0)
        setOutcome(rank, RehearsalOutcome::Refused, kUnwatched);
    else if (main == nullptr && run.end.exitCode != 0)
        setOutcome(rank, RehearsalOutcome::Failed, failureText(run));
    else if (main == nullptr)
        setOutcome(rank, RehearsalOutcome::NoDeviceUsed,
            (run.rank ? fmt::format("the command started no rank {} that used a card", *run.rank)
                      : std::string("no process of the command used a card"))
                + (run.processes.empty() ? kUnheard : ""));
    else if (!endedWell(run, *main))
        setOutcome(rank, RehearsalOutcome::Failed, failureText(run));
    else
        setOutcome(rank, RehearsalOutcome::Completed);
}

bool isGrowing(const std::vector<RecordedStep>& steps)
{
    if (steps.size() < 3 || !steps.back().allocated)
        return false;
    return std::all_of(steps.begin(), steps.end() - 1,
        [&](const RecordedStep& step) { return step.allocated && *step.allocated < *steps.back().allocated; });
}

Bytes highOf(const std::vector<protocol::UncountedMemory>& notCounted)
{
    protocol::RepeatMemory memory;
    memory.notCounted = notCounted;
    return memory.notCountedHigh();
}

void addDevices(RehearsedRank& rank, const ProcessRecords& main, const RehearsedCard::Taken& taken)
{
    for (std::size_t card = 0; card < taken.mostBytes.size(); ++card) {
        const auto peak = main.peaks.find(static_cast<int>(card));
        if (taken.mostBytes[card] == 0 && peak == main.peaks.end())
            continue;
        rank.devices.push_back({static_cast<int>(card), peak == main.peaks.end() ? RecordedPeak{} : peak->second,
            taken.mostBytes[card] > 0 ? std::optional(taken.mostBytes[card]) : std::nullopt});
    }
}

// Where the run ended before its time, what it needs beyond is not known.
void addNeed(RehearsedRank& rank, const RehearsedRun& run)
{
    rank.needed = run.mostTaken();
    if (rank.needed)
        rank.neededHigh = *rank.needed + highOf(rank.notCounted);
}

void addFigures(RehearsedRank& rank, const RehearsedRun& run)
{
    const ProcessRecords* const main = run.main();
    if (main == nullptr)
        return;
    if (const RecordedPeak* const peak = main->fullestPeak())
        rank.peak = *peak;
    rank.notCounted = run.ledger.notCounted;
    rank.isGrowing = isGrowing(main->steps);
    rank.steps = main->steps;
    addDevices(rank, *main, run.taken);
    addNeed(rank, run);
}

void addFacts(RehearsedRank& rank, const RehearsalTerms& terms, const RehearsedRun& run)
{
    rank.processes = run.taken.processes;
    rank.rank = run.rank.value_or(0);
    rank.worldSize = terms.worldSize();
    const ProcessRecords* const main = run.main();
    // After its last step a process ends itself, which may be seen before its record of it is read.
    if (!run.end.stopped && !run.end.timedOut && (main == nullptr || !isEndedBySteps(*main)))
        rank.exitCode = run.end.exitCode;
    rank.refused = refusedOf(run);
    if (main == nullptr)
        return;
    if (!run.rank)
        rank.rank = main->rank;
    if (main->worldSize > 0)
        rank.worldSize = main->worldSize;
    rank.covered = main->coverage.value_or(RecordedCoverage{.steps = static_cast<std::int64_t>(main->steps.size())});
    rank.reads = main->reads;
    rank.guesses = main->guesses;
    rank.libraries = main->libraries;
    if (!main->shortages.empty())
        rank.outOfMemory = main->shortages.front();
}

bool isSizeGuessed(const RehearsedRank& rank)
{
    return std::ranges::any_of(rank.guesses, &RecordedGuess::isSize);
}

std::string guessedText(const RehearsedRank& rank)
{
    const auto guess = std::ranges::find_if(rank.guesses, &RecordedGuess::isSize);
    const std::string place = placeText(guess->where);
    if (guess->what == "item")
        return fmt::format("a whole number that is read{} is not computed, and sizes may come of it",
            place.empty() ? "" : " at " + place);
    return fmt::format(
        "the size of {}{} depends on values that are not computed", guess->what, place.empty() ? "" : " at " + place);
}

RehearsalVerdict unknown(RehearsedRank& rank, std::string reason)
{
    rank.reason = std::move(reason);
    return RehearsalVerdict::Unknown;
}

RehearsalVerdict verdictOfCompleted(RehearsedRank& rank)
{
    if (isSizeGuessed(rank))
        return unknown(rank, guessedText(rank));
    if (rank.steps.empty())
        return unknown(rank, "no step of an optimizer was seen");
    if (!rank.neededHigh)
        return unknown(rank, "its memory was not counted");
    const Bytes margin = rank.usable / DeviceFit::kMarginDivisor;
    const bool isNear = *rank.neededHigh + margin > rank.usable;
    return isNear || rank.peak.retries > 0 || rank.outOfMemory ? RehearsalVerdict::Tight : RehearsalVerdict::Fits;
}

RehearsalVerdict verdictOf(RehearsedRank& rank)
{
    switch (rank.outcome) {
    case RehearsalOutcome::Completed:
        return verdictOfCompleted(rank);
    case RehearsalOutcome::OutOfMemory:
        return RehearsalVerdict::No;
    case RehearsalOutcome::Failed:
        if (isSizeGuessed(rank)) // it may have failed for what it was told instead
            rank.reason += "; before that, " + guessedText(rank);
        return RehearsalVerdict::Failed;
    case RehearsalOutcome::TimedOut:
        return RehearsalVerdict::Failed;
    case RehearsalOutcome::Refused:
    case RehearsalOutcome::NoDeviceUsed:
        break;
    }
    return RehearsalVerdict::Unknown;
}

/// What it needs is known only where it took the same way to the same steps.
bool saysNeed(const RehearsedRun& unlimited, const RehearsalTerms& terms)
{
    const ProcessRecords* const main = unlimited.main();
    return main != nullptr && endedWell(unlimited, *main) && unlimited.ledger.refused.empty()
        && (terms.steps == 0 || !main->steps.empty());
}

// Each would train by itself, which is seldom what was meant.
bool isWithoutGroup(const RehearsedRun& run)
{
    const ProcessRecords* const main = run.main();
    return run.rank && main != nullptr && main->worldSize == 0 && !main->steps.empty();
}

/// Which verdict counts where ranks differ: one that fails says nothing, and one without room is enough to know.
int weightOf(RehearsalVerdict verdict)
{
    switch (verdict) {
    case RehearsalVerdict::Fits:
        return 0;
    case RehearsalVerdict::Tight:
        return 1;
    case RehearsalVerdict::Unknown:
        return 2;
    case RehearsalVerdict::No:
        return 3;
    case RehearsalVerdict::Failed:
        break;
    }
    return 4;
}

} // namespace

bool isWorse(const RehearsedRow& row, const RehearsedRow& other)
{
    const auto key = [](const RehearsedRow& one) {
        return std::make_tuple(weightOf(one.verdict), one.rank.neededHigh.value_or(0), -one.rank.rank);
    };
    return key(other) < key(row);
}

bool endedForMemory(const RehearsedRun& run)
{
    const ProcessRecords* const main = run.main();
    return main != nullptr && !run.end.timedOut && run.problem() == nullptr && !wentOn(*main);
}

RehearsedRow judgeRehearsal(
    const RehearsalTerms& terms, const RehearsedRun& run, const std::optional<RehearsedRun>& unlimited)
{
    RehearsedRow row;
    row.device = "rehearsal:" + terms.device.name;
    row.allocator = terms.allocator;
    row.lacking = run.end.lacking;
    if (isWithoutGroup(run))
        row.lacking.emplace_back("no group of ranks was formed, so that each would train by itself");
    RehearsedRank& rank = row.rank;
    rank.usable = terms.device.memory->usableBytes.value;
    addFacts(rank, terms, run);
    judgeOutcome(rank, terms, run);
    rank.isSecondRun = unlimited && saysNeed(*unlimited, terms);
    addFigures(rank, rank.isSecondRun ? *unlimited : run);
    if (rank.outcome == RehearsalOutcome::OutOfMemory && !rank.isSecondRun)
        rank.needed = rank.neededHigh = std::nullopt;
    row.verdict = verdictOf(rank);
    return row;
}

} // namespace headroom::experiments
