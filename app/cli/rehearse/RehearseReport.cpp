// SPDX-License-Identifier: Apache-2.0
#include "app/cli/rehearse/RehearseReport.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/MemoryCategory.h"
#include "profiling/trace/FrameText.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using experiments::HeldMemory;
using experiments::OrderedJson;
using experiments::RehearsalVerdict;
using experiments::RehearsedRank;
using experiments::RehearsedRow;

namespace {

constexpr std::size_t kMostHeld = 12;
constexpr std::size_t kMostLetters = 64;
constexpr std::size_t kMostRemarks = 8;

std::string sizeCell(std::optional<Bytes> bytes)
{
    return bytes ? sizeText(*bytes) : std::string();
}

std::string reachedAt(const RehearsedRank& rank)
{
    std::string text = rank.peak.step ? fmt::format("step {}", *rank.peak.step) : std::string();
    if (!rank.peak.phase.empty())
        text += text.empty() ? rank.peak.phase : ", " + rank.peak.phase;
    return text;
}

std::string title(const std::string& category)
{
    const auto known = config::memoryCategoryFromText(category);
    return known ? std::string(config::titleOf(*known)) : category;
}

Table rowTable(const std::vector<RehearsedRow>& rows)
{
    Table table({{"trial"}, {"on"}, {"allocator"}, {"verdict"}, {"peak allocated", Alignment::Right},
        {"peak reserved", Alignment::Right}, {"needs", Alignment::Right}, {"of", Alignment::Right}, {"reached in"}});
    for (const RehearsedRow& row : rows)
        table.addRow({row.trialId.substr(0, 8), row.label, row.allocator, inWords(toText(row.verdict)),
            sizeCell(row.rank.peak.allocated), sizeCell(row.rank.peak.reserved), sizeCell(row.rank.needed),
            sizeText(row.rank.usable), reachedAt(row.rank)});
    return table;
}

// What the thread of the backward pass made has no line of the program's.
std::string whereText(const HeldMemory& held)
{
    const bool isOfBackward = held.category == config::toText(config::MemoryCategory::Temporaries)
        || held.category == config::toText(config::MemoryCategory::Gradients);
    return held.where.empty() && isOfBackward ? "the backward pass" : trace::shortFrame(held.where, kMostLetters);
}

Table heldTable(const RehearsedRank& rank)
{
    Table table({{"what"}, {"size", Alignment::Right}, {"share", Alignment::Right}, {"where"}});
    Bytes all = 0;
    for (const HeldMemory& held : rank.held)
        all += held.bytes;
    Bytes rest = all;
    for (std::size_t i = 0; i < std::min(kMostHeld, rank.held.size()); ++i) {
        const HeldMemory& held = rank.held[i];
        rest -= held.bytes;
        table.addRow({title(held.category), sizeText(held.bytes), shareText(held.bytes, all), whereText(held)});
    }
    if (rest > 0)
        table.addRow({"everything else", sizeText(rest), shareText(rest, all), ""});
    return table;
}

// One line a rank: what is said of the row is said of the worst.
Table rankTable(const RehearsedRow& row)
{
    Table table({{"rank", Alignment::Right}, {"outcome"}, {"peak allocated", Alignment::Right},
        {"peak reserved", Alignment::Right}, {"needs", Alignment::Right}, {"at most", Alignment::Right},
        {"of", Alignment::Right}, {"reached in"}, {"why"}});
    for (const RehearsedRank* rank : row.ranks())
        table.addRow({std::to_string(rank->rank), inWords(toText(rank->outcome)), sizeCell(rank->peak.allocated),
            sizeCell(rank->peak.reserved), sizeCell(rank->needed), sizeCell(rank->neededHigh), sizeText(rank->usable),
            reachedAt(*rank), rank->reason});
    return table;
}

std::string guessText(const experiments::RecordedGuess& guess)
{
    const std::string place = placeText(guess.where);
    return fmt::format(
        "{}{}: {} ({})", place.empty() ? "" : place + ": ", guess.what, guess.kind, counted(guess.count, "time"));
}

std::string uncountedText(const protocol::UncountedMemory& memory)
{
    return fmt::format("not counted: {} to {} that {} may take in {}", sizeText(memory.low), sizeText(memory.high),
        memory.library, memory.function);
}

std::vector<std::string> remarksOn(const RehearsedRow& row)
{
    const RehearsedRank& rank = row.rank;
    std::vector<std::string> remarks;
    if (rank.isSecondRun)
        remarks.emplace_back("what it needs was found by a second run, without the card's limit");
    if (rank.isGrowing)
        remarks.emplace_back("its peak still grew in the last step: more steps may need more");
    if (rank.peak.retries > 0)
        remarks.push_back(fmt::format("{} served only after the allocator gave back its cache, which costs time",
            rank.peak.retries == 1 ? "1 request was" : grouped(rank.peak.retries) + " requests were"));
    if (rank.reads.computed + rank.reads.byRule + rank.reads.unknown > 0)
        remarks.push_back(readsSentence(rank.reads));
    for (const auto& memory : rank.notCounted)
        remarks.push_back(uncountedText(memory));
    for (const auto& guess : rank.guesses)
        remarks.push_back(guessText(guess));
    for (const std::string& lacking : row.lacking)
        remarks.push_back("not kept to its terms: " + lacking);
    return remarks;
}

std::string lines(const std::vector<std::string>& all)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(kMostRemarks, all.size()); ++i)
        text += (text.empty() ? "" : "\n") + all[i];
    if (all.size() > kMostRemarks)
        text += fmt::format("\nand {} more (--format json)", all.size() - kMostRemarks);
    return text;
}

