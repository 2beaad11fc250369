// SPDX-License-Identifier: Apache-2.0
#include "core/config/DeviceSpec.h"

#include "tests/support/Refusal.h"

namespace headroom::config {
namespace {

TEST(DeviceSpecTest, readsEveryNotation)
{
    EXPECT_EQ(parseDevice("cpu", "w"), (DeviceSpec{DeviceKind::Cpu, 0, "", ""}));
    EXPECT_EQ(parseDevice("cuda", "w"), (DeviceSpec{DeviceKind::Cuda, 0, "", ""}));
    EXPECT_EQ(parseDevice("cuda:3", "w"), (DeviceSpec{DeviceKind::Cuda, 3, "", ""}));
    EXPECT_EQ(parseDevice("sim:t4", "w"), (DeviceSpec{DeviceKind::Simulated, 0, "t4", kDefaultRuntime}));
    EXPECT_EQ(
        parseDevice("sim:a100-80gb@torch-2.5", "w"), (DeviceSpec{DeviceKind::Simulated, 0, "a100-80gb", "torch-2.5"}));
    EXPECT_EQ(parseDevice("rehearsal:t4", "w"), (DeviceSpec{DeviceKind::Rehearsed, 0, "t4", kDefaultRuntime}));
    EXPECT_EQ(parseDevice("rehearsal:./a.toml@torch-2.6", "w"),
        (DeviceSpec{DeviceKind::Rehearsed, 0, "./a.toml", "torch-2.6"}));
}

TEST(DeviceSpecTest, theNotationReadsBackAsTheSameDevice)
{
    for (const char* text :
        {"cpu", "cuda:0", "cuda:15", "sim:cpu@torch-2.11", "sim:h200@torch-2.5", "rehearsal:t4@torch-2.11"}) {
        EXPECT_EQ(parseDevice(text, "w").notation(), text);
        EXPECT_EQ(parseDevice(parseDevice(text, "w").notation(), "w"), parseDevice(text, "w"));
    }
}

TEST(DeviceSpecTest, aProfileMayBeAFileWhosePathHasAnAt)
{
    EXPECT_EQ(parseDevice("sim:./a.toml", "w"), (DeviceSpec{DeviceKind::Simulated, 0, "./a.toml", kDefaultRuntime}));
    EXPECT_EQ(parseDevice("sim:/b@c/d@e.toml@torch-2.5", "w"),
        (DeviceSpec{DeviceKind::Simulated, 0, "/b@c/d@e.toml", "torch-2.5"}));
    EXPECT_EQ(parseDevice("sim:/b@c/d@e.toml@torch-2.5", "w").notation(), "sim:/b@c/d@e.toml@torch-2.5");
}

TEST(DeviceSpecTest, theNameLeavesTheRuntimeOut)
{
    EXPECT_EQ(parseDevice("sim:t4@torch-2.5", "w").name(), "sim:t4");
    EXPECT_EQ(parseDevice("cuda", "w").name(), "cuda:0");
    EXPECT_EQ(parseDevice("cpu", "w").name(), "cpu");
}

TEST(DeviceSpecTest, onlySimulatedDevicesAreSimulated)
{
    EXPECT_TRUE(parseDevice("sim:cpu", "w").isSimulated());
    EXPECT_FALSE(parseDevice("cpu", "w").isSimulated());
    EXPECT_FALSE(parseDevice("cuda", "w").isSimulated());
}

TEST(DeviceSpecTest, aRehearsedCardRunsCudaAndComputesNothing)
{
    const DeviceSpec rehearsed = parseDevice("rehearsal:h100-80gb", "w");
    EXPECT_TRUE(rehearsed.runsCuda());
    EXPECT_FALSE(rehearsed.computes());
    EXPECT_FALSE(rehearsed.isSimulated());
    EXPECT_TRUE(rehearsed.hasProfile());
    EXPECT_FALSE(parseDevice("sim:t4", "w").runsCuda());
    EXPECT_TRUE(parseDevice("cuda:1", "w").computes());
    EXPECT_FALSE(parseDevice("cpu", "w").hasProfile());
}

TEST(DeviceSpecTest, eachDeviceHasOneWordForHowItsFiguresCameAbout)
{
    for (const auto& [text, word] : {std::pair("cpu", "measured"), std::pair("cuda:0", "measured"),
             std::pair("rehearsal:t4", "rehearsed"), std::pair("sim:t4", "predicted")}) {
        const DeviceSpec device = parseDevice(text, "w");
        EXPECT_STREQ(toText(provenanceOf(device)), word);
        EXPECT_EQ(provenanceOf(device.name(), device.isSimulated()), provenanceOf(device));
    }
    EXPECT_EQ(statementOf(Provenance::Measured), "measured");
    EXPECT_EQ(statementOf(Provenance::Rehearsed), "rehearsed, not measured");
}

TEST(DeviceSpecTest, refusesWhatIsNoDevice)
{
    for (const char* text : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda0", "cuda:99999999999", "CPU",
             " cpu", "sim", "sim:", "sim:@torch-2.5", "sim:t4@", "rehearsal", "rehearsal:", "rehearsal:@torch-2.11"})
        EXPECT_EQ(refusal([&] { parseDevice(text, "--device"); }),
            std::string("--device: device \"") + text
                + "\" is not known (valid: cpu, cuda:N, sim:NAME, sim:NAME@RUNTIME, sim:FILE.toml, rehearsal:NAME, "
                  "rehearsal:NAME@RUNTIME, rehearsal:FILE.toml)");
}

} // namespace
} // namespace headroom::config
