// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/ReportReader.h"

#include "experiments/report/ReplayText.h"
#include "experiments/spec/SpecLoader.h"
#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

namespace headroom::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ReportReaderTest : public ReportFixture {
protected:
    static std::vector<std::string> idsOf(const std::string& toml)
    {
        std::vector<std::string> ids;
        for (const auto& planned : experiments::expand(experiments::loadSpecText(toml, "report.toml", {})))
            ids.push_back(planned.trialId);
        return ids;
    }

    static std::vector<std::string> idsOf(const ReportContent& content)
    {
        std::vector<std::string> ids;
        for (const ReportTrial& trial : content.trials)
            ids.push_back(trial.id());
        return ids;
    }
};

TEST_F(ReportReaderTest, itsSpecRunsTheSameTrials)
{
    run("techniques.split_ffn = [\"off\", \"2\"]\nworkload.batch = [1, 2]\n[[exclude]]\nsplit_ffn = "
        "\"2\"\nworkload.batch = "
        "2\nreason = \"r\"\n");
    const ReportContent found = content();
    EXPECT_EQ(found.replay.match, ReplayMatch::Whole);
    EXPECT_EQ(idsOf(found.replay.toml), idsOf(found));
}

TEST_F(ReportReaderTest, ofAPartOfASweepTheSpecHasThatPart)
{
    run("workload.sequence_length = [8, 16, 32]\n");
    change("DELETE FROM trials WHERE ordinal = 1");
    const ReportContent found = content();
    EXPECT_EQ(found.replay.match, ReplayMatch::Selection);
    EXPECT_EQ(idsOf(found.replay.toml), idsOf(found));
}

TEST_F(ReportReaderTest, idsOfAnotherVersionAreSaidToBeOthers)
{
    run("workload.sequence_length = [8, 16, 32]\n");
    change("UPDATE trials SET trial_id = 'x' || ordinal");
    EXPECT_EQ(content().replay.match, ReplayMatch::Changed);
}

// A model that another process imported, from a file that is not there.
TEST_F(ReportReaderTest, anExportedModelThatIsGoneIsSaidToBe)
{
    run("workload.sequence_length = [8, 16]\n");
    change(R"(UPDATE trials SET trial_id = 'x' || ordinal, request_json = json_set(request_json, '$.model.name',
        'gone@00000000000000ab', '$.model.fields', json('{"archive": "/nowhere/gone.pt2", "blocks": null}')))");
    const ReportContent found = content();
    EXPECT_EQ(found.replay.match, ReplayMatch::Gone);
    EXPECT_EQ(found.replay.archive, "/nowhere/gone.pt2");
    EXPECT_THAT(
        replayNote(found), testing::HasSubstr("/nowhere/gone.pt2, is not there, or has another content by now"));
}

TEST_F(ReportReaderTest, timelinesComeFromStoredTraces)
{
    run("name = \"plain\"\n");
    EXPECT_THAT(content().timelines, IsEmpty());
    options.tracing = experiments::Tracing::On;
    script("trace");
    run("name = \"traced\"\ndevice.name = [\"cpu\", \"sim:t4\"]\n");
    const ReportContent found = content();
    ASSERT_THAT(found.timelines, SizeIs(2));
    EXPECT_EQ(found.timelines[0].provenance, figures::Provenance::Measured);
    EXPECT_EQ(found.timelines[1].provenance, figures::Provenance::Predicted);
    EXPECT_EQ(found.timelines[1].id, found.trials[1].id());
    const figures::TimelineInput& timeline = found.timelines[0];
    ASSERT_THAT(timeline.series, SizeIs(1)) << "nothing is reserved in it";
    EXPECT_EQ(timeline.series[0].bins.front().beginNs, 0) << "time starts with the trace";
    Bytes most = 0;
    for (const figures::MemoryBin& bin : timeline.series[0].bins)
        most = std::max(most, bin.max);
    EXPECT_EQ(most, 5120);
    ASSERT_TRUE(timeline.series[0].peak);
    EXPECT_EQ(timeline.series[0].peak->bytes, 5120);
    ASSERT_THAT(timeline.phases, SizeIs(1));
    EXPECT_EQ(timeline.phases[0].beginNs, 0);
    EXPECT_EQ(timeline.phases[0].endNs, 10);
    EXPECT_EQ(timeline.endNs, 10);
}

TEST_F(ReportReaderTest, whatTheRunRemarkedIsThere)
{
    script("diagnose@16");
    run(experiments::kThree);
    const ReportContent found = content();
    ASSERT_THAT(found.remarks, SizeIs(1));
    EXPECT_EQ(found.remarks[0].message, "3 events were lost");
    EXPECT_THAT(found.remarks[0].trial, HasSubstr("16"));
}

TEST_F(ReportReaderTest, titleAndDescriptionAreThoseOfTheSpec)
{
    run("title = \"T <b>\"\ndescription = \"see /home/alice/x\"\n");
    EXPECT_EQ(content().title, "T <b>");
    EXPECT_EQ(content(Identity::Removed).description, "see PATH");
}

TEST_F(ReportReaderTest, anExperimentWithoutAnEndIsOpen)
{
    run(experiments::kThree);
    EXPECT_EQ(content().state, RunState::Finished);
    change("UPDATE experiments SET summary_json = NULL");
    EXPECT_EQ(content().state, RunState::Open);
}

} // namespace
} // namespace headroom::report
