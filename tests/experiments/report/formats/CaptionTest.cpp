// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/Caption.h"

#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

namespace headroom::report {
namespace {

ReportContent captioned(const std::vector<TrialSketch>& sketches)
{
    ReportContent content;
    content.experiment = "split";
    content.startedAt = "2026-03-01 12:30 UTC";
    content.headroomVersion = "1.2";
    content.trials = sketched(sketches);
    return content;
}

TEST(CaptionTest, saysWhoseResultsThePictureShows)
{
    EXPECT_EQ(captionOf(captioned({{}, {.splitFfn = "2"}})),
        "split: ffn-stack-tiny (activation_fn gelu) on sim:t4@torch-2.11; predicted, not measured; 2026-03-01 12:30 "
        "UTC, "
        "Headroom 1.2");
    EXPECT_THAT(captionOf(captioned({{.device = "cpu"}})), testing::HasSubstr(" on cpu; measured; "));
}

TEST(CaptionTest, ofChosenTrialsItNamesTheirsAlone)
{
    const ReportContent content = captioned({{.device = "cpu"}, {}});
    EXPECT_THAT(captionOf(content), testing::HasSubstr("cpu and sim:t4@torch-2.11; partly predicted, partly measured"));
    EXPECT_THAT(captionOf(content, {&content.trials[0]}), testing::HasSubstr(" on cpu; measured; "));
}

TEST(CaptionTest, manyNamesAreCounted)
{
    const ReportContent content = captioned({{.device = "sim:t4"}, {.device = "sim:rtx4090"},
        {.device = "sim:a100-80gb"}, {.device = "sim:cpu"}, {.device = "cpu"}});
    EXPECT_THAT(captionOf(content), testing::HasSubstr(" and 2 more; "));
}

} // namespace
} // namespace headroom::report
