// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/config/techniques/InputTransferDescriptor.h"
#include "core/config/techniques/LossReadbackDescriptor.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::config {
namespace {

using testing::ElementsAre;

TEST(HostHabitsTest, unknownOnesAreRefusedWithThoseThereAre)
{
    EXPECT_EQ(refusal([] { parseLossReadback("always", "techniques.loss_readback"); }),
        "techniques.loss_readback: found \"always\" (valid: never, per_update, every_step)");
    EXPECT_EQ(refusal([] { parseInputTransfer("mapped", "techniques.input_transfer"); }),
        "techniques.input_transfer: found \"mapped\" (valid: resident, pageable, pinned)");
}

TEST(HostHabitsTest, anInferenceStepHasNoLossToRead)
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "");
    configuration.techniques["loss_readback"] = makeSetting(findTechnique("loss_readback", ""), "per_update", {}, "");
    EXPECT_THAT(conflicts(configuration), ElementsAre("loss_readback = per_update: an inference step has no loss"));
    configuration.workload.step = StepKind::ForwardBackward;
    EXPECT_TRUE(conflicts(configuration).empty());
}

} // namespace
} // namespace headroom::config
