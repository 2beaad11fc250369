// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/AttentionDescriptor.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::config {
namespace {

using testing::ElementsAre;

TEST(AttentionTest, kernelsAreNamedAsTheirCountersAre)
{
    EXPECT_FALSE(parseAttention("auto", "w"));
    const TechniqueDescriptor descriptor = attentionDescriptor();
    ASSERT_EQ(descriptor.counters.size(), attentionKernels().size());
    for (std::size_t i = 0; i < descriptor.counters.size(); ++i) {
        EXPECT_EQ(descriptor.counters[i].name, toText(attentionKernels()[i]));
        EXPECT_EQ(parseAttention(descriptor.counters[i].name, "w"), attentionKernels()[i]);
        EXPECT_EQ(descriptor.normalise(descriptor.counters[i].name, "w"), descriptor.counters[i].name);
    }
}

TEST(AttentionTest, anUnknownBackendIsRefusedWithThoseThereAre)
{
    EXPECT_EQ(refusal([] { parseAttention("sage", "spec.toml:9: techniques.attention"); }),
        "spec.toml:9: techniques.attention: found \"sage\" (valid: auto, math, flash, efficient, cudnn)");
}

TEST(AttentionTest, aModelWithoutAttentionIsRefused)
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "");
    EXPECT_TRUE(conflicts(configuration).empty());
    configuration.techniques["attention"] = makeSetting(findTechnique("attention", ""), "math", {}, "");
    EXPECT_THAT(conflicts(configuration), ElementsAre("attention = math: ffn-stack has no attention"));
    configuration = defaultConfiguration("ltx-video-tiny", "");
    configuration.techniques["attention"] = makeSetting(findTechnique("attention", ""), "math", {}, "");
    EXPECT_TRUE(conflicts(configuration).empty());
}

} // namespace
} // namespace headroom::config
