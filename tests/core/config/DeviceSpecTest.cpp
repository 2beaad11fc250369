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
}

TEST(DeviceSpecTest, theNotationReadsBackAsTheSameDevice)
{
    for (const char* text : {"cpu", "cuda:0", "cuda:15", "sim:cpu@torch-2.11", "sim:h200@torch-2.5"}) {
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

TEST(DeviceSpecTest, refusesWhatIsNoDevice)
{
    for (const char* text : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda0", "cuda:99999999999", "CPU",
             " cpu", "sim", "sim:", "sim:@torch-2.5", "sim:t4@"})
        EXPECT_EQ(refusal([&] { parseDevice(text, "--device"); }),
            std::string("--device: device \"") + text
                + "\" is not known (valid: cpu, cuda:N, sim:NAME, sim:NAME@RUNTIME, sim:FILE.toml)");
}

} // namespace
} // namespace headroom::config
