// SPDX-License-Identifier: Apache-2.0
//
// Exported models in specs: which model a file is, its sizes, its ids, and what is left of it when the file is gone.
#include "core/config/catalogue/ImportedModels.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/spec/RunWords.h"
#include "experiments/spec/SpecEditor.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/SpecWriter.h"
#include "experiments/sweep/Sweep.h"
#include "tests/support/Refusal.h"
#include "tests/support/SketchedArchive.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using config::Value;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class ImportedSpecTest : public testing::Test {
protected:
    std::string file(const std::string& name = "my-model.pt2") const
    {
        return m_folder.write(name, m_sketch.bytes()).string();
    }

    static std::vector<PlannedTrial> trialsOf(const std::string& toml, const std::string& source = "spec.toml")
    {
        return expand(loadSpecText(toml, source, {}));
    }

    std::vector<PlannedTrial> trials(const std::string& settings = "") const
    {
        return trialsOf("model.name = \"" + file() + "\"\n" + settings);
    }

    static Value shape(const PlannedTrial& planned, const char* name)
    {
        return planned.trial.configuration.workload.shapes.at(name);
    }

    TemporaryFolder m_folder;
    SketchedModel m_sketch;
};

TEST_F(ImportedSpecTest, aFileIsAModelWithTheSizesOfItsExport)
{
    const auto planned = trials().at(0);
    EXPECT_TRUE(planned.isRunnable()) << planned.skipReason();
    EXPECT_THAT(planned.trial.configuration.model, StartsWith("my-model@"));
    EXPECT_EQ(shape(planned, "batch"), Value(2));
    EXPECT_EQ(planned.trial.configuration.workload.dtype, config::Dtype::Float32);
}

TEST_F(ImportedSpecTest, aRelativePathIsLookedForBesideTheSpec)
{
    file("models/mine.pt2");
    const std::string spec = (m_folder.path() / "spec.toml").string();
    EXPECT_EQ(trialsOf("[model]\nname = \"models/mine.pt2\"\n", spec).size(), 1U);
    EXPECT_THAT(refusal<FileError>([] { trialsOf("[model]\nname = \"models/mine.pt2\"\n"); }),
        HasSubstr("there is no models/mine.pt2"));
}

TEST_F(ImportedSpecTest, sizesAreSetByNameByPlaceAndAsAnAxis)
{
    EXPECT_EQ(shape(trials("workload.batch = 8").at(0), "batch"), Value(8));
    EXPECT_EQ(shape(trials("workload.\"x.0\" = 8").at(0), "batch"), Value(8));
    EXPECT_EQ(shape(trials("workload.x.0 = 8").at(0), "batch"), Value(8));
    const auto swept = trials("workload.\"x.0\" = [4, 8]");
    ASSERT_EQ(swept.size(), 2U);
    EXPECT_EQ(shape(swept[1], "batch"), Value(8));
    SpecOverrides overrides;
    overrides.setModels(file());
    overrides.assign("workload.x.0=16");
    EXPECT_EQ(shape(expand(loadOverrides(overrides)).at(0), "batch"), Value(16));
}

TEST_F(ImportedSpecTest, twoValuesOfOneSizeAreRefused)
{
    EXPECT_THAT(refusal([&] { trials("workload.batch = 4\nworkload.\"x.0\" = 8"); }), HasSubstr("the same size"));
}

TEST_F(ImportedSpecTest, anotherValueOfAFixedSizeIsRefusedWithTheLineThatFreesIt)
{
    EXPECT_THAT(refusal([&] { trials("workload.\"x.1\" = 8"); }),
        AllOf(HasSubstr("spec.toml:2:"), HasSubstr("found 8"), HasSubstr("x.1 fixed to 4"),
            HasSubstr(R"(dynamic_shapes={"x": {1: Dim("x_1")}})")));
    EXPECT_EQ(trials("workload.\"x.1\" = 4").size(), 1U);
    m_sketch.value("x")["sizes"][0] = SketchedModel::size(2);
    EXPECT_THAT(refusal([&] { trials("workload.batch = 8"); }),
        AllOf(HasSubstr("x.0 fixed to 2"), HasSubstr(R"({"x": {0: Dim("batch")}})")));
}

