// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/document/ReportDocument.h"

#include "experiments/report/formats/MarkdownReport.h"
#include "experiments/report/html/HtmlReport.h"
#include "tests/experiments/report/Sketches.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

#include <regex>

namespace headroom::report {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

std::vector<std::string> found(const std::string& text, const std::string& pattern)
{
    const std::regex wanted(pattern);
    std::vector<std::string> titles;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), wanted); it != std::sregex_iterator(); ++it)
        titles.push_back(it->str(1));
    return titles;
}

class ReportDocumentTest : public testing::Test {
protected:
    const ReportContent m_content = contentOfEverySection();
    const Comparison m_comparison{m_content.trials};
};

// What a printed one has is asked in tests/ui/printing.
TEST_F(ReportDocumentTest, everyFormHasEverySectionInOneOrderUnderOneTitle)
{
    const std::string page = htmlReport(m_content, m_comparison, loadPageParts(shippedResources()));
    EXPECT_THAT(found(page, "<section id=\"[a-z]+\"><h2>([^<]*)</h2>"), ElementsAreArray(titlesOfEverySection()));
    const std::string markdown = markdownReport(m_content, m_comparison);
    EXPECT_THAT(found(markdown, "\n## ([^\n]*)"), ElementsAreArray(titlesOfEverySection()));
}

TEST_F(ReportDocumentTest, everyFormSaysTheTaskAndHowTheFiguresAreMeant)
{
    const std::string page = htmlReport(m_content, m_comparison, loadPageParts(shippedResources()));
    for (const std::string& report : {page, markdownReport(m_content, m_comparison)}) {
        EXPECT_THAT(report, HasSubstr("two steps of training"));
        EXPECT_THAT(report, HasSubstr("predicted, not measured"));
        EXPECT_THAT(report, HasSubstr("1 GiB is 1,073,741,824 bytes"));
    }
}

TEST_F(ReportDocumentTest, aSectionWithNothingToSayIsLeftOut)
{
    ReportContent content = m_content;
    content.remarks.clear();
    const Comparison comparison(content.trials);
    const ReportDocument document = documentOf(content, comparison, {});
    for (const Section& section : document.sections)
        EXPECT_EQ(section.blocks().empty(), section.id == "remarks") << section.id;
}

} // namespace
} // namespace headroom::report
