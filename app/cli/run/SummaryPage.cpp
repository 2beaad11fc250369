// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/SummaryPage.h"

#include "app/cli/output/MarkdownText.h"
#include "app/cli/run/RunVerdict.h"
#include "app/cli/run/TrialStandings.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/results/Shortage.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using namespace experiments;

namespace {

using TrialPointers = std::vector<const TrialResult*>;

constexpr std::size_t kMostBudgets = 50;
constexpr std::size_t kMostTask = 1000; ///< bytes

std::string bytesCell(std::optional<Bytes> bytes)
{
    return bytes ? sizeText(*bytes) : kUnknownCell;
}

std::string speedCell(const TrialResult& trial)
{
    return trial.speed.stepsPerSecond ? significant(*trial.speed.stepsPerSecond, kColumnDigits) : kUnknownCell;
}

std::string fitsCell(const TrialResult& trial)
{
    const auto& fits = trial.memory.fits;
    return fits ? (*fits ? "yes" : "no") : kUnknownCell;
}

std::string row(const std::vector<std::string>& cells)
{
    std::string text = "|";
    for (const std::string& cell : cells)
        text += " " + cell + " |";
    return text + "\n";
}

std::string standingCell(const TrialResult& trial, Standing standing)
{
    switch (standing) {
    case Standing::Exceeded:
        return "budget exceeded";
    case Standing::Unusable:
        return "not usable";
    default:
        return inWords(toText(trial.outcome));
    }
}

std::string reasons(const TrialResult& trial, const TrialStandings& standings)
{
    std::vector<std::string> lines = standings.complaints(trial);
    if (standings.of(trial) == Standing::Failed)
        lines.insert(lines.begin(), trial.reason);
    for (const std::string& reason : trial.flagReasons())
        lines.push_back(reason);
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "<br>") + markdownCode(line);
    return text.empty() ? kUnknownCell : text;
}

constexpr const char* kFailingHead =
    "| result | trial | label | device | kind | peak allocated | peak reserved | needs | steps/s | why |\n"
    "| --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- |\n";

std::string failingRow(const TrialResult& trial, const TrialStandings& standings)
{
    return row({standingCell(trial, standings.of(trial)), markdownCode(trial.shortId()), markdownCode(trial.label),
        markdownCode(trial.deviceNotation()), trial.kind(), bytesCell(trial.memory.peak.allocated),
        bytesCell(trial.memory.peak.reserved), bytesCell(trial.memory.need.needed), speedCell(trial),
        reasons(trial, standings)});
}

std::string verdictCell(BudgetResult worst)
{
    return worst == BudgetResult::NotApplicable ? kUnknownCell : inWords(toText(worst));
}

constexpr const char* kAllHead =
    "| trial | label | device | kind | outcome | budgets | peak allocated | peak reserved | needs | fits | steps/s |\n"
    "| --- | --- | --- | --- | --- | --- | ---: | ---: | ---: | --- | ---: |\n";

// The outcome, with the memory need of a trial that ran out of memory.
std::string outcomeCell(const TrialResult& trial)
{
    const std::string outcome = inWords(toText(trial.outcome));
    const std::string shortage = shortageText(trial);
    return shortage.empty() ? outcome : outcome + ": " + shortage;
}

std::string plainRow(const TrialResult& trial, const TrialStandings& standings)
{
    return row({markdownCode(trial.shortId()), markdownCode(trial.label), markdownCode(trial.deviceNotation()),
        trial.kind(), outcomeCell(trial), verdictCell(standings.worst(trial)), bytesCell(trial.memory.peak.allocated),
        bytesCell(trial.memory.peak.reserved), bytesCell(trial.memory.need.needed), fitsCell(trial), speedCell(trial)});
}

TrialPointers failingTrials(const FinishedRun& run, const TrialStandings& standings)
{
    TrialPointers failing;
    for (const TrialResult& trial : run.results.trials)
        if (standings.of(trial) <= Standing::Unusable)
            failing.push_back(&trial);
    std::stable_sort(failing.begin(), failing.end(),
        [&](const TrialResult* a, const TrialResult* b) { return standings.of(*a) < standings.of(*b); });
    return failing;
}

