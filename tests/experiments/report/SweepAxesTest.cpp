// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/SweepAxes.h"

#include "experiments/report/TrialTable.h"
#include "experiments/spec/SpecLoader.h"
#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

namespace headroom::report::sweep_axes_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<ReportTrial> planned(const std::string& toml)
{
    std::vector<ReportTrial> trials;
    for (const experiments::PlannedTrial& trial : experiments::expand(experiments::loadSpecText(toml, "sketch", {}))) {
        ReportTrial& one = trials.emplace_back();
        one.planned = trial.trial;
        one.result.trialId = trial.trialId;
        one.techniques = trial.label;
    }
    return trials;
}

std::vector<std::string> titles(const std::vector<SweepAxis>& axes)
{
    std::vector<std::string> found;
    for (const SweepAxis& axis : axes)
        found.push_back(axis.title);
    return found;
}

TEST(SweepAxesTest, eachAxisOfASweepIsOne)
{
    const auto axes = sweepAxes(planned("model.name = \"ltx-video-2b\"\nworkload.step = \"train\"\n"
                                        "workload.batch = [1, 2]\ntechniques.checkpointing = [\"none\", \"every:2\"]\n"
                                        "techniques.trainable = \"lora:16\"\ntechniques.casting = [\"off\", \"e4m3\"]\n"
                                        "device.name = [\"sim:t4\", \"sim:h200\"]\n"));
    EXPECT_THAT(titles(axes), ElementsAre("device", "batch", "casting", "checkpointing"));
    EXPECT_THAT(axes[0].key, "device.name");
    EXPECT_EQ(axes[3].values.size(), 16U);
    EXPECT_EQ(axes[3].values.front(), "none");
}

TEST(SweepAxesTest, whatFollowsFromAnotherSettingIsNoAxis)
{
    const auto models =
        sweepAxes(planned("model.name = [\"ltx-video-2b\", \"flux-dev\"]\ndevice.name = \"sim:h200\"\n"));
    EXPECT_THAT(titles(models), ElementsAre("model")) << "each has its own layers, shapes and dtype";
    const auto devices = sweepAxes(planned("model.name = \"ffn-stack-tiny\"\ndevice.name = [\"cpu\", \"sim:t4\"]\n"));
    EXPECT_THAT(titles(devices), ElementsAre("device")) << "only one of them has a runtime";
    EXPECT_THAT(sweepAxes(planned("model.name = \"ffn-stack-tiny\"\ndevice.name = \"cpu\"\n")), IsEmpty());
}

TEST(SweepAxesTest, aTableByAxesHasTheTextsBehindTheResults)
{
    ReportContent content;
    content.trials = sketched({{}, {.splitFfn = "2", .peakGib = 0.7, .stepsPerSecond = 0.9},
        {.splitFfn = "4", .peakGib = 0.8, .stepsPerSecond = 0.8}});
    const Comparison comparison(content.trials);
    const ReportTable table = trialTable(content, comparison, TrialColumns::Axes);
    EXPECT_EQ(table.columns.front().title, "split_ffn");
    EXPECT_TRUE(table.columns.front().isSetting);
    EXPECT_EQ(table.columns.back().title, kLabelColumn);
    EXPECT_EQ(table.rows[1].cells.back().text, "split_ffn 2");
    std::vector<std::string> front;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].title == "front")
            for (const ReportRow& row : table.rows)
                front.push_back(row.cells[i].text);
    EXPECT_THAT(front, ElementsAre("yes", "yes", "no")) << "the last needs more than the second and is slower";
    EXPECT_EQ(trialTable(content, comparison).columns.front().title, kLabelColumn) << "reports";
}

TEST(SweepAxesTest, shapesThatPartsOfASpecHaveAnywayStandBehindTheResults)
{
    ReportContent content;
    content.trials = planned("techniques.checkpointing = [\"none\", \"all\"]\n"
                             "[[part]]\nmodel.name = \"ltx-video-tiny\"\nmodel.num_layers = 3\n"
                             "device.name = \"cpu\"\nworkload.frames = 33\n"
                             "[[part]]\nmodel.name = \"ltx-video-tiny\"\ndevice.name = \"sim:cpu\"\n");
    const ReportTable table = trialTable(content, Comparison(content.trials), TrialColumns::Axes);
    std::vector<std::string> columns;
    for (const auto& column : table.columns)
        columns.push_back(column.title);
    ASSERT_GE(columns.size(), 4U);
    EXPECT_EQ(columns[0], "device");
    EXPECT_EQ(columns[1], "checkpointing");
    const auto place = [&](const char* title) { return std::ranges::find(columns, title) - columns.begin(); };
    EXPECT_GT(place("num_layers"), place("outcome"));
    EXPECT_GT(place("frames"), place("outcome"));
    EXPECT_LT(place("frames"), std::ssize(columns));
}

TEST(SweepAxesTest, anAxisOfNumbersIsAColumnOfNumbers)
{
    ReportContent content;
    content.trials = planned("model.name = \"ffn-stack-tiny\"\ndevice.name = \"cpu\"\nworkload.batch = [1, 16, 2]\n");
    const ReportTable table = trialTable(content, Comparison(content.trials), TrialColumns::Axes);
    EXPECT_EQ(table.columns.front().title, "batch");
    EXPECT_EQ(table.columns.front().kind, CellKind::Number);
    EXPECT_EQ(table.rows[1].cells.front().sortKey, "16");
}

} // namespace
} // namespace headroom::report::sweep_axes_test
