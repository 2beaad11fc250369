// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlReport.h"

#include "core/base/Error.h"
#include "core/base/Sha256.h"
#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

#include <regex>
#include <set>

namespace headroom::report {
namespace {

using testing::HasSubstr;
using testing::Not;

class HtmlReportTest : public ReportFixture {
protected:
    std::string page(Identity identity = Identity::Shown)
    {
        const ReportContent found = content(identity);
        return htmlReport(found, Comparison(found.trials), loadPageParts(options.resources));
    }

    static std::string between(const std::string& text, const std::string& open, const std::string& close)
    {
        const auto begin = text.find(open) + open.size();
        return text.substr(begin, text.find(close, begin) - begin);
    }
};

constexpr const char* kHostile = R"x(
name = "<script>alert(1)</script>"
title = "\"><img src=x onerror=alert(2)>"
techniques.split_ffn = ["off", "2"]
device.name = ["cpu", "sim:t4"]
[[exclude]]
split_ffn = "2"
device.name = "cpu"
reason = "</td><script>alert('3')</script>`<i>\u202eelddiw"
)x";

TEST_F(HtmlReportTest, loadsNothingFromAnywhere)
{
    run("device.name = [\"cpu\", \"sim:t4\"]\n");
    const std::string html = page();
    EXPECT_THAT(html, HasSubstr("default-src 'none'"));
    EXPECT_FALSE(std::regex_search(html, std::regex("(src|href)=\"(?!#|data:,)")));
    EXPECT_THAT(html, Not(HasSubstr("@import")));
    EXPECT_FALSE(std::regex_search(html, std::regex("url\\((?!#)")));
    const std::string withoutNamespaces = std::regex_replace(html, std::regex("xmlns=\"[^\"]*\""), "");
    EXPECT_THAT(withoutNamespaces, Not(HasSubstr("://")));
}

TEST_F(HtmlReportTest, itsPolicyAllowsItsOwnScriptAndStyleOnly)
{
    run("");
    const std::string html = page();
    const std::string policy = between(html, "Content-Security-Policy\" content=\"", "\"");
    EXPECT_THAT(policy, HasSubstr("script-src 'sha256-" + sha256Base64(between(html, "<script>", "</script>")) + "'"));
    EXPECT_THAT(policy, HasSubstr("style-src 'sha256-" + sha256Base64(between(html, "<style>", "</style>")) + "'"));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
    EXPECT_FALSE(std::regex_search(html, std::regex("<[^>]* (style|on[a-z]+)=\""))) << "the policy would forbid it";
}

TEST_F(HtmlReportTest, hostileNamesAreText)
{
    run(kHostile);
    const std::string html = page();
    EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)"));
    for (const char* markup : {"<script>alert", "<img", "<i>"})
        EXPECT_THAT(html, Not(HasSubstr(markup)));
    EXPECT_EQ(html.find("<script>"), html.rfind("<script>"));
    EXPECT_THAT(html, Not(HasSubstr("\u202e")));
    EXPECT_THAT(html, HasSubstr("\\u{202E}elddiw"));
}

TEST_F(HtmlReportTest, theVerdictComesFirstThenFigureTableAndTheRest)
{
    options.tracing = experiments::Tracing::On;
    script("trace@16");
    run(std::string(experiments::kThree)
        + "techniques.split_ffn = [\"off\", \"2\"]\n[[exclude]]\nsplit_ffn = "
          "\"2\"\nworkload.sequence_length = 8\n");
    const std::string html = page();
    std::size_t before = 0;
    for (const char* id :
        {"verdict", "tradeoff", "results", "peaks", "timelines", "differences", "endings", "environment", "again"}) {
        const std::size_t at = html.find("<section id=\"" + std::string(id) + "\"");
        ASSERT_NE(at, std::string::npos) << id;
        EXPECT_GT(at, before) << id;
        before = at;
    }
}

TEST_F(HtmlReportTest, eachFigureHasATableBesideIt)
{
    run("techniques.split_ffn = [\"off\", \"2\"]\n");
    const std::string html = page();
    const std::regex figure("<figure[^>]*>[\\s\\S]*?</figure>");
    std::size_t count = 0;
    for (auto it = std::sregex_iterator(html.begin(), html.end(), figure); it != std::sregex_iterator(); ++it, ++count)
        EXPECT_THAT(it->str(), HasSubstr("<details><summary>The figure as a table</summary>"));
    EXPECT_EQ(count, 2u);
}

TEST_F(HtmlReportTest, predictionsBesideMeasurementsAreMarkedWhereverTheyStand)
{
    run("techniques.split_ffn = [\"off\", \"2\"]\ndevice.name = [\"cpu\", \"sim:t4\"]\n");
    const std::string html = page();
    EXPECT_THAT(html, HasSubstr(">partly predicted</span>"));
    EXPECT_THAT(between(html, "<section id=\"verdict\"", "</section>"), HasSubstr("(predicted)"));
    const std::string results = between(html, "<section id=\"results\"", "</section>");
    const std::regex row("<tr data-trial[^>]*>([\\s\\S]*?)</tr>");
    const std::regex number("<td class=\"number\" data-sort=\"[^\"]+\">");
    for (auto it = std::sregex_iterator(results.begin(), results.end(), row); it != std::sregex_iterator(); ++it) {
        const std::string cells = it->str();
        const bool isPredicted = cells.find(">predicted</span>") != std::string::npos;
        EXPECT_NE(isPredicted, cells.find(">measured</span>") != std::string::npos);
        EXPECT_EQ(cells.find("<abbr class=\"p\"") != std::string::npos, isPredicted) << cells;
        EXPECT_EQ(std::regex_search(cells, number), !isPredicted) << cells;
    }
    EXPECT_THAT(between(html, "<section id=\"tradeoff\"", "</section>"), HasSubstr("predicted"));
}

TEST_F(HtmlReportTest, aPageOfPredictionsSaysSoOnce)
{
    run("techniques.split_ffn = [\"off\", \"2\"]\ndevice.name = \"sim:t4\"\n");
    const std::string html = page();
    EXPECT_THAT(html, HasSubstr(">predicted, not measured</span>"));
    EXPECT_THAT(between(html, "<section id=\"verdict\"", "</section>"), HasSubstr("All figures are predictions"));
    EXPECT_THAT(html, Not(HasSubstr("<abbr class=\"p\"")));
    EXPECT_THAT(between(html, "<section id=\"results\"", "</section>"), Not(HasSubstr(">kind<")));
}

TEST_F(HtmlReportTest, idsOfThePageAreUnique)
{
    options.tracing = experiments::Tracing::On;
    script("trace");
    run("techniques.split_ffn = [\"off\", \"2\"]\ndevice.name = [\"cpu\", \"sim:t4\"]\n");
    const std::string html = page();
    const std::regex id(" id=\"([^\"]*)\"");
    std::set<std::string> seen;
    for (auto it = std::sregex_iterator(html.begin(), html.end(), id); it != std::sregex_iterator(); ++it)
        EXPECT_TRUE(seen.insert(it->str(1)).second) << it->str(1);
    EXPECT_GT(seen.size(), 10u);
}

TEST_F(HtmlReportTest, theSameResultsGiveTheSamePage)
{
    run("techniques.split_ffn = [\"off\", \"2\"]\n");
    EXPECT_EQ(page(), page());
}

TEST_F(HtmlReportTest, aMissingPartOfThePageIsNamed)
{
    EXPECT_THROW(loadPageParts(folder()), FileError);
}

} // namespace
} // namespace headroom::report
