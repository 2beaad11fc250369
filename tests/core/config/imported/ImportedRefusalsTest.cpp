// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/ImportedRefusals.h"

#include "core/base/Error.h"
#include "core/config/imported/KnownOperators.h"
#include "tests/support/Checkout.h"
#include "tests/support/SketchedArchive.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace headroom::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ImportedRefusalsTest : public testing::Test {
protected:
    std::shared_ptr<const archive::ExportedModel> read() const
    {
        return archive::loadExportedModel(m_folder.write("model.pt2", m_sketch.bytes()));
    }

    SketchedModel m_sketch;

private:
    TemporaryFolder m_folder;
};

TEST_F(ImportedRefusalsTest, aSoundModelIsRefusedNothing)
{
    const auto model = read();
    EXPECT_THAT(refusalsToRun(*model), IsEmpty());
    EXPECT_THAT(refusalsToTrain(*model), IsEmpty());
    EXPECT_THAT(refusalsToSimulate(*model), IsEmpty());
}

TEST_F(ImportedRefusalsTest, operatorsThatAreNotKnownAreRefusedWithModuleLineAndNode)
{
    EXPECT_NO_THROW(requireKnownOperators(*read()));
    m_sketch.addNode("torch.ops.aten.from_file.default", "a", "mapped");
    m_sketch.addNode("torch.ops.aten.add.out", "a", "added");
    const auto model = read();
    EXPECT_THAT(refusalsToRun(*model),
        ElementsAre(HasSubstr("the operator torch.ops.aten.add.out in odd (model.py:33, node \"added\") is none that"),
            HasSubstr("torch.ops.aten.from_file.default in odd (model.py:33, node \"mapped\")")));
    EXPECT_THROW(requireKnownOperators(*model), UsageError);
}

TEST_F(ImportedRefusalsTest, operatorsOfPartsThatAConditionChoosesAreLookedAt)
{
    SketchedModel inner;
    inner.addNode("torch.ops.aten.set_.source_Tensor", "a", "swapped");
    m_sketch.addNode("torch.ops.higher_order.cond", "a", "c");
    m_sketch.node(2)["inputs"].push_back(
        SketchedModel::input("true_graph", {{"as_graph", {{"name", "g"}, {"graph", inner.graph()}}}}));
    EXPECT_THAT(unknownOperators(*read()), ElementsAre(HasSubstr("set_.source_Tensor")));
}

TEST_F(ImportedRefusalsTest, anOperatorIsKnownByNameAndOverload)
{
    for (const char* known :
        {"torch.ops.aten.add.Tensor", "torch.ops.aten.relu.default", "torch.ops.aten.slice.Tensor"})
        EXPECT_TRUE(isKnownOperator(known)) << known;
    for (const char* other : {"torch.ops.aten.add.out", "torch.ops.aten.add.default", "torch.ops.aten.relu",
             "torch.ops.aten.relu.Tensor", "torch.ops.aten.from_file.default", "torch.ops.aten.resize_.default",
             "torch.ops.aten._unsafe_index.Tensor", "torch.ops.aten._index_put_impl_.default", "torch.ops.aten.",
             "torch.ops.aten..default", "torch.ops.prims.add.default", "aten.relu.default", "relu", ""})
        EXPECT_FALSE(isKnownOperator(other)) << other;
}

TEST_F(ImportedRefusalsTest, whatModelsWereCapturedWithIsKnown)
{
    std::size_t models = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(checkout("tests/reference/imported")))
        if (file.path().extension() == ".pt2" && file.path().stem() != "old-layout"
            && file.path().stem() != "other-schema") {
            EXPECT_THAT(unknownOperators(*archive::loadExportedModel(file.path())), IsEmpty()) << file.path();
            ++models;
        }
    EXPECT_GT(models, 20U);
}

TEST_F(ImportedRefusalsTest, graphsThatAreChosenWhileRunningAreRefusedWithTheirPlace)
{
    m_sketch.addNode("torch.ops.higher_order.cond", "a", "c");
    EXPECT_THAT(refusalsToRun(*read()),
        ElementsAre(AllOf(HasSubstr("torch.ops.higher_order.cond in odd (model.py:33)"), HasSubstr("not supported"))));
}

// torch.cond gets a line of what the export itself wrote.
TEST_F(ImportedRefusalsTest, aNodeWithoutALineOfTheModelIsPlacedAfterTheOneBefore)
{
    m_sketch.addNode("torch.ops.higher_order.cond", "a", "c");
    m_sketch.node(2)["metadata"]["stack_trace"] = "File \"<eval_with_key>.5\", line 11, in forward";
    EXPECT_THAT(refusalsToRun(*read()),
        ElementsAre(AllOf(HasSubstr("torch.ops.higher_order.cond in odd (after model.py:"), HasSubstr("torch.where"))));
}

