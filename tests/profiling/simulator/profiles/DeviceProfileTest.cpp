// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/profiles/DeviceProfile.h"

#include "core/base/Error.h"
#include "tests/profiling/simulator/profiles/ProfileFolder.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::simulator {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class DeviceProfileFileTest : public ProfileFolder {
protected:
    static std::string valid() { return contentOf(shippedResources() / "devices" / "t4.toml"); }

    /// The error of the shipped T4 profile with one text replaced.
    UsageError errorWith(const std::string& from, const std::string& to) const
    {
        SCOPED_TRACE(to);
        return errorOf([&] {
            DeviceProfile::load(write("t4.toml", replaced(valid(), from, to)));
        }).value_or(UsageError(""));
    }
};

TEST_F(DeviceProfileFileTest, readsEveryPart)
{
    const DeviceProfile profile = DeviceProfile::load(write("t4.toml", valid()));
    EXPECT_EQ(profile.kind, AllocatorKind::Caching);
    EXPECT_EQ(profile.compute->capability.value, (ComputeCapability{7, 5}));
    EXPECT_EQ(profile.compute->multiprocessors.value, 40);
    EXPECT_EQ(profile.compute->threadsPerMultiprocessor.value, 1024);
    EXPECT_EQ(profile.memory->totalBytes.value, 15360 * kMiB);
    EXPECT_EQ(profile.speed->bandwidthBytesPerSecond.value, 320e9);
    EXPECT_TRUE(profile.speed->peakFlops[static_cast<std::size_t>(MathType::Float16)].has_value());
    EXPECT_FALSE(profile.speed->peakFlops[static_cast<std::size_t>(MathType::Bfloat16)].has_value());
}

TEST_F(DeviceProfileFileTest, oneThatDoesNotSayItsThreadsHasThoseOfItsCapability)
{
    const auto threads = [&](const std::string& capability) {
        std::string text = replaced(valid(), "threads_per_multiprocessor", "# threads_per_multiprocessor");
        text = replaced(text, "\"7.5\"", "\"" + capability + "\"");
        return DeviceProfile::load(write("t4.toml", text)).compute->threadsPerMultiprocessor.value;
    };
    EXPECT_EQ(threads("7.5"), 1024);
    EXPECT_EQ(threads("8.0"), 2048);
    EXPECT_EQ(threads("8.6"), 1536);
    EXPECT_EQ(threads("9.0"), 2048);
    EXPECT_EQ(threads("10.3"), 2048);
    EXPECT_EQ(threads("12.0"), 1536);
}

TEST_F(DeviceProfileFileTest, anUnknownKeyIsNamedWithFileLineAndTheKnownOnes)
{
    const UsageError error =
        errorWith("multiprocessors =", "multiprocesors = { value = 1, source = \"x\" }\nmultiprocessors =");
    EXPECT_THAT(error.problem(), HasSubstr("'compute.multiprocesors' is unknown"));
    EXPECT_THAT(error.where(), EndsWith("t4.toml:8"));
    EXPECT_THAT(error.valid(), HasSubstr("capability, multiprocessors"));
}

TEST_F(DeviceProfileFileTest, aWrongTypeShowsWhatWasFound)
{
    const UsageError error = errorWith("{ value = 40,", "{ value = \"forty\",");
    EXPECT_THAT(error.problem(), HasSubstr("'compute.multiprocessors.value' is forty (string)"));
    EXPECT_THAT(error.where(), EndsWith("t4.toml:8"));
    EXPECT_THAT(error.valid(), HasSubstr("whole number"));
}

TEST_F(DeviceProfileFileTest, aMissingKeyIsNamed)
{
    const UsageError error = errorWith("kernel_launch_seconds = {", "# {");
    EXPECT_THAT(error.problem(), HasSubstr("'speed.kernel_launch_seconds' is missing"));
    EXPECT_THAT(error.where(), HasSubstr("t4.toml:"));
}

