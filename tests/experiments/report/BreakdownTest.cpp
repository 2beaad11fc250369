// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/Breakdown.h"

#include "experiments/report/ReportFigures.h"
#include "experiments/report/html/HtmlTree.h"
#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

#include <regex>

namespace headroom::report::breakdown_test {
namespace {

using config::MemoryCategory;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ReportContent contentOf(const std::vector<TrialSketch>& sketches)
{
    ReportContent content;
    content.trials = sketched(sketches);
    return content;
}

/// A row of the tree's HTML, read back.
struct ReadRow {
    Bytes bytes = 0;
    std::vector<ReadRow> rows;
};

/// Reads the nested <li data-bytes> of a tree.
class TreeReader {
public:
    explicit TreeReader(std::string html)
        : m_html(std::move(html))
    {
    }

    ReadRow read()
    {
        std::vector<ReadRow*> open;
        ReadRow root;
        const std::regex item("<li data-bytes=\"([0-9]+)\">|</li>");
        for (std::sregex_iterator at(m_html.begin(), m_html.end(), item), end; at != end; ++at) {
            if (at->str() == "</li>") {
                open.pop_back();
                continue;
            }
            auto& rows = open.empty() ? root.rows : open.back()->rows;
            rows.push_back({std::stoll((*at)[1]), {}});
            open.push_back(&rows.back());
        }
        return root;
    }

private:
    std::string m_html;
};

void expectExactSums(const ReadRow& row)
{
    Bytes sum = 0;
    for (const ReadRow& next : row.rows) {
        expectExactSums(next);
        sum += next.bytes;
    }
    if (!row.rows.empty()) {
        EXPECT_EQ(sum, row.bytes);
    }
}

TEST(BreakdownTest, aRecordWithoutOneHasNone)
{
    const ReportContent content = contentOf({{}});
    const Comparison comparison(content.trials);
    EXPECT_FALSE(content.trials[0].result.breakdown);
    EXPECT_THAT(breakdownTable(content, comparison).rows, IsEmpty());
    EXPECT_THAT(largestModules(content.trials[0], 5).rows, IsEmpty());
    EXPECT_FALSE(panelsOf(content, comparison)[0].categories);
}

TEST(BreakdownTest, theTableHasExactBytesOfCategoriesThatOccur)
{
    const ReportContent content = contentOf({{.breakdown = sketchedBreakdown()}, {.splitFfn = "2"}});
    const ReportTable table = breakdownTable(content, Comparison(content.trials));
    ASSERT_THAT(table.rows, SizeIs(1));
    ASSERT_THAT(table.columns, SizeIs(7));
    EXPECT_EQ(table.columns[5].title, "Saved activations");
    EXPECT_EQ(table.rows[0].cells[2].text, "backward");
    EXPECT_EQ(table.rows[0].cells[3].text, std::to_string(kGiB));
    EXPECT_EQ(table.rows[0].cells[5].text, std::to_string(800 * kMiB));
    EXPECT_EQ(table.rows[0].cells[5].origin, Origin::Predicted);
}

TEST(BreakdownTest, categoriesOfALaterVersionAreUnknown)
{
    protocol::MemoryBreakdown breakdown;
    breakdown.categories = {{"weights", 3}, {"of_another_kind", 4}};
    EXPECT_EQ(categoriesOf(breakdown).of(MemoryCategory::Weights), 3);
    EXPECT_EQ(categoriesOf(breakdown).of(MemoryCategory::Unknown), 4);
}

TEST(BreakdownTest, theLargestModulesAreNamedWithEqualOnesAsOne)
{
    const ReportContent content = contentOf({{.breakdown = sketchedBreakdown()}});
    const ReportTable table = largestModules(content.trials[0], 2);
    ASSERT_THAT(table.rows, SizeIs(2));
    EXPECT_EQ(table.rows[0].cells[0].text, "blocks.0-7.ff");
    EXPECT_EQ(table.rows[0].cells[1].text, std::to_string(800 * kMiB));
    EXPECT_EQ(table.rows[0].cells[2].text, "78.1 %");
    EXPECT_EQ(table.rows[0].cells[3].text, "Saved activations");
    EXPECT_EQ(table.rows[1].cells[0].text, "head");
}

TEST(BreakdownTest, theRowsOfThePageSumExactly)
{
    const auto tree = figures::peakTree(moduleTree(sketchedBreakdown()), trace::Grouping::Module, 0.001);
    const std::string html = htmlTree(tree, Origin::Predicted).source;
    const ReadRow root = TreeReader(html).read();
    ASSERT_THAT(root.rows, SizeIs(1));
    EXPECT_EQ(root.rows[0].bytes, kGiB);
    EXPECT_THAT(root.rows[0].rows, SizeIs(3));
    expectExactSums(root.rows[0]);
    EXPECT_THAT(html, HasSubstr("8 alike"));
    EXPECT_THAT(html, HasSubstr("predicted, not measured"));
}

TEST(BreakdownTest, theBarsAreComparedWithTheTrialWithoutTechniques)
{
    protocol::MemoryBreakdown less = sketchedBreakdown();
    less.categories["saved_activations"] -= 300 * kMiB;
    less.totalBytes -= 300 * kMiB;
    const ReportContent content = contentOf({{.breakdown = sketchedBreakdown()}, {.splitFfn = "2", .breakdown = less}});
    const auto figure = panelsOf(content, Comparison(content.trials))[0].categories;
    ASSERT_TRUE(figure);
    EXPECT_THAT(figure->table.rows[1].back(), HasSubstr("Saved activations: 0.293 GiB less than baseline"));
}

} // namespace
} // namespace headroom::report::breakdown_test
