// SPDX-License-Identifier: Apache-2.0
#include "core/weights/ModelFolder.h"

#include "tests/core/config/Refusal.h"
#include "tests/core/weights/ScratchFolder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace headroom::tensor::model_folder_test {
namespace {

using testing::ElementsAre;

constexpr const char* kIndex = "diffusion_pytorch_model.safetensors.index.json";

NamedTensors weights()
{
    return {{"a", at::full({10}, 1.0F)}, {"b", at::full({30}, 2.0F)}, {"c", at::full({5}, 3.0F)},
        {"d", at::full({5}, 4.0F)}};
}

nlohmann::json indexOf(const ScratchFolder& folder)
{
    std::ifstream file(folder.path() / kIndex);
    return nlohmann::json::parse(file);
}

void expectWeights(const ScratchFolder& folder)
{
    const WeightFiles files(folder.path());
    EXPECT_THAT(files.names(), ElementsAre("a", "b", "c", "d"));
    for (const auto& [name, tensor] : weights())
        EXPECT_TRUE(at::equal(files.read(name), tensor)) << name;
}

TEST(ModelFolderTest, whatFitsIsOneFile)
{
    const ScratchFolder folder;
    writeWeights(folder.path() / "sub", weights());
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "sub" / "diffusion_pytorch_model.safetensors"));
    writeWeights(folder.path(), weights(), 200);
    EXPECT_THAT(folder.names(), ElementsAre("diffusion_pytorch_model.safetensors", "sub"));
    expectWeights(folder);
}

// 40, 120, 20 and 20 bytes into shards of 50: each is filled while there is room, a larger tensor is one by itself.
TEST(ModelFolderTest, shardsKeepToTheMaximalSize)
{
    const ScratchFolder folder;
    writeWeights(folder.path(), weights(), 50);
    EXPECT_THAT(folder.names(),
        ElementsAre("diffusion_pytorch_model-00001-of-00003.safetensors",
            "diffusion_pytorch_model-00002-of-00003.safetensors", "diffusion_pytorch_model-00003-of-00003.safetensors",
            kIndex));
    const nlohmann::json index = indexOf(folder);
    EXPECT_EQ(index["metadata"]["total_size"], 200);
    EXPECT_EQ(index["weight_map"]["a"], "diffusion_pytorch_model-00001-of-00003.safetensors");
    EXPECT_EQ(index["weight_map"]["b"], "diffusion_pytorch_model-00002-of-00003.safetensors");
    EXPECT_EQ(index["weight_map"]["d"], "diffusion_pytorch_model-00003-of-00003.safetensors");
    expectWeights(folder);
}

TEST(ModelFolderTest, anotherNumberOfShardsReplacesTheFirst)
{
    const ScratchFolder folder;
    std::ofstream(folder.path() / "notes.txt") << "mine";
    std::ofstream(folder.path() / "diffusion_pytorch_model.fp16.safetensors") << "a variant";
    writeWeights(folder.path(), weights(), 50);
    writeWeights(folder.path(), weights(), 100);
    EXPECT_EQ(folder.names().size(), 6U);
    expectWeights(folder);
    writeWeights(folder.path(), weights());
    EXPECT_THAT(folder.names(),
        ElementsAre("diffusion_pytorch_model.fp16.safetensors", "diffusion_pytorch_model.safetensors", "notes.txt"));
    writeWeights(folder.path(), weights(), 1);
    EXPECT_EQ(folder.names().size(), 7U);
    expectWeights(folder);
}

TEST(ModelFolderTest, aShardOfNothingIsRefused)
{
    const ScratchFolder folder;
    EXPECT_EQ(refusal([&] { writeWeights(folder.path(), weights(), 0); }),
        "maximal shard size: a shard of 0 bytes (valid: at least 1)");
}

TEST(ModelFolderTest, theConfigComesBack)
{
    const ScratchFolder folder;
    const config::ValueMap entries{{"_class_name", "LTXVideoTransformer3DModel"}, {"num_layers", 28}, {"decay", 0.9999},
        {"flag", true}, {"nothing", config::Value()}, {"sizes", config::Value::List{1, 2}}};
    writeModelConfig(folder.path() / "new", entries);
    EXPECT_EQ(readModelConfig(folder.path() / "new"), entries);
    std::ofstream(folder.path() / "config.json") << R"({"a":1,"deep":{"b":2},"list":[{"c":3}]})";
    EXPECT_EQ(readModelConfig(folder.path()), (config::ValueMap{{"a", 1}}));
    EXPECT_EQ(refusal<FileError>([&] { readModelConfig(folder.path() / "none"); }),
        (folder.path() / "none" / "config.json").string() + ": cannot be read");
}

} // namespace
} // namespace headroom::tensor::model_folder_test