std::string budgetList(const RunSummary& summary)
{
    std::string text;
    const std::size_t shown = std::min(summary.budgets.size(), kMostBudgets);
    for (std::size_t i = 0; i < shown; ++i) {
        const BudgetOutcome& budget = summary.budgets[i];
        text +=
            "- " + inWords(toText(budget.result())) + ": " + markdownCode(budget.name) + ", " + extentOf(budget) + "\n";
    }
    if (shown < summary.budgets.size())
        text += fmt::format("- and {} more\n", summary.budgets.size() - shown);
    return text.empty() ? "" : text + "\n";
}

bool hasPrediction(const FinishedRun& run)
{
    const auto& trials = run.results.trials;
    return std::any_of(trials.begin(), trials.end(), [](const auto& trial) { return trial.isPredicted; });
}

std::string heading(const FinishedRun& run)
{
    const std::string part = run.shard.empty() ? "" : ", shard " + run.shard;
    return "## headroom " + run.command + " " + markdownCode(run.results.experiment, 120) + part + ": "
        + verdictWord(run.summary) + "\n\n" + verdictSentence(run.summary) + "\n\n";
}

std::string taskParagraph(const FinishedRun& run)
{
    return run.task.empty() ? "" : markdownCode(run.task, kMostTask) + "\n\n";
}

std::string whereTheRestIs(const FinishedRun& run)
{
    return "the workspace " + markdownCode(run.workspace)
        + (run.junit.empty() ? "" : " and the JUnit file " + markdownCode(run.junit));
}

// A page that never exceeds its capacity.
class BoundedPage {
public:
    BoundedPage(std::string text, std::size_t capacity, std::string where)
        : m_text(std::move(text))
        , m_capacity(capacity)
        , m_where(std::move(where))
    {
    }

    // Adds rows between head and end. Room is always reserved for the end and for the line about omitted rows, also for
    // that line of a later table without room for rows.
    template <typename Row>
    void addTable(const std::string& head, const TrialPointers& trials, const std::string& end, Row row)
    {
        const std::size_t reserved = end.size() + leftOut(trials.size()).size() + kLaterLine;
        if (trials.empty() || m_text.size() + head.size() + reserved > m_capacity) {
            addIfItFits(trials.empty() ? "" : leftOut(trials.size()));
            return;
        }
        m_text += head;
        std::size_t shown = 0;
        for (; shown < trials.size(); ++shown) {
            const std::string line = row(*trials[shown]);
            if (m_text.size() + line.size() + reserved > m_capacity)
                break;
            m_text += line;
        }
        m_text += (shown < trials.size() ? leftOut(trials.size() - shown) : "") + end;
    }

    std::string take() { return m_text.size() <= m_capacity ? std::move(m_text) : std::string(); }

private:
    void addIfItFits(const std::string& text)
    {
        if (m_text.size() + text.size() <= m_capacity)
            m_text += text;
    }

    std::string leftOut(std::size_t count) const
    {
        return fmt::format("\n{} left out to stay below the {} KiB that GitHub shows; {} in {}.\n",
            count == 1 ? "1 more row is" : fmt::format("{} more rows are", count), kSummaryCapacity / 1024,
            count == 1 ? "it is" : "they are", m_where);
    }

    static constexpr std::size_t kLaterLine = 256;

    std::string m_text;
    std::size_t m_capacity;
    std::string m_where;
};

} // namespace

std::string summaryPage(const FinishedRun& run, std::size_t capacity)
{
    const TrialStandings standings(run.summary);
    const auto failing = [&](const TrialResult& trial) { return failingRow(trial, standings); };
    const auto plain = [&](const TrialResult& trial) { return plainRow(trial, standings); };
    TrialPointers all;
    for (const TrialResult& trial : run.results.trials)
        all.push_back(&trial);
    std::string text = heading(run) + taskParagraph(run) + budgetList(run.summary);
    if (hasPrediction(run))
        text += "Rows of the kind \"predicted\" were simulated, not measured.\n\n";
    BoundedPage page(std::move(text), capacity, whereTheRestIs(run));
    page.addTable(kFailingHead, failingTrials(run, standings), "\n", failing);
    const std::string extent = (all.size() == 1 ? "" : "All ") + counted(std::ssize(all), "trial");
    const std::string fold = fmt::format("<details>\n<summary>{}</summary>\n\n", extent);
    page.addTable(fold + kAllHead, all, "\n</details>\n", plain);
    return page.take();
}

} // namespace headroom::cli
