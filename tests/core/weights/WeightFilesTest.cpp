// SPDX-License-Identifier: Apache-2.0
#include "core/weights/WeightFiles.h"

#include "tests/core/weights/WrittenShards.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace headroom::tensor::weight_files_test {
namespace {

using testing::ElementsAre;

constexpr const char* kIndex = "diffusion_pytorch_model.safetensors.index.json";

void write(const TemporaryFolder& folder, const char* file, const char* tensor, float value = 1)
{
    writeSafetensors(folder.path() / file, {{tensor, at::full({2}, value)}});
}

void writeIndex(const TemporaryFolder& folder, const std::string& map, const char* name = kIndex)
{
    folder.write(name, R"({"metadata":{},"weight_map":)" + map + "}");
}

std::vector<std::string> namesIn(const std::filesystem::path& path)
{
    return WeightFiles(path).names();
}

TEST(WeightFilesTest, aPathIsAFileAnIndexOrAFolder)
{
    const TemporaryFolder folder;
    write(folder, "x.safetensors", "a", 3);
    write(folder, "y.safetensors", "b");
    writeIndex(folder, R"({"a":"x.safetensors","b":"y.safetensors"})");
    EXPECT_THAT(namesIn(folder.path() / "x.safetensors"), ElementsAre("a"));
    EXPECT_THAT(namesIn(folder.path() / kIndex), ElementsAre("a", "b"));
    const WeightFiles files(folder.path());
    EXPECT_THAT(files.names(), ElementsAre("a", "b"));
    EXPECT_TRUE(files.contains("a"));
    EXPECT_FALSE(files.contains("c"));
    EXPECT_EQ(files.entry("a").shape, (std::vector<std::int64_t>{2}));
    EXPECT_TRUE(at::equal(files.read("a"), at::full({2}, 3.0F)));
    EXPECT_TRUE(at::equal(files.view("a"), at::full({2}, 3.0F)));
    EXPECT_EQ(refusal<FileError>([&] { files.read("c"); }), folder.path().string() + ": there is no tensor \"c\"");
}

TEST(WeightFilesTest, upstreamsNamesAreFoundAmongOthers)
{
    const TemporaryFolder folder;
    write(folder, "notes.safetensors", "z");
    write(folder, "model.safetensors", "t");
    EXPECT_THAT(namesIn(folder.path()), ElementsAre("t"));
    write(folder, "diffusion_pytorch_model.safetensors", "d");
    EXPECT_THAT(namesIn(folder.path()), ElementsAre("d"));
}

TEST(WeightFilesTest, otherNamesAreTakenWhereOneSetAloneCanBeMeant)
{
    const TemporaryFolder folder;
    write(folder, "diffusion_pytorch_model.fp16.safetensors", "a");
    EXPECT_THAT(namesIn(folder.path()), ElementsAre("a"));
    write(folder, "second.safetensors", "b");
    EXPECT_EQ(refusal<FileError>([&] { WeightFiles{folder.path()}; }),
        folder.path().string()
            + ": has several files of weights: diffusion_pytorch_model.fp16.safetensors, second.safetensors (valid: "
              "the path of one of them)");
    writeIndex(folder, R"({"a":"diffusion_pytorch_model.fp16.safetensors","b":"second.safetensors"})",
        "diffusion_pytorch_model.safetensors.index.fp16.json");
    EXPECT_THAT(namesIn(folder.path()), ElementsAre("a", "b"));
}

TEST(WeightFilesTest, foldersWithoutWeightsAreRefused)
{
    const TemporaryFolder folder;
    EXPECT_EQ(refusal<FileError>([&] { WeightFiles{folder.path()}; }),
        folder.path().string() + ": has no weights (valid: diffusion_pytorch_model.safetensors or " + kIndex + ")");
}

TEST(WeightFilesTest, anIndexThatLiesIsRefused)
{
    const TemporaryFolder folder;
    const std::string where = (folder.path() / kIndex).string();
    const auto objection = [&](const std::string& map) {
        writeIndex(folder, map);
        return refusal<FileError>([&] { WeightFiles{folder.path()}; });
    };
    writeSafetensors(folder.path() / "s.safetensors", {{"a", at::zeros({1})}, {"c", at::zeros({1})}});
    EXPECT_EQ(objection("3"), where + ": has no weight_map");
    for (const char* file :
        {"\"../s.safetensors\"", "\"/etc/passwd\"", "\"..\"", "\"\"", "3", "\"x/../s.safetensors\""})
        EXPECT_EQ(
            objection(std::string("{\"a\":") + file + "}"), where + ": names no file of its folder for tensor \"a\"");
    EXPECT_EQ(objection(R"({"b":"s.safetensors"})"),
        where + ": says that tensor \"b\" is in s.safetensors, which does not have it");
    EXPECT_EQ(objection(R"({"a":"t.safetensors"})"),
        (folder.path() / "t.safetensors").string() + ": cannot be opened for reading");
    EXPECT_EQ(objection(R"({"a":"s.safetensors"})"), where + ": does not say that tensor \"c\" is in s.safetensors");
    EXPECT_EQ(objection(std::string(100'000, '[')), where + ": is nested deeper than an index is");
    folder.write(kIndex, "no json");
    EXPECT_EQ(refusal<FileError>([&] { WeightFiles{folder.path()}; }), where + ": is no JSON object");
}

TEST(WeightFilesTest, whatIsWrittenInShardsIsReadTensorByTensor)
{
    const TemporaryFolder folder;
    at::manual_seed(5);
    NamedTensors weights;
    for (int i = 0; i < 9; ++i)
        weights.emplace_back(
            "w" + std::to_string(i), at::randn({3 + i, 2}).to(i % 2 == 0 ? at::kFloat : at::kBFloat16));
    writeShards(folder.path(), weights, 60);
    EXPECT_GT(folder.names().size(), 4U);
    const WeightFiles files(folder.path());
    for (const auto& [name, tensor] : weights)
        EXPECT_TRUE(at::equal(files.view(name), tensor)) << name;
}

} // namespace
} // namespace headroom::tensor::weight_files_test