TEST_F(ImportedSpecTest, sizesBeyondTheBoundsAndTheGuardsAreRefused)
{
    EXPECT_THAT(refusal([&] { trials("workload.batch = 65"); }), HasSubstr("64"));
    m_sketch.model()["guards_code"] = {"L['x'].size()[0] % 2 == 0"};
    EXPECT_THAT(refusal([&] { trials("workload.batch = 7"); }), HasSubstr("L['x'].size()[0] % 2 == 0"));
    EXPECT_EQ(trials("workload.batch = [7, 8]").size(), 2U);
}

TEST_F(ImportedSpecTest, whatCannotRunIsRefusedBeforeItIsTried)
{
    m_sketch.addNode("torch.ops.byom.twice.default", "a", "c");
    EXPECT_THAT(refusal([&] { trials(); }), AllOf(HasSubstr("byom.twice"), HasSubstr("odd (model.py:33)")));
}

TEST_F(ImportedSpecTest, anEvaluationExportIsNotTrained)
{
    m_sketch.notes()["training"] = false;
    EXPECT_EQ(trials().size(), 1U);
    EXPECT_THAT(refusal([&] { trials("workload.step = \"train\""); }), HasSubstr("model.train()"));
}

TEST_F(ImportedSpecTest, sizesOfValuesAreMeasuredAndNotSimulated)
{
    m_sketch.addNode("torch.ops.aten.nonzero.default", "a", "c");
    EXPECT_EQ(trials("device.name = \"cpu\"").size(), 1U);
    EXPECT_THAT(refusal([&] { trials("device.name = \"sim:rtx4090\""); }),
        AllOf(HasSubstr("nonzero"), HasSubstr("model.py:33"), HasSubstr("cpu")));
}

TEST_F(ImportedSpecTest, theNumberFormatIsTheModelsOwn)
{
    EXPECT_THAT(refusal([&] { trials("workload.dtype = \"bfloat16\""); }),
        AllOf(HasSubstr("exported in float32"), HasSubstr("valid: float32")));
}

TEST_F(ImportedSpecTest, blocksAreChosenByListOrClass)
{
    EXPECT_EQ(
        trials("model.blocks = \"layers\"\nworkload.step = \"train\"\ntechniques.checkpointing = \"blocks:1\"").size(),
        1U);
    EXPECT_THAT(
        refusal([&] { trials("model.blocks = \"encoder\""); }), AllOf(HasSubstr("encoder"), HasSubstr("layers")));
}

TEST_F(ImportedSpecTest, idsFollowFromTheContentAlone)
{
    const auto first = trialsOf("model.name = \"" + file("a/one.pt2") + "\"").at(0);
    const auto second = trialsOf("model.name = \"" + file("b/two.pt2") + "\"").at(0);
    EXPECT_EQ(first.trialId, second.trialId);
    EXPECT_EQ(first.configId, second.configId);
    m_sketch.node(0)["metadata"]["stack_trace"] = "";
    EXPECT_NE(trialsOf("model.name = \"" + file("a/other.pt2") + "\"").at(0).trialId, first.trialId);
}

TEST_F(ImportedSpecTest, labelsTellModelsApartByTheNamesOfTheirFiles)
{
    const std::string one = file("one.pt2");
    m_sketch.node(0)["metadata"]["stack_trace"] = "";
    const auto planned = trialsOf("model.name = [\"" + one + "\", \"" + file("two.pt2") + "\"]");
    ASSERT_EQ(planned.size(), 2U);
    EXPECT_EQ(planned[0].label, "one | baseline");
    EXPECT_EQ(planned[1].label, "two | baseline");
}

TEST_F(ImportedSpecTest, aWrittenSpecNamesTheFileAgain)
{
    const std::string path = file();
    const ExperimentSpec spec =
        loadSpecText("model.name = \"" + path + "\"\nworkload.\"x.0\" = [4, 8]", "spec.toml", {});
    const std::string text = writeSpec(spec);
    EXPECT_THAT(text, AllOf(HasSubstr("name = \"" + path + "\""), Not(HasSubstr("archive"))));
    const auto again = trialsOf(text);
    ASSERT_EQ(again.size(), 2U);
    EXPECT_EQ(again[0].trialId, expand(spec)[0].trialId);
    EXPECT_THAT(writeSpec(specFromCanonicalJson(spec.canonicalJson(), "stored")), HasSubstr(path));
}