TEST_F(ImportedRefusalsTest, operatorsOfOtherPackagesAreRefusedOnceEachWithTheNumberOfPlaces)
{
    m_sketch.addNode("torch.ops.byom.twice.default", "a", "c");
    m_sketch.addNode("torch.ops.byom.twice.default", "c", "d");
    m_sketch.addNode("torch.ops.xformers.attend.default", "d", "e");
    EXPECT_THAT(refusalsToRun(*read()),
        ElementsAre(HasSubstr("torch.ops.byom.twice.default in odd (model.py:33) and one more place"),
            AllOf(HasSubstr("torch.ops.xformers.attend.default in odd (model.py:33)"), HasSubstr("package"))));
}

TEST_F(ImportedRefusalsTest, anAutocastRegionAroundTheExportIsRefused)
{
    m_sketch.notes()["autocast"] = {{"dtype", "bfloat16"}};
    EXPECT_THAT(refusalsToRun(*read()),
        ElementsAre(AllOf(HasSubstr("autocast region (bfloat16)"), HasSubstr("workload.autocast=bfloat16"))));
}

TEST_F(ImportedRefusalsTest, anExportInEvaluationModeIsNotTrained)
{
    m_sketch.notes()["training"] = false;
    const auto model = read();
    EXPECT_THAT(refusalsToRun(*model), IsEmpty());
    EXPECT_THAT(refusalsToTrain(*model), ElementsAre(AllOf(HasSubstr("model.eval()"), HasSubstr("model.train()"))));
}

// Without the capture's notes the mode stands in the arguments of dropout and batch norm alone.
TEST_F(ImportedRefusalsTest, evaluationModeIsSeenInTheGraphWhereNoNotesTellIt)
{
    m_sketch.addNode("torch.ops.aten.dropout.default", "b", "c");
    m_sketch.node(2)["inputs"].push_back(SketchedModel::input("p", {{"as_float", 0.1}}));
    m_sketch.node(2)["inputs"].push_back(SketchedModel::input("train", {{"as_bool", false}}));
    EXPECT_THAT(
        refusalsToTrain(*read()), ElementsAre(HasSubstr("torch.ops.aten.dropout.default in odd (model.py:33)")));
    m_sketch.node(2)["inputs"][2]["arg"]["as_bool"] = true;
    EXPECT_THAT(refusalsToTrain(*read()), IsEmpty());
}

TEST_F(ImportedRefusalsTest, aFunctionWhoseBackwardTheExportLostIsNotTrained)
{
    m_sketch.notes()["autograd_functions"] = {{{"name", "model.Swish"}, {"source", "model.py:7"}}};
    EXPECT_THAT(refusalsToTrain(*read()), ElementsAre(HasSubstr("model.Swish (model.py:7), an autograd.Function")));
}

TEST_F(ImportedRefusalsTest, sizesOfValuesAreNotSimulated)
{
    m_sketch.addNode("torch.ops.aten.nonzero.default", "a", "c");
    m_sketch.value("c") = SketchedModel::tensor({SketchedModel::freeSize("u0", 3), SketchedModel::size(2)}, 5);
    m_sketch.addNode("torch.ops.aten.neg.default", "c", "d"); // passes the size on, and is not to blame
    m_sketch.value("d") = m_sketch.value("c");
    const auto model = read();
    EXPECT_THAT(refusalsToRun(*model), IsEmpty());
    EXPECT_THAT(refusalsToSimulate(*model),
        ElementsAre(AllOf(HasSubstr("sizes depend on values: torch.ops.aten.nonzero.default in odd (model.py:33)"),
            HasSubstr("cpu or cuda:N"))));
}

TEST_F(ImportedRefusalsTest, anIndexByAMaskIsASizeOfValues)
{
    m_sketch.addNode("torch.ops.aten.gt.Scalar", "a", "mask");
    m_sketch.value("mask")["dtype"] = 12;
    m_sketch.addNode("torch.ops.aten.index_put_.default", "a", "c");
    m_sketch.node(3)["inputs"].push_back(
        SketchedModel::input("indices", {{"as_optional_tensors", {SketchedModel::tensorArgument("mask")}}}));
    EXPECT_THAT(refusalsToSimulate(*read()), ElementsAre(HasSubstr("torch.ops.aten.index_put_.default")));
}

TEST_F(ImportedRefusalsTest, whatNoSimulatedDeviceHasAKernelForIsNamed)
{
    m_sketch.node(0)["target"] = "torch.ops.aten.geqrf.default";
    const std::string sentence = "a simulated device has no kernel for torch.ops.aten.geqrf.default in ";
    EXPECT_THAT(refusalsToSimulate(*read(), StepKind::Inference), ElementsAre(HasSubstr(sentence)));
    m_sketch.node(0)["target"] = "torch.ops.aten._standard_gamma.default";
    EXPECT_THAT(refusalsToSimulate(*read(), StepKind::Inference), IsEmpty());
    EXPECT_THAT(refusalsToSimulate(*read(), StepKind::Train), ElementsAre(HasSubstr("_standard_gamma")));
}

} // namespace
} // namespace headroom::config
