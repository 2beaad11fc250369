// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/ModelFiles.h"

#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/SpecWriter.h"
#include "experiments/sweep/Sweep.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headroom::experiments {
namespace {

using config::Value;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* kConfig = R"({"_class_name": "LTXVideoTransformer3DModel", "num_layers": 4})";

class ModelFilesTest : public testing::Test {
protected:
    std::string path(const std::string& name) const { return (m_folder.path() / name).string(); }
    void write(const std::string& name, const std::string& text) const { m_folder.write(name, text); }

    static std::vector<PlannedTrial> trialsOf(const SpecOverrides& overrides)
    {
        return expand(loadOverrides(overrides));
    }

    static SpecOverrides model(const std::string& name)
    {
        SpecOverrides overrides;
        overrides.setModels(name);
        return overrides;
    }

    static Value field(const PlannedTrial& planned, const char* name)
    {
        return planned.trial.configuration.modelFields.at(name);
    }

private:
    TemporaryFolder m_folder;
};

TEST_F(ModelFilesTest, aConfigurationFileIsAModelsName)
{
    write("config.json", kConfig);
    for (const std::string& name : {path("config.json"), path("")}) {
        const auto trials = trialsOf(model(name));
        ASSERT_EQ(trials.size(), 1U);
        EXPECT_EQ(trials[0].trial.configuration.model, "ltx-video-2b");
        EXPECT_EQ(field(trials[0], "num_layers"), Value(4));
    }
}

TEST_F(ModelFilesTest, whatIsSetWinsOverTheFile)
{
    write("config.json", kConfig);
    SpecOverrides overrides = model(path("config.json"));
    overrides.assign("model.num_layers=2,3");
    const auto trials = trialsOf(overrides);
    ASSERT_EQ(trials.size(), 2U);
    EXPECT_EQ(field(trials[0], "num_layers"), Value(2));
}

TEST_F(ModelFilesTest, modelsAndFilesStandInOneSweep)
{
    write("a.json", kConfig);
    write("b.json", R"({"_class_name": "LTXVideoTransformer3DModel", "num_layers": 5})");
    const auto trials = trialsOf(model("ltx-video-tiny," + path("a.json") + "," + path("b.json")));
    ASSERT_EQ(trials.size(), 3U);
    EXPECT_EQ(trials[0].trial.configuration.model, "ltx-video-tiny");
    EXPECT_EQ(field(trials[1], "num_layers"), Value(4));
    EXPECT_EQ(field(trials[2], "num_layers"), Value(5));
}

TEST_F(ModelFilesTest, aSpecNamesAFileBesideIt)
{
    write("config.json", kConfig);
    write("spec.toml", "[model]\nconfig = \"config.json\"\npatch_size = 2\n");
    const ExperimentSpec spec = loadSpecFile(path("spec.toml"), {});
    const auto trials = expand(spec);
    EXPECT_EQ(field(trials.at(0), "num_layers"), Value(4));
    EXPECT_EQ(field(trials.at(0), "patch_size"), Value(2));
    const auto again = expand(specFromCanonicalJson(spec.canonicalJson(), "stored"));
    EXPECT_EQ(again.at(0).trial, trials.at(0).trial) << "the file is not needed any more";
    EXPECT_EQ(expand(loadSpecText(writeSpec(spec), "written", {})).at(0).trial, trials.at(0).trial);
}

TEST_F(ModelFilesTest, theLaterOfNameAndFileCounts)
{
    write("config.json", kConfig);
    write("spec.toml", "[model]\nconfig = \"config.json\"\n");
    EXPECT_EQ(expand(loadSpecFile(path("spec.toml"), model("ffn-stack-tiny"))).at(0).trial.configuration.model,
        "ffn-stack-tiny");
    write("named.toml", "[model]\nname = \"ffn-stack-tiny\"\n");
    SpecOverrides overrides;
    overrides.assign("model.config=" + path("config.json"));
    EXPECT_EQ(expand(loadSpecFile(path("named.toml"), overrides)).at(0).trial.configuration.model, "ltx-video-2b");
    write("both.toml", "[model]\nname = \"ffn-stack-tiny\"\nconfig = \"config.json\"\n");
    EXPECT_EQ(refusal([&] { loadSpecFile(path("both.toml"), {}); }),
        path("both.toml")
            + ":3:1: model.config: stands beside model.name, and both say which model it is (valid: one of "
              "the two)");
}

TEST_F(ModelFilesTest, whatIsWrongIsNamedWithFileAndKey)
{
    EXPECT_EQ(refusal<FileError>([&] { loadOverrides(model(path("none.json"))); }),
        "--model: there is no " + path("none.json"));
    write("config.json", R"({"_class_name": "LTXVideoTransformer3DModel", "num_layers": 0})");
    EXPECT_THAT(refusal([&] { loadOverrides(model(path("config.json"))); }),
        HasSubstr(path("config.json") + ": num_layers: found 0 (valid: "));
    write("config.json", "{");
    EXPECT_THAT(refusal<FileError>([&] { loadOverrides(model(path("config.json"))); }), HasSubstr("is no JSON object"));
    SpecOverrides overrides;
    overrides.assign("model.config=3");
    EXPECT_EQ(refusal([&] { loadOverrides(overrides); }),
        "--set model.config: found 3 (valid: the path of a configuration file)");
}

TEST_F(ModelFilesTest, aListWithoutAValueIsRefusedAsOfOtherKeys)
{
    for (const std::string key : {"weights", "config", "name"}) {
        SpecOverrides overrides = model("ffn-stack-tiny");
        overrides.assign("model." + key + "=[]");
        EXPECT_EQ(
            refusal([&] { trialsOf(overrides); }), "--set model." + key + ": found [] (valid: at least one value)");
        write("spec.toml",
            "[model]\n" + std::string(key == "weights" ? "name = \"ffn-stack-tiny\"\n" : "") + key + " = []\n");
        EXPECT_THAT(refusal([&] { expand(loadSpecFile(path("spec.toml"), {})); }),
            HasSubstr("model." + key + ": found [] (valid: at least one value)"));
    }
}

TEST_F(ModelFilesTest, pipesAndLoopsAreRefusedAndNotOpened)
{
    ASSERT_EQ(::mkfifo(path("pipe.json").c_str(), 0600), 0);
    ASSERT_EQ(::symlink("loop.json", path("loop.json").c_str()), 0);
    EXPECT_EQ(refusal<FileError>([&] { trialsOf(model(path("pipe.json"))); }),
        "--model: " + path("pipe.json") + " is no regular file (valid: a file, or a folder with the model's files)");
    EXPECT_EQ(refusal<FileError>([&] { describedModel(path("pipe.json")); }),
        path("pipe.json") + ": is no regular file (valid: a configuration file of diffusers or transformers)");
    EXPECT_THAT(refusal<FileError>([&] { trialsOf(model(path("loop.json"))); }),
        HasSubstr("cannot be reached: Too many levels of symbolic links"));
    SpecOverrides overrides = model("ffn-stack-tiny");
    overrides.assign("model.weights=/dev/zero");
    EXPECT_THAT(refusal<FileError>([&] { trialsOf(overrides); }), HasSubstr("/dev/zero is no regular file"));
}

TEST_F(ModelFilesTest, theFilesThatWereReadAreNoted)
{
    write("config.json", kConfig);
    EXPECT_EQ(loadOverrides(model(path("") + ",ffn-stack-tiny")).modelFiles,
        std::vector<std::filesystem::path>{path("config.json")});
}

TEST_F(ModelFilesTest, weightsAreAnAbsolutePathOfSomethingThatIsThere)
{
    write("w.safetensors", "x");
    write("spec.toml", "[model]\nname = \"ffn-stack-tiny\"\nweights = \"./w.safetensors\"\n");
    const auto trials = expand(loadSpecFile(path("spec.toml"), {}));
    EXPECT_EQ(field(trials.at(0), "weights"), Value(path("w.safetensors")));
    SpecOverrides overrides = model("ffn-stack-tiny");
    overrides.assign("model.weights=fill");
    EXPECT_EQ(field(trialsOf(overrides).at(0), "weights"), Value("fill"));
    overrides.assign("model.weights=" + path("none"));
    EXPECT_EQ(
        refusal<FileError>([&] { loadOverrides(overrides); }), "--set model.weights: there is no " + path("none"));
}

TEST_F(ModelFilesTest, weightsAreASweepAxisAndPartOfTheId)
{
    write("a", "x");
    write("b", "x");
    SpecOverrides overrides = model("ffn-stack-tiny");
    const std::string plain = trialsOf(overrides).at(0).configId;
    overrides.assign("model.weights=" + path("a") + "," + path("b"));
    const auto trials = trialsOf(overrides);
    ASSERT_EQ(trials.size(), 2U);
    EXPECT_NE(trials[0].configId, trials[1].configId);
    EXPECT_NE(trials[0].configId, plain);
    EXPECT_THAT(trials[0].label, EndsWith("weights " + path("a") + " | baseline"));
}

TEST_F(ModelFilesTest, describedModelsHaveTheFilesDefaults)
{
    write("config.json", kConfig);
    const config::ModelDescriptor described = describedModel(path("config.json"));
    EXPECT_EQ(described.name, "ltx-video-2b");
    EXPECT_EQ(described.fields.find("num_layers")->defaultValue, Value(4));
    EXPECT_EQ(described.fields.find("num_attention_heads")->defaultValue, Value(32));
}

} // namespace
} // namespace headroom::experiments
