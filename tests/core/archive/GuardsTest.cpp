// SPDX-License-Identifier: Apache-2.0
#include "core/archive/Guards.h"

#include <gtest/gtest.h>

namespace headroom::archive::guards_test {
namespace {

ExportedModel model()
{
    const auto symbol = [](const std::string& name) {
        return Size{8, SizeExpression::parse("Symbol('" + name + "')"), false};
    };
    ExportedModel model;
    model.inputs.push_back({"hidden", TensorInfo{7, {symbol("s0"), symbol("s1")}, false}, {}});
    model.inputs.push_back({"extra_ids", TensorInfo{5, {symbol("s1")}, false}, {}});
    model.inputs.push_back({"height", std::nullopt, symbol("s2")});
    return model;
}

const SymbolValues kValues{{"s0", 2}, {"s1", 6}, {"s2", 3}};

TEST(GuardsTest, sizesAndNumbersAreCompared)
{
    for (const char* guard : {"L['hidden'].size()[0] == 2", "L['hidden'].size()[1] == 2 * L['height']",
             "(8*L['hidden'].size()[1]) != 16", "2 <= L['height'] < 4", "L['extra']['ids'].size()[0] % 4 == 2",
             "not L['height'] == 4 and L['hidden'].size()[0] >= 1", "L['hidden'].size()[1] // 4 == 1",
             "-L['height'] + 4 == 1", "2 ** 3 == 8", "Eq(Mod(L['hidden'].size()[1], 4), 2)"})
        EXPECT_EQ(checkGuard(model(), guard, kValues), GuardState::Holds) << guard;
    for (const char* guard :
        {"L['hidden'].size()[0] == 3", "L['height'] > 3", "L['hidden'].size()[1] % 4 == 0 or False"})
        EXPECT_EQ(checkGuard(model(), guard, kValues), GuardState::Violated) << guard;
}

TEST(GuardsTest, whatSpeaksOfSomethingElseIsNotChecked)
{
    for (const char* guard : {"L['other'].size()[0] == 2", "L['hidden'].dtype == torch.float32", "",
             "==", "L['hidden'].size()[9] == 2", "unknown(3) == 3", "L['hidden'"})
        EXPECT_EQ(checkGuard(model(), guard, kValues), GuardState::NotChecked) << guard;
    EXPECT_EQ(checkGuard(model(), std::string(100000, '('), kValues), GuardState::NotChecked);
    EXPECT_EQ(checkGuard(model(), std::string(100000, '-') + "1", kValues), GuardState::NotChecked);
}

} // namespace
} // namespace headroom::archive::guards_test