Section sectionOf(const RehearsedRow& row)
{
    Section section{row.label, verdictSentence(row), {}, lines(remarksOn(row))};
    if (!row.rank.held.empty())
        section.table = heldTable(row.rank);
    return section;
}

std::string answerText(const RehearseOutcome& outcome)
{
    const bool asksForCard = outcome.question == RehearseOutcome::Question::SmallestCard;
    if (outcome.question == RehearseOutcome::Question::Rows)
        return "";
    if (!outcome.answer)
        return asksForCard ? "None of these cards is enough." : "No value of these fits.";
    return fmt::format("{}: {}.", asksForCard ? "The smallest card that is enough" : "The largest that fits",
        outcome.rows.at(*outcome.answer).label);
}

OrderedJson answerJson(const RehearseOutcome& outcome)
{
    if (!outcome.answer)
        return nullptr;
    const OrderedJson row = toJson(outcome.rows.at(*outcome.answer));
    return {{"values", row.at("values")}, {"device", row.at("device")}};
}

} // namespace

int RehearseOutcome::exitCode() const
{
    if (isInterrupted)
        return 130;
    if (question == Question::LargestValue)
        return answer ? budgetExitCode : 1;
    if (rows.size() == 1)
        return std::max(rows.front().exitCode(), rows.front().exitCode() == 0 ? budgetExitCode : 0);
    int worst = 0;
    for (const RehearsedRow& row : rows)
        if (const int code = row.exitCode(); code == 3 || (code == 4 && worst == 0))
            worst = code;
    return worst != 0 ? worst : budgetExitCode;
}

Report rehearseReport(const RehearseOutcome& outcome)
{
    Report report;
    for (const RehearsedRow& row : outcome.rows)
        report.records.push_back(toJson(row));
    report.document = {{"schema", "headroom.rehearsal/1"}, {"command", outcome.command},
        {"end", outcome.isInterrupted ? "interrupted" : "completed"}, {"rows", report.records},
        {"answer", answerJson(outcome)}};
    if (outcome.rows.size() != 1)
        report.sections.push_back({"", "", rowTable(outcome.rows), answerText(outcome)});
    for (std::size_t i = 0; i < outcome.rows.size(); ++i)
        if (outcome.rows.size() == 1 || i == outcome.answer)
            report.sections.push_back(sectionOf(outcome.rows[i]));
    if (outcome.rows.size() == 1)
        report.sections.push_back({"", "", rowTable(outcome.rows), ""});
    for (const RehearsedRow& row : outcome.rows)
        if (row.rank.worldSize > 1)
            report.sections.push_back({outcome.rows.size() == 1 ? "" : row.label, "", rankTable(row), ""});
    return report;
}

} // namespace headroom::cli
