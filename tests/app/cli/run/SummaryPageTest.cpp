// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/SummaryPage.h"

#include "app/cli/output/MarkdownText.h"
#include "tests/app/cli/run/BatchFixture.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <sstream>

namespace headroom::cli {
namespace {

using experiments::BudgetResult;
using experiments::BudgetVerdict;
using experiments::TrialResult;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

FinishedRun manyTrials(int count, BudgetResult result)
{
    std::vector<TrialResult> records;
    std::vector<BudgetVerdict> verdicts;
    for (int i = 0; i < count; ++i) {
        records.push_back(batchResult(std::to_string(10'000'000 + i), Outcome::Completed));
        verdicts.push_back(batchVerdict(std::to_string(10'000'000 + i), result, "a long story about a peak"));
    }
    return batchRun(std::move(records), std::move(verdicts));
}

std::size_t rowsOf(const std::string& page)
{
    std::size_t rows = 0;
    std::istringstream stream(page);
    for (std::string line; std::getline(stream, line);)
        rows += line.starts_with("| ") && line.find("`1") != std::string::npos ? 1 : 0;
    return rows;
}

TEST(SummaryPageTest, beginsWithTheVerdict)
{
    EXPECT_THAT(summaryPage(manyTrials(2, BudgetResult::Exceeded)),
        StartsWith("## headroom run `sweep`: failed\n\n2 trials: 2 completed. Budgets: 1 exceeded. Exit code 1.\n\n"
                   "- exceeded: `small`, 2 of 2 trials\n\n"));
    EXPECT_THAT(summaryPage(manyTrials(2, BudgetResult::Held)),
        StartsWith("## headroom run `sweep`: passed\n\n2 trials: 2 completed. Budgets: 1 held. Exit code 0.\n"));
    FinishedRun run = manyTrials(1, BudgetResult::Undecided);
    run.shard = "2/4";
    EXPECT_THAT(summaryPage(run), StartsWith("## headroom run `sweep`, shard 2/4: not usable\n"));
}

TEST(SummaryPageTest, saysWhatWasRunBelowTheVerdict)
{
    FinishedRun run = manyTrials(1, BudgetResult::Held);
    run.task = "train, bfloat16, batch 1";
    EXPECT_THAT(summaryPage(run), HasSubstr("Exit code 0.\n\n`train, bfloat16, batch 1`\n\n- held: "));
}

TEST(SummaryPageTest, namesTheTrialsThatFailBeforeAllOthersAndTheWorstFirst)
{
    TrialResult crashed = batchResult("3", Outcome::Failed);
    crashed.reason = "the worker crashed";
    const std::string page =
        summaryPage(batchRun({batchResult("1", Outcome::Completed), batchResult("2", Outcome::Completed), crashed},
            {batchVerdict("2", BudgetResult::Exceeded, "9 GiB, more than 6 GiB")}));
    const std::string top = page.substr(0, page.find("<details>"));
    EXPECT_THAT(top, HasSubstr("| failed | `3` | `trial 3` |"));
    EXPECT_THAT(top, HasSubstr("`the worker crashed`"));
    EXPECT_THAT(top, HasSubstr("| budget exceeded | `2` | `trial 2` | `sim:t4@torch-2.11` | predicted | 1.00 MiB |"));
    EXPECT_THAT(top, HasSubstr("`exceeded: small: 9 GiB, more than 6 GiB`"));
    EXPECT_THAT(top, Not(HasSubstr("`trial 1`")));
    EXPECT_LT(top.find("`trial 3`"), top.find("`trial 2`"));
    const std::string rest = page.substr(top.size());
    EXPECT_THAT(rest, StartsWith("<details>\n<summary>All 3 trials</summary>\n\n|"));
    EXPECT_THAT(rest, HasSubstr("`trial 1`"));
    EXPECT_THAT(rest, testing::EndsWith("\n\n</details>\n"));
}

TEST(SummaryPageTest, outOfMemorySaysTheWholeNeed)
{
    TrialResult record = batchResult("1", Outcome::OutOfMemory);
    record.outOfMemory = protocol::OutOfMemoryFacts{"forward", 2 * kMiB, kMiB};
    record.memory.need = {5 * kMiB, 3 * kMiB};
    const std::string page = summaryPage(batchRun({record}, {}));
    EXPECT_THAT(page,
        HasSubstr("| out of memory: needs 5.00 MiB, 3.00 more than usable; first failed in forward for "
                  "2 MiB | - | 1.00 MiB | 2.00 MiB | 5.00 MiB | yes |"));
    EXPECT_THAT(page, HasSubstr("<summary>1 trial</summary>"));
}

TEST(SummaryPageTest, aRowThatIsLeftOutIsOne)
{
    const FinishedRun run = manyTrials(30, BudgetResult::Held);
    const std::size_t whole = summaryPage(run).size();
    std::string page;
    for (std::size_t capacity = whole + 300; rowsOf(page = summaryPage(run, capacity)) == 30; --capacity) { }
    EXPECT_EQ(rowsOf(page), 29U);
    EXPECT_THAT(page, HasSubstr("1 more row is left out to stay below"));
    EXPECT_THAT(page, HasSubstr("that GitHub shows; it is in the workspace"));
}

TEST(SummaryPageTest, saysWhatIsPredicted)
{
    EXPECT_THAT(summaryPage(manyTrials(1, BudgetResult::Held)), HasSubstr("were simulated, not measured"));
    TrialResult measured = batchResult("1", Outcome::Completed);
    measured.isPredicted = false;
    const std::string page = summaryPage(batchRun({measured}, {}));
    EXPECT_THAT(page, Not(HasSubstr("simulated")));
    EXPECT_THAT(page, HasSubstr("| measured |"));
}

// GitHub drops the whole page if it is too long.
TEST(SummaryPageTest, staysBelowTheCapWith20000Trials)
{
    for (const BudgetResult result : {BudgetResult::Held, BudgetResult::Exceeded}) {
        FinishedRun run = manyTrials(20'000, result);
        run.junit = "junit.xml";
        const std::string page = summaryPage(run);
        EXPECT_LE(page.size(), 1024u * 1024u);
        EXPECT_GT(page.size(), 1000u * 1024u);
        const bool isFailing = result == BudgetResult::Exceeded;
        const std::size_t leftOut = (isFailing ? 40'000 : 20'000) - rowsOf(page);
        std::size_t said = 0;
        std::istringstream stream(page);
        for (std::string line; std::getline(stream, line);)
            if (line.find(" more rows are left out to stay below the 1024 KiB that GitHub shows; they are in the "
                          "workspace `headroom.db` and the JUnit file `junit.xml`.")
                != std::string::npos)
                said += std::stoul(line);
        EXPECT_EQ(said, leftOut) << "what is said to be left out";
        EXPECT_EQ(page.find("<details>") == std::string::npos, page.find("</details>") == std::string::npos);
    }
}

TEST(SummaryPageTest, keepsToAnyCapacity)
{
    const FinishedRun run = manyTrials(30, BudgetResult::Exceeded);
    const std::size_t whole = summaryPage(run).size();
    for (std::size_t capacity = 0; capacity <= whole; capacity += 7)
        EXPECT_LE(summaryPage(run, capacity).size(), capacity);
    EXPECT_EQ(summaryPage(run, whole + 600).size(), whole);
    EXPECT_THAT(summaryPage(run, 20), IsEmpty());
}

TEST(MarkdownCodeTest, isOneCellOfPlainText)
{
    EXPECT_EQ(markdownCode("a | b"), "`a \\| b`");
    EXPECT_EQ(markdownCode("`rm`\n<b>@you</b>"), "`'rm' <b>@you</b>`");
    EXPECT_EQ(markdownCode("\x01\xff\u202e"), "`\\x01\\xFF\\u{202E}`");
    EXPECT_EQ(markdownCode(""), "-");
    EXPECT_EQ(markdownCode(" "), "-");
    EXPECT_EQ(markdownCode("gr\xC3\xBC", 3), "`gr...`");
}

} // namespace
} // namespace headroom::cli