TEST_F(DeviceProfileFileTest, aConstantWithoutSourceIsRefused)
{
    EXPECT_THAT(errorWith("40, source = \"NVIDIA Turing GPU architecture white paper, T4\"", "40").problem(),
        HasSubstr("'compute.multiprocessors.source' is missing"));
    EXPECT_THAT(errorWith("{ value = 40, source = \"NVIDIA Turing GPU architecture white paper, T4\" }", "40").valid(),
        HasSubstr("source ="));
}

TEST_F(DeviceProfileFileTest, impossibleValuesAreRefused)
{
    EXPECT_THAT(errorWith("value = 15828254720", "value = 17106127360").valid(), HasSubstr("at most total_bytes"));
    EXPECT_THAT(errorWith("value = 149946368", "value = 16000000000").valid(), HasSubstr("less than usable_bytes"));
    EXPECT_THAT(errorWith("value = 0.75", "value = 1.75").valid(), HasSubstr("at most 1"));
    EXPECT_THAT(errorWith("value = 40,", "value = -40,").valid(), HasSubstr("greater than 0"));
    EXPECT_THAT(errorWith("\"7.5\"", "\"sm75\"").valid(), HasSubstr("\"8.0\""));
    EXPECT_THAT(errorWith("kind = \"caching\"", "kind = \"cached\"").valid(), HasSubstr("caching, exact"));
    EXPECT_THAT(errorWith("float32 =", "float31 =").problem(), HasSubstr("'speed.peak_flops.float32' is missing"));
    EXPECT_THAT(errorWith("float16 =", "half =").problem(), HasSubstr("'speed.peak_flops.half' is unknown"));
}

TEST_F(DeviceProfileFileTest, theNameIsThatOfTheFile)
{
    EXPECT_THAT(errorWith("name = \"t4\"", "name = \"t40\"").valid(), HasSubstr("t4"));
}

TEST_F(DeviceProfileFileTest, segmentsLieAsOnLinuxUnlessTheFileSaysOtherwise)
{
    const std::string kKind = "kind = \"caching\"";
    const std::string ascending = replaced(valid(), kKind, kKind + "\nsegment_addresses = \"ascending\"");
    EXPECT_EQ(DeviceProfile::load(write("t4.toml", valid())).segmentAddresses, config::SegmentAddresses::Linux);
    EXPECT_EQ(DeviceProfile::load(write("t4.toml", ascending)).segmentAddresses, config::SegmentAddresses::Ascending);
    EXPECT_THAT(errorWith(kKind, kKind + "\nsegment_addresses = \"down\"").valid(), HasSubstr("linux, ascending"));
    EXPECT_THROW(DeviceProfile::load(write(
                     "box.toml", "name = \"box\"\ntitle = \"B\"\nkind = \"exact\"\nsegment_addresses = \"linux\"\n")),
        UsageError)
        << "it has no segments";
}

TEST_F(DeviceProfileFileTest, brokenTomlGivesFileAndLine)
{
    const UsageError error = errorWith("kind = \"caching\"", "kind = ");
    EXPECT_THAT(error.where(), HasSubstr("t4.toml:4"));
}

TEST_F(DeviceProfileFileTest, aMissingFileIsAFileError)
{
    EXPECT_THROW(DeviceProfile::load(folder() / "none.toml"), FileError);
}

TEST_F(DeviceProfileFileTest, anExactDeviceNeedsNeitherMemoryNorSpeed)
{
    const DeviceProfile profile =
        DeviceProfile::load(write("box.toml", "name = \"box\"\ntitle = \"Box\"\nkind = \"exact\"\n"));
    EXPECT_FALSE(profile.memory || profile.speed || profile.compute);
    EXPECT_THROW(
        DeviceProfile::load(write("gpu.toml", "name = \"gpu\"\ntitle = \"G\"\nkind = \"caching\"\n")), UsageError);
}

// What a calibration adds to a profile.
const std::string kMeasured = R"(
[speed.fresh_memory]
bytes_per_second = { value = 4e9, source = "x", spread = 0.25 }
kept_bytes = { value = 67108864, source = "x" }
largest_kept_block_bytes = { value = 33554432, source = "x" }

