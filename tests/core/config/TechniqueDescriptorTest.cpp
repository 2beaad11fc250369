// SPDX-License-Identifier: Apache-2.0
#include "core/config/TechniqueDescriptor.h"

#include "core/config/techniques/SplitFfn.h"

#include <gtest/gtest.h>

namespace headroom::config {
namespace {

TEST(ParseCountTest, readsPositiveDecimalNumbersOnly)
{
    EXPECT_EQ(parseCount("1"), 1);
    EXPECT_EQ(parseCount("9223372036854775807"), 9223372036854775807);
    for (const char* text : {"", "0", "-1", "+1", "1.0", "1e3", " 1", "1 ", "0x4", "four", "9223372036854775808"})
        EXPECT_EQ(parseCount(text), std::nullopt) << text;
}

TEST(TechniqueDescriptorTest, theFormsOfTheNotationAreListed)
{
    TechniqueDescriptor technique;
    technique.forms = {{"off", "not used"}, {"every:N", "each Nth block"}};
    EXPECT_EQ(technique.validForms(), "off, every:N");
}

} // namespace
} // namespace headroom::config