TEST_F(ImportedSpecTest, aTrialsCommandNamesTheFile)
{
    const std::string path = file();
    const std::vector<std::string> words = runWords(trials("workload.batch = 8").at(0).trial);
    EXPECT_THAT(words, testing::Contains(path));
    EXPECT_THAT(words, testing::Contains("--batch"));
}

TEST_F(ImportedSpecTest, aFormSetsASizeUnderItsQuotedKey)
{
    SpecEditor editor("[model]\nname = \"m.pt2\"\n\n[workload]\n", "spec.toml");
    editor.set("workload.input_ids.1", "8192");
    EXPECT_THAT(editor.text(), HasSubstr("\"input_ids.1\" = 8192"));
    EXPECT_EQ(editor.valueText("workload.input_ids.1"), "8192");
    editor.clear("workload.input_ids.1");
    EXPECT_FALSE(editor.valueText("workload.input_ids.1"));
}

TEST_F(ImportedSpecTest, aFormFindsASizeUnderAKeyWithoutQuotes)
{
    for (const char* text : {"[workload]\ninput_ids.1 = 4096\n", "workload.input_ids.1 = 4096\n",
             "[workload.input_ids]\n1 = 4096\n", "[workload]\ninput_ids = { 1 = 4096 }\n"}) {
        SpecEditor editor(text, "spec.toml");
        EXPECT_EQ(editor.valueText("workload.input_ids.1"), "4096") << text;
        editor.set("workload.input_ids.1", "8192");
        EXPECT_EQ(editor.valueText("workload.input_ids.1"), "8192") << text;
        EXPECT_THAT(editor.text(), AllOf(Not(HasSubstr("4096")), Not(HasSubstr("\"")))) << text;
        editor.clear("workload.input_ids.1");
        EXPECT_FALSE(editor.valueText("workload.input_ids.1")) << text;
    }
}

TEST_F(ImportedSpecTest, aNumberThatTheExportFixedIsRefusedWithTheLineThatFreesIt)
{
    m_sketch.model()["graph_module"]["signature"]["input_specs"].push_back(
        {{"constant_input", {{"name", "num_frames"}, {"value", {{"as_int", 9}}}}}});
    m_sketch.model()["graph_module"]["signature"]["input_specs"].push_back(
        {{"constant_input", {{"name", "scale"}, {"value", {{"as_float", 0.5}}}}}});
    EXPECT_EQ(trials("workload.num_frames = 9").size(), 1U);
    EXPECT_EQ(trials("workload.scale = 0.5").size(), 1U);
    EXPECT_THAT(refusal([&] { trials("workload.num_frames = 5"); }),
        AllOf(HasSubstr("fixed to 9"), HasSubstr(R"(dynamic_shapes={"num_frames": Dim.AUTO})")));
    EXPECT_THAT(refusal([&] { trials("workload.scale = 2"); }),
        AllOf(HasSubstr("fixed to 0.5"), HasSubstr("an export with scale = 2 in its example")));
}

// A stored trial of a file that no process will find again, as a workspace has it.
TEST_F(ImportedSpecTest, aStoredTrialIsReadWhenItsFileIsGone)
{
    protocol::Json stored = protocol::toJson(trials("workload.batch = 8").at(0).trial);
    stored["model"]["name"] = "gone@00000000000000aa";
    stored["model"]["fields"]["archive"] = (m_folder.path() / "gone.pt2").string();
    const config::Trial trial = protocol::trialFromJson(stored);
    EXPECT_EQ(trial.configuration.workload.shapes.at("batch"), Value(8));
    const auto facts = config::importedFactsOf(trial.configuration);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->parameters, 32);
    EXPECT_EQ(facts->blocks, 2);
    EXPECT_EQ(facts->forwardFlops, 2.0 * 8 * 4 * 4 * 2);
    EXPECT_EQ(protocol::toJson(trial), stored);
    EXPECT_TRUE(config::problemsOf(trial).empty());
}

} // namespace
} // namespace headroom::experiments
