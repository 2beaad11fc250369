// SPDX-License-Identifier: Apache-2.0
//
// What layerwise casting stores in eight bits of the full-size models, and what it keeps: the table of the reference
// values, to the number.
#include "core/config/catalogue/Catalogue.h"
#include "core/models/families/ModelZoo.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "tests/core/techniques/casting/CastModels.h"

#include <gtest/gtest.h>

namespace headroom::techniques::casting_table_test {
namespace {

struct CastModel {
    const char* name;
    std::int64_t storedNumbers;
    std::size_t storedTensors;
    std::int64_t keptNumbers;
    std::size_t keptTensors;
    std::int64_t layers;
    double bfloat16GiB; ///< of the weights without casting
    double mixedGiB;
};

constexpr CastModel kModels[]{{"flux-dev", 8653744128, 852, 3247664192, 308, 426, 22.168, 14.109},
    {"cogvideox-5b", 4759337984, 508, 810945088, 516, 254, 10.375, 5.943}};

double gibibytes(Bytes bytes)
{
    return static_cast<double>(bytes) / static_cast<double>(kGiB);
}

class CastingTableTest : public testing::TestWithParam<CastModel> { };

TEST_P(CastingTableTest, theFullModelStoresWhatTheReferenceCounts)
{
    const CastModel& expected = GetParam();
    config::Configuration configuration = config::defaultConfiguration(expected.name, "");
    configuration.workload.dtype = config::Dtype::BFloat16;
    configuration.techniques["casting"] =
        config::makeSetting(config::findTechnique("casting", ""), "e4m3", {}, "techniques.casting");
    const auto model = models::buildModel(configuration, at::TensorOptions(at::kMeta).dtype(at::kBFloat16));
    EXPECT_NEAR(gibibytes(models::parameterBytes(*model)), expected.bfloat16GiB, 0.0005);
    TechniqueStack techniques(configuration);
    techniques.apply(*model);
    EXPECT_EQ(techniques.counters().at("casting").at("stored_bytes"), expected.storedNumbers);
    EXPECT_EQ(techniques.counters().at("casting").at("layers_cast"), expected.layers);
    EXPECT_EQ(tensorsOf(*model, at::kFloat8_e4m3fn), expected.storedTensors);
    EXPECT_EQ(tensorsOf(*model, at::kBFloat16), expected.keptTensors);
    EXPECT_EQ(models::parameterBytes(*model), expected.storedNumbers + 2 * expected.keptNumbers);
    EXPECT_NEAR(gibibytes(models::parameterBytes(*model)), expected.mixedGiB, 0.0005);
}

std::string nameOf(const testing::TestParamInfo<CastModel>& info)
{
    std::string name = info.param.name;
    std::erase_if(name, [](char letter) { return letter == '-' || letter == '.'; });
    return name;
}

INSTANTIATE_TEST_SUITE_P(Models, CastingTableTest, testing::ValuesIn(kModels), nameOf);

} // namespace
} // namespace headroom::techniques::casting_table_test
