// SPDX-License-Identifier: Apache-2.0
//
// Exported models from the command line, run and simulated by headroom-worker itself.
#include "tests/app/cli/program/DocumentedKeys.h"
#include "tests/app/cli/program/RealDevice.h"
#include "tests/app/cli/program/TensorFile.h"
#include "tests/support/SketchedArchive.h"

#include <gmock/gmock.h>

namespace headroom::cli::real_imported_test {
namespace {

using experiments::OrderedJson;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class RealImportedTest : public RealDevice {
protected:
    void SetUp() override
    {
        RealDevice::SetUp();
        save();
    }

    void save() const { write("tiny.pt2", m_sketch.bytes()); }

    SketchedModel m_sketch;
};

TEST_F(RealImportedTest, modelsSaysWhatIsInAnArchiveInEveryFormat)
{
    m_sketch.notes()["training"] = false;
    m_sketch.addNode("torch.ops.byom.twice.default", "a", "c");
    save();
    const Ended ended = run("models tiny.pt2 --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson imported = ended.json("imported");
    EXPECT_EQ(ended.json("parameters"), 32);
    EXPECT_EQ(imported.at("blocks").size(), 2U);
    EXPECT_EQ(imported.at("blocks").at(1).at("path"), "layers.1");
    EXPECT_EQ(imported.at("free_dimensions").at(0).at("name"), "batch");
    EXPECT_EQ(imported.at("free_dimensions").at(0).at("also").at(0), "x.0");
    EXPECT_EQ(imported.at("free_dimensions").at(0).at("maximum"), 64);
    EXPECT_THAT(imported.at("refusals").dump(), AllOf(HasSubstr("byom.twice"), HasSubstr("model.eval()")));
    for (const char* key : {"ops_without_meta", "ops_without_cost", "remarks", "feed_forwards", "guards", "inputs"})
        EXPECT_TRUE(imported.at(key).is_array()) << key;
    for (const char* format : {"table", "md", "csv", "jsonl"})
        EXPECT_THAT(run(std::string("models tiny.pt2 --format ") + format).out,
            AllOf(HasSubstr("layers"), HasSubstr("byom.twice"), HasSubstr("batch")))
            << format;
}

TEST_F(RealImportedTest, theCaptureScriptIsAFile)
{
    const Ended ended = run("models --capture-script");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const std::string path = ended.out.substr(0, ended.out.find('\n'));
    EXPECT_EQ(ended.out, path + "\n");
    EXPECT_TRUE(std::filesystem::is_regular_file(path)) << path;
}

TEST_F(RealImportedTest, aSweepIsPredictedAndMeasuredAndItsRecordSaysWhichArchive)
{
    const Ended ended = run("run --model tiny.pt2 --step train --batch 4,8 --checkpointing none,all --optimizer adamw "
                            "--device sim:rtx4090,cpu --quick --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson trials = ended.json("trials");
    ASSERT_EQ(trials.size(), 8U);
    DocumentedKeys keys("trial");
    for (const OrderedJson& trial : trials) {
        EXPECT_EQ(trial.at("outcome"), "completed") << trial.at("reason");
        EXPECT_EQ(trial.at("model").at("parameters"), 32);
        EXPECT_EQ(trial.at("model").at("imported").at("blocks"), 2);
        EXPECT_THAT(trial.at("model").at("imported").at("file").get<std::string>(), HasSubstr("/tiny.pt2"));
        EXPECT_THAT(keys.undocumented(trial), IsEmpty());
        if (trial.at("techniques").at("checkpointing") == "all") {
            EXPECT_EQ(trial.at("engagement").at("checkpointing").at("blocks_recomputed"), 2);
        }
    }
}

TEST_F(RealImportedTest, whatIsRefusedEndsTheRunBeforeItBegins)
{
    m_sketch.notes()["training"] = false;
    save();
    const Ended trained = run("run --model tiny.pt2 --step train --device sim:rtx4090");
    EXPECT_EQ(trained.exitCode, 2);
    EXPECT_THAT(trained.err, HasSubstr("model.train()"));
    const Ended fixed = run("run --model tiny.pt2 --set workload.x.1=8 --device sim:rtx4090");
    EXPECT_EQ(fixed.exitCode, 2);
    EXPECT_THAT(fixed.err, AllOf(HasSubstr("--set workload.x.1"), HasSubstr("dynamic_shapes={\"x\": {1: ")));
    write("broken.pt2", m_sketch.bytes().substr(0, 900));
    const Ended broken = run("run --model broken.pt2 --device sim:rtx4090");
    EXPECT_EQ(broken.exitCode, 5);
    EXPECT_THAT(broken.err, HasSubstr("broken.pt2"));
    EXPECT_FALSE(exists("headroom.db"));
}

using Json = SketchedModel::Json;

Json nodeOf(
    const std::string& target, const std::vector<std::pair<std::string, Json>>& arguments, const std::string& name)
{
    Json inputs = Json::array();
    for (const auto& [argument, value] : arguments)
        inputs.push_back(SketchedModel::input(argument, value));
    return {{"target", target}, {"inputs", inputs}, {"outputs", {SketchedModel::tensorArgument(name)}}, {"name", name},
        {"metadata", {{"nn_module_stack", "L__self__,,people.Plain"}}}};
}

// A model whose first node maps a file so that what is written into the tensor is written into the file; the second one
// does something with it.
SketchedModel mapping(const std::string& file, const Json& second)
{
    constexpr int kElements = 4;
    SketchedModel model;
    const Json first = nodeOf("torch.ops.aten.from_file.default",
        {{"filename", {{"as_string", file}}}, {"shared", {{"as_bool", true}}}, {"size", {{"as_int", kElements}}},
            {"dtype", {{"as_scalar_type", 7}}}},
        "mapped");
    Json nodes{first, second};
    for (const Json& node : nodes)
        model.value(node.at("name")) = SketchedModel::tensor({SketchedModel::size(kElements)});
    for (const Json& node : model.graph()["nodes"])
        nodes.push_back(node);
    model.graph()["nodes"] = nodes;
    return model;
}

TEST_F(RealImportedTest, anArchiveThatMapsAFileIsRefusedBeforeAnythingRuns)
{
    const Json self = SketchedModel::tensorArgument("mapped");
    const Json filled =
        nodeOf("torch.ops.aten.fill_.Scalar", {{"self", self}, {"value", {{"as_float", 12.07843}}}}, "second");
    const Json copied = nodeOf("torch.ops.aten.clone.default", {{"self", self}}, "second");
    write("victim", "sixteen letters and more");
    write("write.pt2", mapping(path("victim"), filled).bytes());
    write("create.pt2", mapping(path("victim.new"), filled).bytes());
    write("read.pt2", mapping(path("victim"), copied).bytes());
    write("devices.pt2", mapping("/dev/zero", copied).bytes());
    const auto before = files();
    for (const std::string file : {"write.pt2", "create.pt2", "read.pt2", "devices.pt2"})
        for (const std::string& command : std::vector<std::string>{"models " + file, "doctor --model " + file,
                 "run --quick --device cpu --model " + file, "run --device sim:rtx4090 --model " + file,
                 "fit --device sim:rtx4090 --model " + file, "fill --device sim:rtx4090 --model " + file,
                 "plan --device sim:rtx4090 --model " + file}) {
            const Ended ended = run(command);
            EXPECT_EQ(ended.exitCode, 2) << command << ": " << ended.out << ended.err;
            EXPECT_THAT(ended.err,
                AllOf(HasSubstr("torch.ops.aten.from_file.default in the model's own forward"),
                    HasSubstr("node \"mapped\"")))
                << command;
            EXPECT_EQ(files(), before) << command;
        }
}

TEST_F(RealImportedTest, resultsAreReadWhenTheArchiveIsGoneAndResumedWhereItLiesNow)
{
    ASSERT_EQ(run("run --model tiny.pt2 --device sim:rtx4090 --batch 4,8").exitCode, 0);
    std::filesystem::rename(path("tiny.pt2"), path("moved.pt2"));
    const Ended report = run("report -o r.json");
    ASSERT_EQ(report.exitCode, 0) << report.err;
    const OrderedJson results = OrderedJson::parse(contents("r.json"));
    EXPECT_EQ(results.at("trials").at(0).at("outcome"), "completed");
    EXPECT_EQ(results.at("trials").at(0).at("model").at("parameters"), 32);
    EXPECT_GT(results.at("trials").at(0).at("model").at("flops_per_step").get<double>(), 0);
    EXPECT_EQ(run("report -o r.html").exitCode, 0);
    const Ended resumed = run("run --model moved.pt2 --device sim:rtx4090 --batch 4,8 --resume --format json");
    ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
    EXPECT_EQ(resumed.json("trials").at(0).at("trial_id"), results.at("trials").at(0).at("trial_id"));
}

TEST_F(RealImportedTest, thePeakIsOfLinesOfTheModelsSource)
{
    const std::string command = "run --model tiny.pt2 --step train --batch 64 --device sim:rtx4090 --format json";
    const OrderedJson breakdown = run(command).json("trials").at(0).at("breakdown");
    ASSERT_FALSE(breakdown.at("sources").empty());
    EXPECT_THAT(breakdown.at("sources").dump(), HasSubstr("model.py:1"));
    const Ended traced = run(command + " --trace");
    ASSERT_EQ(traced.exitCode, 0) << traced.err;
    EXPECT_EQ(traced.json("trials").at(0).at("breakdown"), breakdown);
    // A label means the newest experiment's trial: the traced one.
    const Ended shown = run({"trace", "show", "baseline", "--by", "source", "--format", "json"});
    ASSERT_EQ(shown.exitCode, 0) << shown.err;
    EXPECT_EQ(shown.json("by"), "source");
    EXPECT_THAT(shown.json("tree").dump(), HasSubstr("model.py:1"));
    const Ended modules = run({"trace", "show", "baseline", "--by", "module", "--format", "json"});
    EXPECT_THAT(modules.json("tree").dump(), AllOf(HasSubstr("layers.1"), Not(HasSubstr("model.py"))));
}

TEST_F(RealImportedTest, parityTakesTheArchivesOwnWeights)
{
    const std::vector<float> first{1, 0, 2, 0, 0, 1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1};
    const std::vector<float> second{1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1};
    m_sketch.setWeight(0, first);
    m_sketch.setWeight(1, second);
    save();
    const PlainTensor input = noise({2, 4}, 5);
    const auto times = [](const PlainTensor& x, const std::vector<float>& weight) {
        PlainTensor y = x;
        for (std::size_t row = 0; row < 2; ++row)
            for (std::size_t out = 0; out < 4; ++out) {
                float sum = 0;
                for (std::size_t in = 0; in < 4; ++in)
                    sum += x.values[row * 4 + in] * weight[out * 4 + in];
                y.values[row * 4 + out] = sum;
            }
        return y;
    };
    write("i.safetensors", safetensorsOf({{"x", input}}));
    write("e.safetensors", safetensorsOf({{"output", times(times(input, first), second)}}));
    const std::string command = "parity --model tiny.pt2 --inputs i.safetensors --expect e.safetensors --format json";
    const Ended same = run(command + " --device " + device());
    EXPECT_EQ(same.exitCode, 0) << same.err;
    EXPECT_EQ(same.json().at("pass"), true);
    write("e.safetensors", safetensorsOf({{"output", times(input, first)}}));
    EXPECT_EQ(run(command).exitCode, 1);
    m_sketch = SketchedModel();
    save();
    const Ended without = run(command);
    EXPECT_EQ(without.exitCode, 2);
    EXPECT_THAT(without.err, HasSubstr("--weights"));
}

} // namespace
} // namespace headroom::cli::real_imported_test
