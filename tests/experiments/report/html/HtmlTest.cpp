// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/Html.h"

#include "experiments/report/html/HtmlTable.h"

#include <gmock/gmock.h>

namespace headroom::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HtmlTest, textIsNeverMarkup)
{
    EXPECT_EQ(text("<b a='1' c=\"2\">&").source, "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
}

TEST(HtmlTest, whatNoPageMayHoldIsReplaced)
{
    EXPECT_EQ(text(std::string("a\0b\x1b", 4)).source,
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD");
    EXPECT_EQ(text("\xff").source, "\xEF\xBF\xBD");
}

TEST(HtmlTest, noTextTurnsAroundWhatFollows)
{
    EXPECT_EQ(text("a\u202eb").source, "a\\u{202E}b");
    EXPECT_EQ(element("td", {{"title", "\u2067"}}, {}).source, "<td title=\"\\u{2067}\"></td>");
    EXPECT_EQ(name("שלום").source, "<bdi>שלום</bdi>");
    EXPECT_EQ(name("a\u202eb é").source, "<bdi>a\\u{202E}b é</bdi>");
    EXPECT_EQ(name("plain <i>").source, "plain &lt;i&gt;");
}

TEST(HtmlTest, namesInTablesStandByThemselves)
{
    const ReportTable table{{{"label"}, {"peak", CellKind::Number}}, {{"", {{"שלום"}, {"12 GiB"}}}}};
    EXPECT_THAT(
        htmlTable(table, "t", Sorting::None).source, HasSubstr("<bdi>שלום</bdi></th><td class=\"number\">12 GiB"));
}

TEST(HtmlTest, attributesCannotBeLeft)
{
    EXPECT_EQ(element("td", {{"title", "\"><script>"}}, {}).source, "<td title=\"&quot;&gt;&lt;script&gt;\"></td>");
}

TEST(HtmlTest, backquotesOfASentenceAreCode)
{
    EXPECT_EQ(sentence("`a<b` beats `c`.").source, "<code>a&lt;b</code> beats <code>c</code>.");
    EXPECT_EQ(sentence("plain").source, "plain");
}

TEST(HtmlTableTest, predictedCellsAreMarkedAndExplained)
{
    ReportTable table{{{"techniques"}, {"peak", CellKind::Number}}, {}};
    table.rows.push_back({"id", {{"off"}, {"1.5", Origin::Predicted, "1536"}}});
    const std::string html = htmlTable(table, "Results", Sorting::Offered).source;
    EXPECT_THAT(html, HasSubstr("class=\"number predicted\" data-sort=\"1536\">1.5<abbr class=\"p\""));
    EXPECT_THAT(html, HasSubstr("predicted by simulation, not measured"));
    EXPECT_THAT(html, HasSubstr("<th scope=\"row\">off</th>"));
    table.rows[0].cells[1].origin = Origin::Plain;
    EXPECT_THAT(htmlTable(table, "Results", Sorting::Offered).source, Not(HasSubstr("predicted")));
}

TEST(HtmlTableTest, flagsBesideAnOutcomeAreWarnings)
{
    ReportTable table{{{"techniques"}, {"outcome"}}, {}};
    table.rows.push_back({"id", {{"off"}, {"completed; not steady; pressured"}}});
    EXPECT_THAT(htmlTable(table, "x", Sorting::None).source,
        HasSubstr("completed <span class=\"pill warn\">not steady</span> <span class=\"pill warn\">pressured</span>"));
}

} // namespace
} // namespace headroom::report