[[speed.rates]]
work = "product"
type = "bfloat16"
smallest_dimension = 64
points = [[1e6, 2e9, 0.01], [1000000000, 3e10, 0]]
source = "measured"

[[speed.rates]]
work = "gelu"
type = "float32"
points = [[1e6, 2e9, 0.01]]
source = "measured"
)";

class MeasuredProfileTest : public DeviceProfileFileTest {
protected:
    UsageError errorWithMeasured(const std::string& from, const std::string& to) const
    {
        SCOPED_TRACE(to);
        return errorOf([&] {
            DeviceProfile::parse(valid() + replaced(kMeasured, from, to), "folder/t4.toml");
        }).value_or(UsageError(""));
    }
};

TEST_F(MeasuredProfileTest, readsRatesSpreadsAndFreshMemory)
{
    const std::string key = "kernel_floor_seconds";
    const SpeedProfile speed =
        DeviceProfile::parse(replaced(valid(), key,
                                 "threads = { value = 2, source = \"x\" }\npageable_link_bytes_per_second = { value = "
                                 "6e9, source = \"x\" }\n"
                                     + key)
                + kMeasured,
            "t4.toml")
            .speed.value();
    EXPECT_EQ(speed.threads->value, 2);
    EXPECT_EQ(speed.pageableLinkBytesPerSecond->value, 6e9);
    EXPECT_EQ(speed.freshMemory->bytesPerSecond.value, 4e9);
    EXPECT_EQ(speed.freshMemory->bytesPerSecond.spread, 0.25);
    EXPECT_FALSE(speed.freshMemory->keptBytes.spread.has_value());
    ASSERT_EQ(speed.rates.tables().size(), 2U);
    const RateTable& products = speed.rates.tables().front();
    EXPECT_EQ(products.work, Work::Product);
    EXPECT_EQ(products.type, MathType::Bfloat16);
    EXPECT_EQ(products.smallestDimension, 64);
    ASSERT_EQ(products.points.size(), 2U);
    EXPECT_EQ(products.points.back().size, 1e9);
    EXPECT_EQ(products.points.front().spread, 0.01);
    EXPECT_EQ(products.source, "measured");
}

TEST_F(MeasuredProfileTest, refusesRatesThatCannotBe)
{
    EXPECT_THAT(errorWithMeasured("\"product\"", "\"products\"").valid(), HasSubstr("product, batched_product"));
    EXPECT_THAT(errorWithMeasured("\"bfloat16\"", "\"bf16\"").valid(), HasSubstr("bfloat16"));
    EXPECT_THAT(errorWithMeasured("1000000000", "1000000").valid(), HasSubstr("sizes that ascend"));
    EXPECT_THAT(errorWithMeasured("2e9", "-2e9").valid(), HasSubstr("greater than 0"));
    EXPECT_THAT(errorWithMeasured("2e9", "inf").valid(), HasSubstr("greater than 0"));
    EXPECT_THAT(errorWithMeasured(", 0.01]", "]").valid(), HasSubstr("3 numbers"));
    EXPECT_THAT(errorWithMeasured("[[1e6, 2e9, 0.01], [1000000000, 3e10, 0]]", "[]").problem(),
        HasSubstr("'speed.rates.points' is empty"));
    EXPECT_THAT(errorWithMeasured("points =", "point =").problem(), HasSubstr("'speed.rates.points' is missing"));
    EXPECT_THAT(errorWithMeasured("spread = 0.25", "spread = -1").valid(), HasSubstr("at least 0"));
    EXPECT_THAT(errorWithMeasured("kept_bytes =", "keeps =").problem(),
        HasSubstr("'speed.fresh_memory.kept_bytes' is missing"));
    EXPECT_THAT(errorWithMeasured("\"product\"", "\"products\"").where(), HasSubstr("folder/t4.toml:"));
}

} // namespace
} // namespace headroom::simulator
