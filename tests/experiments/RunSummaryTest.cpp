// SPDX-License-Identifier: Apache-2.0
#include "experiments/RunSummary.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using protocol::Outcome;
using testing::ElementsAre;

OrderedJson record(const std::string& id, std::vector<std::string> reasons)
{
    return {{"trial_id", id}, {"flag_reasons", std::move(reasons)}};
}

TEST(RunSummaryTest, everyRaisedFlagIsListedWithItsTrialAndReason)
{
    const auto flags = raisedFlags({record("a", {"not_steady: repeat 0: it: drifts"}), nullptr, record("b", {}),
        record("c", {"no_effect: same", "implausible: faster"})});
    EXPECT_THAT(flags,
        ElementsAre(RaisedFlag{"a", "not_steady", "repeat 0: it: drifts"}, RaisedFlag{"c", "no_effect", "same"},
            RaisedFlag{"c", "implausible", "faster"}));
    RunSummary summary;
    summary.flags = flags;
    EXPECT_EQ(toJson(summary).at("flags").at(0).dump(),
        R"({"trial_id":"a","flag":"not_steady","reason":"repeat 0: it: drifts"})");
}

TEST(RunSummaryTest, onlyFlagsThatMakeAResultUnusableAreExitCodeFour)
{
    RunSummary summary;
    summary.flags = {{"a", "pressured", ""}, {"b", "no_effect", ""}};
    EXPECT_EQ(summary.exitCode(), 0);
    for (const char* flag : {"not_steady", "implausible"}) {
        summary.flags = {{"a", "pressured", ""}, {"b", flag, ""}};
        EXPECT_EQ(summary.exitCode(), 4) << flag;
    }
    summary.outcomes[Outcome::Failed] = 1;
    EXPECT_EQ(summary.exitCode(), 3) << "what failed comes first";
    summary.interrupted = true;
    EXPECT_EQ(summary.exitCode(), 130);
}

} // namespace
} // namespace headroom::experiments
