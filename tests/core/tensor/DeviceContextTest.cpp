// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/DeviceContext.h"

#include <gtest/gtest.h>

namespace headroom::tensor {
namespace {

TEST(DeviceContextTest, simulatedDevicesHaveTheirTensorsOnMeta)
{
    EXPECT_TRUE(torchDevice(config::parseDevice("cpu", "")).is_cpu());
    EXPECT_TRUE(torchDevice(config::parseDevice("sim:a100-80gb@torch-2.5", "")).is_meta());
    EXPECT_TRUE(torchDevice(config::parseDevice("sim:cpu", "")).is_meta());
    EXPECT_EQ(torchDevice(config::parseDevice("cuda:3", "")), c10::Device(c10::kCUDA, 3));
}

TEST(DeviceContextTest, everyDtypeHasItsOwnScalarTypeOfTheSameSize)
{
    EXPECT_EQ(scalarType(config::Dtype::Float32), at::kFloat);
    EXPECT_EQ(scalarType(config::Dtype::BFloat16), at::kBFloat16);
    EXPECT_EQ(scalarType(config::Dtype::Float16), at::kHalf);
    EXPECT_EQ(scalarType(config::Dtype::Float64), at::kDouble);
    for (const auto dtype :
        {config::Dtype::Float32, config::Dtype::BFloat16, config::Dtype::Float16, config::Dtype::Float64})
        EXPECT_EQ(static_cast<int>(c10::elementSize(scalarType(dtype))), config::bytesPerElement(dtype));
}

TEST(DeviceContextTest, optionsCarryDeviceAndDtype)
{
    const at::Tensor tensor =
        at::empty({3}, tensorOptions(config::parseDevice("sim:cpu", ""), config::Dtype::BFloat16));
    EXPECT_TRUE(tensor.is_meta());
    EXPECT_EQ(tensor.scalar_type(), at::kBFloat16);
}

TEST(DeviceContextTest, theSeedDecidesTheRandomNumbers)
{
    const auto draw = [](std::int64_t seed) {
        seedGenerators(seed);
        return at::randn({16});
    };
    EXPECT_TRUE(at::equal(draw(7), draw(7)));
    EXPECT_FALSE(at::equal(draw(7), draw(8)));
}

TEST(DeviceContextTest, theVersionIsThatOfTheLinkedLibTorch)
{
    EXPECT_TRUE(torchVersion().starts_with("2.")) << torchVersion();
}

} // namespace
} // namespace headroom::tensor
