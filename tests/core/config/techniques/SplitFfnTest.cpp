// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/SplitFfnDescriptor.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "tests/core/config/Refusal.h"

#include <random>

namespace headroom::config::split_ffn_test {
namespace {

using Axis = SplitFfnNotation::Axis;

SplitFfnNotation randomSplit(std::mt19937_64& random)
{
    const auto axis = static_cast<Axis>(random() % 3);
    if (axis == Axis::None)
        return {};
    return {axis, static_cast<std::int64_t>(random() >> (1 + random() % 63)) + 1,
        axis == Axis::Channels && random() % 2 == 0};
}

std::vector<std::string> problemsOf(const std::string& notation, const ValueMap& fields, const ValueMap& shapes)
{
    const ModelDescriptor model = findModel("ffn-stack-tiny", "w");
    const ValueMap allFields = model.fields.complete(fields, "model");
    const Workload workload = makeWorkload(shapes, model.shapes, "workload");
    const TechniqueDescriptor split = splitFfnDescriptor();
    const auto techniques = defaultConfiguration("ffn-stack-tiny", "w").techniques;
    return split.problems(
        makeSetting(split, notation, {}, "split_ffn"), {*model.family, allFields, workload, techniques});
}

TEST(SplitFfnTest, readsEveryForm)
{
    EXPECT_EQ(parseSplitFfn("off", "w"), (SplitFfnNotation{Axis::None, 1}));
    EXPECT_EQ(parseSplitFfn("4", "w"), (SplitFfnNotation{Axis::Channels, 4}));
    EXPECT_EQ(parseSplitFfn("1", "w"), (SplitFfnNotation{Axis::Channels, 1}));
    EXPECT_EQ(parseSplitFfn("4:recompute", "w"), (SplitFfnNotation{Axis::Channels, 4, true}));
    EXPECT_EQ(parseSplitFfn("tokens:16", "w"), (SplitFfnNotation{Axis::Tokens, 16}));
}

TEST(SplitFfnTest, whatItWritesReadsBackAsTheSame)
{
    std::mt19937_64 random(11);
    for (int i = 0; i < 1000; ++i) {
        const SplitFfnNotation split = randomSplit(random);
        EXPECT_EQ(parseSplitFfn(toText(split), "w"), split) << toText(split);
    }
}

TEST(SplitFfnTest, normalisingTwiceChangesNothing)
{
    const TechniqueDescriptor split = splitFfnDescriptor();
    for (const char* text : {"off", "4", "04", "tokens:2", "tokens:002", "04:recompute"}) {
        const std::string once = split.normalise(text, "w");
        EXPECT_EQ(split.normalise(once, "w"), once);
    }
    EXPECT_EQ(split.normalise("04", "w"), "4");
    EXPECT_EQ(split.normalise("04:recompute", "w"), "4:recompute");
}

TEST(SplitFfnTest, refusesWhatIsNoNotation)
{
    for (const char* text : {"", "on", "0", "-4", "4.0", "tokens", "tokens:", "tokens:0", "tokens:x", "4:tokens", "OFF",
             "recompute", ":recompute", "0:recompute", "4:recompute:recompute", "tokens:4:recompute", "off:recompute"})
        EXPECT_EQ(refusal([&] { parseSplitFfn(text, "spec.toml:7: techniques.split_ffn"); }),
            std::string("spec.toml:7: techniques.split_ffn: found \"") + text
                + "\" (valid: off, N (slices of the inner channels), N:recompute (each slice again in the backward "
                  "pass), "
                  "tokens:N (slices of the tokens), with N at least 1)");
}

TEST(SplitFfnTest, channelsMustDivideTheInnerWidth)
{
    EXPECT_TRUE(problemsOf("off", {}, {}).empty());
    EXPECT_TRUE(problemsOf("64", {}, {}).empty());
    EXPECT_TRUE(problemsOf("64:recompute", {}, {}).empty());
    EXPECT_EQ(problemsOf("5:recompute", {}, {}),
        std::vector<std::string>{"split_ffn = 5 does not divide the feed-forward's inner width 64"});
    EXPECT_EQ(problemsOf("128", {}, {}),
        std::vector<std::string>{"split_ffn = 128 does not divide the feed-forward's inner width 64"});
    EXPECT_EQ(problemsOf("4", {{"dim", 3}, {"mult", 3}}, {}),
        std::vector<std::string>{"split_ffn = 4 does not divide the feed-forward's inner width 9"});
}

TEST(SplitFfnTest, tokenSlicesMustDivideBatchTimesSequence)
{
    EXPECT_TRUE(problemsOf("tokens:15", {}, {{"batch", 3}, {"sequence_length", 5}}).empty());
    EXPECT_EQ(problemsOf("tokens:2", {}, {{"batch", 3}, {"sequence_length", 5}}),
        std::vector<std::string>{"split_ffn = tokens:2 does not divide the 15 tokens of the feed-forward's input"});
}

TEST(SplitFfnTest, countsWhatTheContractNames)
{
    std::vector<std::string> names;
    for (const CounterDescriptor& counter : splitFfnDescriptor().counters)
        names.push_back(counter.name);
    EXPECT_EQ(names, (std::vector<std::string>{"layers_split", "slices_run", "slices_recomputed"}));
}

TechniqueEngagement split(const std::string& notation, std::int64_t slices, const std::string& options = "{}")
{
    return {notation, options, {{"layers_split", 2}, {"slices_run", 2 * slices}}};
}

TEST(SplitFfnTest, inferenceIsOrderedByTheSlicesOfALayer)
{
    const MonotoneOrder order = splitFfnDescriptor().orders.at(0);
    EXPECT_EQ(order.step, StepKind::Inference) << "training saves every slice";
    EXPECT_FALSE(order.costsTime);
    EXPECT_EQ(order.level(split("4", 4)), 4);
    EXPECT_EQ(order.level({"off", "{}", {{"layers_split", 0}, {"slices_run", 0}}}), std::nullopt);
    EXPECT_TRUE(order.isClearlyMore(split("2", 2), split("4", 4)));
    EXPECT_FALSE(order.isClearlyMore(split("4", 4), split("2", 2)));
    EXPECT_FALSE(order.isClearlyMore(split("4", 4), split("4", 4)));
}

TEST(SplitFfnTest, otherKindsOfSlicesAreNotOrdered)
{
    const auto isMore = splitFfnDescriptor().orders.at(0).isClearlyMore;
    EXPECT_FALSE(isMore(split("tokens:2", 2), split("4", 4)));
    EXPECT_FALSE(isMore(split("2", 2), split("4:recompute", 4)));
    EXPECT_FALSE(isMore(split("2", 2), split("4", 4, R"({"accumulate":"out_of_place"})")));
}

} // namespace
} // namespace headroom::config::split_ffn_test
