// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlReport.h"
#include "tests/experiments/figures/ExampleFigures.h"
#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

namespace headroom::report::html_report_size_test {
namespace {

constexpr std::size_t kTrials = 32;
constexpr int kSequenceLength = 2520; // twice that has 60 divisors
constexpr std::size_t kBuckets = 720; ///< as many as are read from a workspace

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

/// Of 28 blocks that all differ, as those of a step that peaks in the middle of its backward pass do.
protocol::MemoryBreakdown wideBreakdown()
{
    protocol::MemoryBreakdown breakdown;
    breakdown.phase = "backward";
    for (int block = 0; block < 28; ++block)
        for (const char* part : {"attn1.to_q", "attn1.to_k", "attn2", "ff.net.0", "ff.net.2", "norm1"})
            for (const char* category : {"weights", "saved_activations", "temporaries"}) {
                const Bytes bytes = (10 + block) * kMiB;
                breakdown.modules.push_back({"transformer_blocks." + std::to_string(block) + "." + part, bytes, {}});
                breakdown.modules.back().categories[category] = bytes;
                breakdown.categories[category] += bytes;
                breakdown.totalBytes += bytes;
            }
    return breakdown;
}

/// Memory of five categories that comes and goes at each step of the curve.
figures::TimelineInput restlessTimeline(const std::string& id, std::size_t seed)
{
    constexpr std::int64_t kStepNs = 1'000'000;
    figures::Random random(seed);
    figures::TimelineInput input;
    input.id = id;
    input.provenance = figures::Provenance::Predicted;
    input.series = {{"allocated", {}, figures::MemoryPeak{8 * kGiB, kStepNs}, {}}, {"reserved", {}, {}, {}}};
    for (std::size_t i = 0; i < kBuckets; ++i) {
        trace::CategoryBucket bucket;
        for (std::size_t category = 0; category < 5; ++category)
            bucket.atMax.bytes.at(category) = static_cast<Bytes>(random.fraction() * double(kGiB));
        const auto begin = static_cast<std::int64_t>(i) * kStepNs;
        const Bytes most = bucket.atMax.total();
        bucket.allocated = {begin, begin + kStepNs, most / 2, most, most};
        input.categories.push_back(bucket);
        input.series[0].bins.push_back({begin, most / 2, most});
        input.series[1].bins.push_back({begin, 8 * kGiB, 8 * kGiB + static_cast<Bytes>(i) * kMiB});
    }
    input.endNs = static_cast<std::int64_t>(kBuckets) * kStepNs;
    for (int i = 0; i < 4; ++i)
        input.phases.push_back({"phase " + std::to_string(i), 0, i * 100 * kStepNs, (i + 1) * 100 * kStepNs});
    return input;
}

/// The first numbers of slices that divide as many tokens, for each trial but the baseline.
std::vector<std::string> tokenSplits(int tokens)
{
    std::vector<std::string> splits;
    for (int slices = 1; splits.size() + 1 < kTrials; ++slices)
        if (tokens % slices == 0)
            splits.push_back("tokens:" + std::to_string(slices));
    return splits;
}

/// A front of eight, and 24 trials behind it.
ReportContent tracedSweep()
{
    std::vector<TrialSketch> sketches{{.peakGib = 30, .stepsPerSecond = 10}};
    const std::vector<std::string> splits = tokenSplits(2 * kSequenceLength);
    for (std::size_t i = 1; i < kTrials; ++i)
        sketches.push_back({.splitFfn = splits.at(i - 1),
            .peakGib = i < 8 ? 30.0 - double(i) : 31.0 + double(i),
            .stepsPerSecond = 10 - 0.1 * double(i),
            .breakdown = wideBreakdown()});
    for (TrialSketch& sketch : sketches)
        sketch.sequenceLength = kSequenceLength;
    ReportContent content;
    content.experiment = "a sweep of restless trials";
    content.trials = sketched(sketches);
    for (std::size_t i = 0; i < content.trials.size(); ++i) {
        content.trials[i].result.trialId += std::to_string(i);
        content.timelines.push_back(restlessTimeline(content.trials[i].id(), i));
    }
    return content;
}

class HtmlReportSizeTest : public ReportFixture {
protected:
    std::string pageOf(const ReportContent& content) const
    {
        return htmlReport(content, Comparison(content.trials), loadPageParts(options.resources));
    }
};

// 32 traced trials are to stay below 2 MB. Here every category changes in every pixel, which real ones do not.
TEST_F(HtmlReportSizeTest, aTracedTrialTakesLessThanSixtyKilobytes)
{
    const std::string html = pageOf(tracedSweep());
    EXPECT_LT(html.size() / kTrials, 62'500u);
    EXPECT_LT(html.size(), 2'000'000u);
}

TEST_F(HtmlReportSizeTest, onlyFiguresAreDrawings)
{
    const std::string html = pageOf(tracedSweep());
    const std::size_t figures = count(html, "<figure ");
    EXPECT_EQ(count(html, "<svg"), 2 * figures + 1) << "each figure twice, and what all of them share once";
    EXPECT_LT(count(html, "<pattern"), config::kMemoryCategoryCount);
}

TEST_F(HtmlReportSizeTest, theFrontIsShownInFullAndTheOthersAreFolded)
{
    const ReportContent content = tracedSweep();
    const std::string html = pageOf(content);
    const std::string timelines = html.substr(html.find("<section id=\"timelines\""));
    const std::size_t folded = timelines.find("<div class=\"folded\">");
    ASSERT_NE(folded, std::string::npos);
    EXPECT_EQ(count(timelines.substr(0, folded), "<figure "), 8u);
    EXPECT_EQ(count(timelines.substr(folded), "<figure "), kTrials - 8);
    EXPECT_EQ(
        count(timelines.substr(folded), "<figure ") - count(timelines.substr(folded), "at the peak</summary><figure "),
        0u)
        << "each below a line that says what it is";
    EXPECT_THAT(timelines.substr(0, folded), testing::HasSubstr("<h3>baseline</h3>"));
}

} // namespace
} // namespace headroom::report::html_report_size_test
