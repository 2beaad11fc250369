// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/PhaseSpan.h"

#include <gtest/gtest.h>

#include <vector>

namespace headroom::trace {
namespace {

TEST(PhaseSpanTest, theInnermostSpanNamesATime)
{
    const std::vector<PhaseSpan> spans{{"load", -1, 0, 10}, {"forward", 0, 10, 20}, {"backward", 0, 20, 30},
        {"forward", 1, 30, 40}, {"step", 1, 30, 50}};
    EXPECT_EQ(phaseAt(spans, 35)->name, "forward");
    EXPECT_EQ(phaseAt(spans, 45)->name, "step");
    EXPECT_EQ(phaseAt(spans, 10)->name, "forward");
    EXPECT_EQ(phaseAt(spans, 50), nullptr);
}

} // namespace
} // namespace headroom::trace
