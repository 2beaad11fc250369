// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/StoredExperiment.h"
#include "experiments/report/GroupFront.h"
#include "experiments/report/formats/ReportFormat.h"
#include "experiments/report/reading/ReportReader.h"
#include "experiments/report/reading/TechniqueVariation.h"
#include "tests/experiments/archive/SyntheticSweep.h"
#include "tests/support/Checkout.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

#include <set>

namespace headroom::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kMany = 1600;

std::size_t countOf(const std::string& text, const std::string& part)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

std::string sectionOf(const std::string& page, const std::string& id)
{
    const std::size_t begin = page.find("<section id=\"" + id + "\"");
    return begin == std::string::npos ? "" : page.substr(begin, page.find("</section>", begin) - begin);
}

class LargeReportTest : public testing::Test {
protected:
    ReportContent reportOf(std::size_t trials)
    {
        writeSyntheticSweep(workspace(), trials);
        store::Workspace stored = experiments::openForReading(workspace());
        experiments::DeviceFit deviceFit(shippedResources());
        return readReport(stored, stored.experiments().front(), deviceFit, Identity::Shown);
    }

    std::string pageOf(const ReportContent& content)
    {
        writeReport(m_folder.file("page.html"), ReportFormat::Html, content, shippedResources());
        return contentOf(m_folder.file("page.html"));
    }

    std::filesystem::path workspace() const { return m_folder.file("many.db"); }

    TemporaryFolder m_folder;
};

TEST_F(LargeReportTest, aPageOfVeryManyTrialsShowsSoManyAndSaysWhereAllAre)
{
    const std::string page = pageOf(reportOf(kMany));
    EXPECT_LE(countOf(sectionOf(page, "results"), "<tr data-trial="), kMostRows);
    EXPECT_GT(countOf(sectionOf(page, "results"), "<tr data-trial="), kMostRows - 10);
    for (const char* id : {"tradeoff", "results", "peaks", "categories"})
        EXPECT_THAT(sectionOf(page, id), HasSubstr("page.trials.csv")) << id;
    EXPECT_THAT(sectionOf(page, "verdict"), HasSubstr("1,600 trials")) << "the verdict is about all of them";
    EXPECT_LT(page.size(), 10'000'000u);
    const auto lines = linesOf(contentOf(m_folder.file("page.trials.csv")));
    EXPECT_EQ(lines.size(), kMany + 1) << "and a line of titles";
}

// Else a figure of ten thousand bars is as long as a street.
TEST_F(LargeReportTest, figuresDoNotGrowWithTheSweep)
{
    const std::string page = pageOf(reportOf(kMany));
    for (const char* id : {"tradeoff", "peaks", "categories"}) {
        const std::string section = sectionOf(page, id);
        EXPECT_GT(section.size(), 1000u) << id;
        EXPECT_LT(section.size(), 2'500'000u) << id;
    }
    EXPECT_LT(countOf(sectionOf(page, "verdict"), "<h3>"), 120u);
}

TEST_F(LargeReportTest, whatIsComparedWithIsShownBesideWhatIsCompared)
{
    const ReportContent content = reportOf(kMany);
    const Comparison comparison(content.trials);
    const auto shown = trialsWorthShowing(comparison, 100);
    EXPECT_EQ(shown.size(), 100u);
    for (const ReportTrial& trial : content.trials)
        if (const ReportTrial* reference = comparison.groupOf(trial).reference; shown.contains(trial.id())) {
            EXPECT_TRUE(shown.contains(reference->id())) << trial.label();
        }
}

TEST_F(LargeReportTest, aPageOfOrdinarySizeShowsAllAndNothingStandsBesideIt)
{
    const std::string page = pageOf(reportOf(40));
    EXPECT_EQ(countOf(sectionOf(page, "results"), "<tr data-trial="), 40u);
    EXPECT_THAT(page, Not(HasSubstr("trials.csv")));
    EXPECT_FALSE(std::filesystem::exists(m_folder.file("page.trials.csv")));
}

TEST_F(LargeReportTest, trialsShareTheSettingsThatTheyHaveAlike)
{
    const ReportContent content = reportOf(kMany);
    const ReportTrial& first = content.trials.front();
    std::set<const void*> settings;
    std::set<const void*> options;
    for (const ReportTrial& trial : content.trials) {
        EXPECT_TRUE(trial.planned.configuration.modelFields.sharesWith(first.planned.configuration.modelFields));
        settings.insert(&*trial.planned.configuration.techniques);
        options.insert(&*trial.result.techniques);
    }
    EXPECT_EQ(settings.size(), 2u) << "with and without split_ffn";
    EXPECT_EQ(options.size(), 2u);
}

TEST_F(LargeReportTest, theResultsDocumentIsThatOfTheWholeWhenItIsWrittenPieceByPiece)
{
    const ReportContent content = reportOf(20);
    writeReport(m_folder.file("page.json"), ReportFormat::Json, content, shippedResources());
    const auto written = contentOf(m_folder.file("page.json"));
    const auto document = OrderedJson::parse(written);
    EXPECT_EQ(document.at("trials").size(), 20u);
    EXPECT_TRUE(document.at("not_run").empty());
    EXPECT_EQ(written, document.dump(2) + "\n");
}

TEST_F(LargeReportTest, thatNoTechniqueVariesIsToldWithoutReadingAResult)
{
    writeSyntheticSweep(workspace(), 20);
    SQLite::Database(workspace().string(), SQLite::OPEN_READWRITE).exec("UPDATE repeats SET result_json = 'damaged'");
    {
        store::Workspace stored = experiments::openForReading(workspace());
        EXPECT_TRUE(anyTechniqueVaries(stored, 1));
    }
    SQLite::Database(workspace().string(), SQLite::OPEN_READWRITE)
        .exec("DELETE FROM trials WHERE request_json LIKE '%\"notation\":\"2\"%'");
    store::Workspace stored = experiments::openForReading(workspace());
    EXPECT_EQ(stored.trials(1).size(), 10u);
    EXPECT_FALSE(anyTechniqueVaries(stored, 1));
}

} // namespace
} // namespace headroom::report
