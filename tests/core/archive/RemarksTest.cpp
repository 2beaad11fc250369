// SPDX-License-Identifier: Apache-2.0
#include "core/archive/CaptureNotes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::archive::remarks_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ExportedModel noted(Json notes)
{
    notes["schema"] = "headroom.capture/1";
    ExportedModel model;
    model.notes = readCaptureNotes(notes, "extra/headroom.json");
    model.dimensions.emplace_back().name = "batch";
    return model;
}

const Json kSeen = {{"inference", Json::object()}};

TEST(RemarksTest, aWholeCaptureHasNone)
{
    EXPECT_THAT(
        remarksOn(noted({{"lifetimes", kSeen}, {"assumed", Json::array()}, {"fixed_because", nullptr}})), IsEmpty());
}

TEST(RemarksTest, answersToLibrariesAreNamedByLine)
{
    const Json assumed = {{{"source", "masking_utils.py:292"}, {"answer", true}},
        {{"source", "modeling_hubert.py:446"}, {"answer", false}}};
    EXPECT_THAT(remarksOn(noted({{"lifetimes", kSeen}, {"assumed", assumed}})),
        ElementsAre(HasSubstr("no layer is dropped: masking_utils.py:292 yes, modeling_hubert.py:446 no")));
}

TEST(RemarksTest, sayWhyTheCaptureFixedSizesAndSawNoLifetimes)
{
    ExportedModel model = noted({{"lifetimes", nullptr}, {"lifetimes_problem", "the model draws numbers"},
        {"fixed_because", "model.py:7: a branch depends on values"}});
    EXPECT_THAT(remarksOn(model),
        ElementsAre(HasSubstr("was not recorded (the model draws numbers): a value"),
            "other sizes are fixed to those of the export: model.py:7: a branch depends on values"));
    model.dimensions.clear();
    EXPECT_THAT(remarksOn(model).back(), HasSubstr("all sizes are fixed to those of the export: model.py:7"));
}

TEST(RemarksTest, recurrentLayersAreNotCuDnns)
{
    ExportedModel model = noted({{"lifetimes", kSeen}});
    model.graph.nodes.resize(2);
    model.graph.nodes[0].target = "torch.ops.aten.lstm.input";
    model.graph.nodes[0].source = "model.py:9";
    model.graph.nodes[1].target = "torch.ops.aten.lstm_cell.default";
    EXPECT_THAT(remarksOn(model), ElementsAre(HasSubstr("lstm (model.py:9): runs on a simulated device step by step")));
}

TEST(RemarksTest, drawsOfTheForwardHaveNoSwitch)
{
    ExportedModel model = noted({{"lifetimes", kSeen}, {"training", true}});
    model.graph.nodes.resize(2);
    model.graph.nodes[0].target = "torch.ops.aten.rand.default";
    model.graph.nodes[0].source = "modeling_swin.py:322";
    model.graph.nodes[1].target = "torch.ops.aten.dropout.default";
    EXPECT_THAT(remarksOn(model), ElementsAre(HasSubstr("draws random numbers of its own (modeling_swin.py:322)")));
    model.notes.isTraining = false;
    EXPECT_THAT(remarksOn(model), IsEmpty());
}

TEST(RemarksTest, notesOfOtherTypesAreLeftOut)
{
    const Json assumed = {3, Json::object(), {{"source", 7}, {"answer", "yes"}}};
    EXPECT_THAT(
        remarksOn(noted({{"lifetimes", kSeen}, {"assumed", assumed}, {"fixed_because", Json::array()}})), IsEmpty());
}

} // namespace
} // namespace headroom::archive::remarks_test
