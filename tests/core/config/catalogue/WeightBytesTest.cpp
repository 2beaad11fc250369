// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/WeightBytes.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/models/WanFamily.h"

#include <gtest/gtest.h>

namespace headroom::config {
namespace {

Bytes bytesOf(const char* name, Dtype dtype, const ValueMap& fields = {})
{
    const ModelDescriptor model = findModel(name, "");
    return weightBytes(*model.family, model.fields.complete(fields, ""), dtype);
}

TEST(WeightBytesTest, areOfTheDtypeForEachParameter)
{
    EXPECT_EQ(bytesOf("ltx-video-2b", Dtype::BFloat16), 2 * Bytes{1923385472});
    EXPECT_EQ(bytesOf("wan-2.1-1.3b", Dtype::Float32), 4 * Bytes{1418996800});
    EXPECT_EQ(bytesOf("wan-2.1-1.3b", Dtype::Float64), 8 * Bytes{1418996800});
}

TEST(WeightBytesTest, countWhatAFamilyKeepsInFloat32)
{
    const Bytes kept = wanParametersInFloat32(findModel("wan-2.1-1.3b", "").fields.defaults());
    EXPECT_GT(kept, 0);
    for (const Dtype dtype : {Dtype::BFloat16, Dtype::Float16}) {
        EXPECT_EQ(bytesOf("wan-2.1-1.3b", dtype), 2 * Bytes{1418996800} + 2 * kept);
        EXPECT_EQ(bytesOf("wan-2.1-1.3b", dtype, {{"keep_in_fp32_modules", false}}), 2 * Bytes{1418996800});
    }
    const Bytes outputs = Bytes{24} * 4096 * 10240;
    EXPECT_EQ(bytesOf("t5-v1.1-xxl", Dtype::Float16), 2 * Bytes{4762310656} + 2 * outputs);
    EXPECT_EQ(bytesOf("t5-v1.1-xxl", Dtype::BFloat16), 2 * Bytes{4762310656});
    EXPECT_EQ(bytesOf("t5-v1.1-xxl", Dtype::Float16, {{"keep_in_fp32_modules", false}}), 2 * Bytes{4762310656});
}

} // namespace
} // namespace headroom::config
