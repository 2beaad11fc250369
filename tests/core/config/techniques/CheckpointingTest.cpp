// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/CheckpointingDescriptor.h"

#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/config/techniques/CheckpointStrategy.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

#include <random>
#include <set>

namespace headroom::config::checkpointing_test {
namespace {

using Kind = CheckpointPolicy::Kind;
using testing::HasSubstr;
using testing::StartsWith;

BlockList randomBlocks(std::mt19937_64& random)
{
    BlockList blocks;
    std::int64_t next = static_cast<std::int64_t>(random() % 3);
    for (int i = 0; i < 1 + static_cast<int>(random() % 4); ++i) {
        const auto length = static_cast<std::int64_t>(random() % 4);
        blocks.ranges.push_back({next, next + length});
        next += length + 2 + static_cast<std::int64_t>(random() % 3);
    }
    return blocks;
}

CheckpointPolicy randomPolicy(std::mt19937_64& random)
{
    CheckpointPolicy policy{.kind = static_cast<Kind>(random() % 8)};
    policy.offload = policy.kind != Kind::None && random() % 2 == 0;
    if (policy.kind == Kind::Every || policy.kind == Kind::Except || policy.kind == Kind::Ops)
        policy.period = static_cast<std::int64_t>(random() >> (1 + random() % 63)) + 1;
    if (policy.kind == Kind::Every)
        policy.phase = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(policy.period));
    if (policy.kind == Kind::Blocks || policy.kind == Kind::Skip)
        policy.blocks = randomBlocks(random);
    if (policy.kind == Kind::Strategy)
        policy.strategy = checkpointStrategyNames().front();
    return policy;
}

std::string normalised(const std::string& notation)
{
    return checkpointingDescriptor().normalise(notation, "w");
}

std::string refusalOf(const std::string& notation)
{
    return refusal([&] { parseCheckpointing(notation, "spec.toml:7: techniques.checkpointing"); });
}

/// "0,2,4": the blocks that are checkpointed.
std::string blocksOf(const std::string& notation, std::int64_t blockCount)
{
    std::string text;
    const std::vector<bool> blocks = checkpointedBlocks(parseCheckpointing(notation, "w"), blockCount);
    EXPECT_EQ(blocks.size(), static_cast<std::size_t>(blockCount));
    for (std::size_t block = 0; block < blocks.size(); ++block)
        if (blocks[block])
            text += (text.empty() ? "" : ",") + std::to_string(block);
    return text;
}

std::vector<std::string> problemsOf(const std::string& notation, int layers, const ValueMap& options = {})
{
    const ModelDescriptor model = findModel("ffn-stack-tiny", "w");
    const ValueMap fields = model.fields.complete({{"num_layers", layers}}, "model");
    const TechniqueDescriptor checkpointing = checkpointingDescriptor();
    return checkpointing.problems(makeSetting(checkpointing, notation, options, "checkpointing"),
        {*model.family, fields, makeWorkload({}, model.shapes, "workload"),
            defaultConfiguration("ffn-stack-tiny", "w").techniques});
}

TEST(CheckpointingTest, whatItWritesReadsBackAsTheSame)
{
    std::mt19937_64 random(11);
    for (int i = 0; i < 2000; ++i) {
        const CheckpointPolicy policy = randomPolicy(random);
        EXPECT_EQ(parseCheckpointing(toText(policy), "w"), policy) << toText(policy);
    }
}

TEST(CheckpointingTest, equalPoliciesHaveOneNotation)
{
    EXPECT_EQ(normalised("every:2@0"), "every:2");
    EXPECT_EQ(normalised("every:04@02"), "every:4@2");
    EXPECT_EQ(normalised("every:1"), "every:1") << "its own notation, though it does what all does";
    EXPECT_EQ(normalised("blocks:0.1.2.4-4.7-8"), "blocks:0-2.4.7-8");
    EXPECT_EQ(normalised("skip:00.2-3.4"), "skip:0.2-4");
    EXPECT_EQ(normalised("ops:mm/1"), "ops") << "the first of one is every product";
    EXPECT_EQ(normalised("ops:mm/02+offload"), "ops:mm/2+offload");
    EXPECT_EQ(normalised("every:02@0+offload"), "every:2+offload");
    for (const char* notation : {"none", "all", "except:3", "strategy:all_but_last", "ops", "ops:mm/2", "ops:mm/7",
             "all+offload", "ops+offload", "blocks:0-2.4+offload", "strategy:all_but_last+offload"})
        EXPECT_EQ(normalised(notation), notation);
}

TEST(CheckpointingTest, everyFormChoosesItsBlocks)
{
    EXPECT_EQ(blocksOf("none", 5), "");
    EXPECT_EQ(blocksOf("all", 5), "0,1,2,3,4");
    EXPECT_EQ(blocksOf("every:1", 5), blocksOf("all", 5));
    EXPECT_EQ(blocksOf("every:2", 5), "0,2,4");
    EXPECT_EQ(blocksOf("every:2@1", 5), "1,3");
    EXPECT_EQ(blocksOf("every:3@2", 9), "2,5,8");
    EXPECT_EQ(blocksOf("except:2", 5), "1,3");
    EXPECT_EQ(blocksOf("except:1", 5), "");
    EXPECT_EQ(blocksOf("blocks:0-2.4", 6), "0,1,2,4");
    EXPECT_EQ(blocksOf("skip:0-2.4", 6), "3,5");
    EXPECT_EQ(blocksOf("strategy:all_but_last", 4), "0,1,2");
    EXPECT_EQ(blocksOf("strategy:all_but_last", 1), "");
    EXPECT_EQ(blocksOf("ops", 3), "0,1,2");
    EXPECT_EQ(blocksOf("ops:mm/2+offload", 3), "0,1,2");
    EXPECT_EQ(blocksOf("every:2+offload", 5), "0,2,4");
}

TEST(CheckpointingTest, aPolicyAndItsOppositeCoverEveryBlockOnce)
{
    for (std::int64_t count = 1; count <= 28; ++count)
        for (std::int64_t period = 1; period <= count; ++period) {
            const auto every = checkpointedBlocks({.kind = Kind::Every, .period = period}, count);
            auto except = checkpointedBlocks({.kind = Kind::Except, .period = period}, count);
            except.flip();
            EXPECT_EQ(every, except);
        }
}

TEST(CheckpointingTest, refusesWhatIsNoNotation)
{
    for (const char* notation : {"", "off", "All", "every", "2", "ops:", "ops:2", "ops:mm", "ops:mm/", "ops:mm/0",
             "ops:mm/-1", "ops:mm/x", "ops:bmm/2", "ops2", "all+", "+offload", "all+offload+offload", "all +offload",
             "none+offload", "full", "blocks", "every-2", "every:2:1", "strategy"})
        EXPECT_THAT(refusalOf(notation),
            StartsWith("spec.toml:7: techniques.checkpointing: found \"" + std::string(notation) + "\""))
            << notation;
    EXPECT_EQ(refusalOf("sometimes"),
        "spec.toml:7: techniques.checkpointing: found \"sometimes\" (valid: none, all, every:N, every:N@K with K below "
        "N, except:N, blocks:LIST, skip:LIST with a LIST like 0-3.7, blocks:LIST=POLICY.LIST=POLICY, strategy:NAME, "
        "ops, "
        "ops:mm/N, ops:calls/LIST with a LIST like 0-2:5, budget:SIZE with a SIZE like 12GiB; N at least 1; any but "
        "none "
        "with +offload after it)");
    EXPECT_THAT(refusalOf("none+offload"), HasSubstr("without checkpointing no block's inputs are kept"));
    EXPECT_THAT(refusalOf("ops:bmm/2"), HasSubstr("what follows ops: is \"bmm/2\""));
}

TEST(CheckpointingTest, refusesNumbersThatMeanNothing)
{
    for (const char* n : {"0", "-1", "", "x", "1.5", "+2"}) {
        EXPECT_THAT(refusalOf("every:" + std::string(n)), HasSubstr(": N is \"" + std::string(n) + "\""));
        EXPECT_THAT(refusalOf("except:" + std::string(n)), HasSubstr(": N is \"" + std::string(n) + "\""));
    }
    for (const char* k : {"-1", "", "x", "1@1"})
        EXPECT_THAT(refusalOf("every:2@" + std::string(k)), HasSubstr(": K is \"" + std::string(k) + "\""));
    EXPECT_THAT(refusalOf("every:2@2"), HasSubstr("K is 2, no remainder of a division by 2"));
    EXPECT_THAT(refusalOf("every:3@7"), HasSubstr("K is 7, no remainder of a division by 3"));
}

TEST(CheckpointingTest, refusesListsThatAreNotInOrder)
{
    for (const char* mode : {"blocks:", "skip:"}) {
        const auto of = [&](const std::string& list) { return refusalOf(mode + list); };
        for (const char* list : {"", ".", "1.", ".1", "a", "1-", "-1", "1--2", "1-2-3", "0..2", "1 2", "0x1", "1.-2"})
            EXPECT_THAT(of(list), HasSubstr("is no block number and no range (valid: block numbers from 0")) << list;
        EXPECT_THAT(of("3-1"), HasSubstr("\"3-1\" runs backwards"));
        EXPECT_THAT(of("7.0-3"), HasSubstr("\"0-3\" comes after block 7"));
        EXPECT_THAT(of("0-3.2"), HasSubstr("\"2\" names blocks that stand before it already"));
        EXPECT_THAT(of("0-3.3-5"), HasSubstr("\"3-5\" names blocks that stand before it already"));
        EXPECT_THAT(of("2-4.1-2"), HasSubstr("\"1-2\" names blocks that stand before it already"));
        EXPECT_THAT(of("4.4"), HasSubstr("\"4\" names blocks that stand before it already"));
    }
    EXPECT_EQ(refusalOf("blocks:5.1"),
        "spec.toml:7: techniques.checkpointing: found \"blocks:5.1\": \"1\" comes after block 5 (valid: block numbers "
        "from 0 and ranges of them in ascending order, each block once, with dots between them: 0-3.7)");
}

TEST(CheckpointingTest, unknownStrategiesAreRefusedWithTheList)
{
    EXPECT_EQ(refusalOf("strategy:all_but_lst"),
        "spec.toml:7: techniques.checkpointing: unknown strategy \"all_but_lst\", did you mean \"all_but_last\"? "
        "(valid: "
            + joined(checkpointStrategyNames()) + ")");
    EXPECT_THAT(refusalOf("strategy:"), HasSubstr("unknown strategy \"\""));
}

TEST(CheckpointingTest, strategiesAreNamedOnceAndExplained)
{
    std::set<std::string> names;
    for (const CheckpointStrategy& strategy : checkpointStrategies()) {
        EXPECT_TRUE(names.insert(strategy.name).second) << strategy.name;
        EXPECT_EQ(strategy.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789"), std::string::npos);
        EXPECT_FALSE(strategy.help.empty());
        EXPECT_EQ(normalised("strategy:" + strategy.name), "strategy:" + strategy.name);
    }
}

TEST(CheckpointingTest, theModelMustHaveTheBlocks)
{
    for (const char* notation : {"none", "all", "every:5", "except:5", "every:5@4", "blocks:0-4", "skip:4"})
        EXPECT_TRUE(problemsOf(notation, 5).empty()) << notation;
    EXPECT_EQ(problemsOf("every:6", 5),
        std::vector<std::string>{"checkpointing = every:6: N is more than the model's 5 blocks"});
    EXPECT_EQ(problemsOf("except:9", 5),
        std::vector<std::string>{"checkpointing = except:9: N is more than the model's 5 blocks"});
    EXPECT_EQ(problemsOf("blocks:0-3.5", 5),
        std::vector<std::string>{"checkpointing = blocks:0-3.5: block 5 is not among the model's 5 blocks, 0 to 4"});
    EXPECT_EQ(problemsOf("skip:7", 5),
        std::vector<std::string>{"checkpointing = skip:7: block 7 is not among the model's 5 blocks, 0 to 4"});
}

TEST(CheckpointingTest, aModelWithoutBlocksCannotBeCheckpointed)
{
    ModelFamily family = *findModel("ffn-stack-tiny", "w").family;
    family.blocks = [](const ValueMap&) { return 0; };
    const Workload workload = makeWorkload({}, family.shapes, "w");
    const auto techniques = defaultConfiguration("ffn-stack-tiny", "w").techniques;
    const auto problems = [&](const std::string& notation) {
        return checkpointingDescriptor().problems(
            {notation, {}}, {family, family.fields.defaults(), workload, techniques});
    };
    EXPECT_TRUE(problems("none").empty());
    for (const char* notation : {"all", "every:1", "blocks:0", "strategy:all_but_last"})
        EXPECT_EQ(problems(notation),
            std::vector<std::string>{"checkpointing = " + std::string(notation) + ": ffn-stack has no blocks"});
}

TEST(CheckpointingTest, opsThatCannotBeKeptAreRefusedWithThoseThatCan)
{
    const auto of = [](const std::string& notation, Value ops) {
        return problemsOf(notation, 5, {{"save_ops", std::move(ops)}});
    };
    for (const std::string& op : savableOps())
        EXPECT_TRUE(of("ops", Value::List{op}).empty()) << op;
    EXPECT_TRUE(of("ops", Value()).empty());
    EXPECT_EQ(of("ops", Value::List{"mm", "adddmm"}),
        std::vector<std::string>{"checkpointing.save_ops: unknown op \"adddmm\", did you mean \"addmm\"? (valid: "
            + joined(savableOps()) + ")"});
    EXPECT_EQ(of("ops", Value::List{}),
        std::vector<std::string>{
            "checkpointing.save_ops is empty: blocks that keep no results are checkpointing = all"});
    EXPECT_EQ(of("all", Value::List{"mm"}),
        std::vector<std::string>{
            "checkpointing.save_ops is for policies that keep results (ops, ops:mm/N, ops:calls/LIST, budget:SIZE); "
            "checkpointing = all keeps no results"});
    EXPECT_EQ(of("ops:mm/2", Value::List{"addmm"}),
        std::vector<std::string>{"checkpointing = ops:mm/2: save_ops has no mm to choose from"});
}

TEST(CheckpointingTest, layersToComputeAgainNeedNames)
{
    const auto of = [](const std::string& notation, const Value::List& names) {
        return problemsOf(notation, 5, {{"force_recompute", names}});
    };
    EXPECT_TRUE(of("ops", {"net.2"}).empty());
    EXPECT_THAT(of("ops", {"moe.router.gate"}),
        testing::ElementsAre(testing::HasSubstr("\"moe.router.gate\" is part of no Linear's path (valid: parts of")));
    EXPECT_EQ(of("ops", {}),
        std::vector<std::string>{"checkpointing.force_recompute is empty: leave it out where no layer is meant"});
    EXPECT_EQ(of("ops", {"a", ""}),
        std::vector<std::string>{"checkpointing.force_recompute: an empty name would be part of every module's"});
    EXPECT_EQ(of("every:2+offload", {"a"}),
        std::vector<std::string>{"checkpointing.force_recompute is for policies that keep results (ops, ops:mm/N, "
                                 "ops:calls/LIST, budget:SIZE); checkpointing = every:2+offload keeps no results"});
}

TEST(CheckpointingTest, optionsAreReadWithTheirDefaults)
{
    const CheckpointOpOptions defaults = checkpointOpOptions({});
    EXPECT_EQ(defaults.savedOps, defaultSavedOps());
    EXPECT_TRUE(defaults.recomputedModules.empty());
    EXPECT_TRUE(defaults.stopsEarly);
    const CheckpointOpOptions given = checkpointOpOptions(
        {{"save_ops", Value::List{"mm"}}, {"force_recompute", Value::List{"gate"}}, {"early_stop", false}});
    EXPECT_THAT(given.savedOps, testing::ElementsAre("mm"));
    EXPECT_THAT(given.recomputedModules, testing::ElementsAre("gate"));
    EXPECT_FALSE(given.stopsEarly);
}

TEST(CheckpointingTest, countsWhatTheContractNames)
{
    std::vector<std::string> names;
    for (const CounterDescriptor& counter : checkpointingDescriptor().counters)
        names.push_back(counter.name);
    EXPECT_THAT(
        names, testing::ElementsAre("blocks_checkpointed", "blocks_recomputed", "ops_recomputed", "bytes_to_host"));
}

TEST(CheckpointingTest, splittingIsAppliedBeforeCheckpointing)
{
    const std::vector<std::string> keys = techniqueKeys();
    EXPECT_LT(std::find(keys.begin(), keys.end(), "split_ffn"), std::find(keys.begin(), keys.end(), "checkpointing"));
}

TechniqueEngagement checkpointed(const std::string& notation, std::int64_t blocks, std::int64_t ops = 0)
{
    return {notation, "{}", {{"blocks_checkpointed", blocks}, {"blocks_recomputed", blocks}, {"ops_recomputed", ops}}};
}

TEST(CheckpointingTest, trialsAreOrderedByTheBlocksThatWereCounted)
{
    const MonotoneOrder order = checkpointingDescriptor().orders.at(0);
    EXPECT_EQ(order.level(checkpointed("every:2", 14)), 14);
    EXPECT_EQ(order.level(checkpointed("none", 0)), 0);
    EXPECT_EQ(order.level({"none", "{}", {}}), 0);
    EXPECT_EQ(order.level({"all", "{}", {}}), std::nullopt) << "nobody knows";
    EXPECT_TRUE(order.costsTime(checkpointed("all", 1)));
    EXPECT_FALSE(order.costsTime({"all", "{}", {{"blocks_checkpointed", 1}, {"blocks_recomputed", 0}}}));
    EXPECT_EQ(order.step, std::nullopt);
}

TEST(CheckpointingTest, twiceAsManyBlocksAreClearlyMore)
{
    const auto isMore = checkpointingDescriptor().orders.at(0).isClearlyMore;
    EXPECT_TRUE(isMore(checkpointed("none", 0), checkpointed("every:4", 2)));
    EXPECT_FALSE(isMore(checkpointed("none", 0), checkpointed("blocks:3", 1))) << "its input may weigh as much";
    EXPECT_TRUE(isMore(checkpointed("every:4", 7), checkpointed("every:2", 14)));
    EXPECT_FALSE(isMore(checkpointed("every:4", 7), checkpointed("every:2", 13)));
    EXPECT_FALSE(isMore(checkpointed("every:2", 14), checkpointed("every:4", 7)));
    EXPECT_FALSE(isMore(checkpointed("none", 0), checkpointed("ops", 28, 100))) << "ops keep results beside";
}

BlockPolicy randomBlockPolicy(std::mt19937_64& random)
{
    BlockPolicy policy{.kind = static_cast<BlockPolicy::Kind>(random() % 3)};
    if (policy.kind == BlockPolicy::Kind::Ops && random() % 2 == 0)
        policy.calls = randomBlocks(random);
    else if (policy.kind == BlockPolicy::Kind::Ops)
        policy.period = 1 + static_cast<std::int64_t>(random() % 3);
    return policy;
}

TEST(CheckpointingTest, policiesOfBlocksReadBackAsTheSame)
{
    std::mt19937_64 random(5);
    for (int i = 0; i < 1000; ++i) {
        std::vector<BlockPolicy> policies;
        for (int block = 0; block < 1 + static_cast<int>(random() % 9); ++block)
            policies.push_back(randomBlockPolicy(random));
        const CheckpointPolicy policy = policyOf(policies, random() % 2 == 0);
        const std::string text = toText(policy);
        EXPECT_EQ(parseCheckpointing(text, "w"), policy) << text;
        EXPECT_EQ(blockPolicies(parseCheckpointing(text, "w"), std::ssize(policies)), policies) << text;
    }
}

TEST(CheckpointingTest, policiesOfBlocksHaveOneNotation)
{
    EXPECT_EQ(normalised("blocks:0-3.7=all"), "blocks:0-3.7") << "that is what a list alone says";
    EXPECT_EQ(normalised("blocks:4-6=ops.0-3=all"), "blocks:0-3=all.4-6=ops");
    EXPECT_EQ(normalised("blocks:0=all.1=ops.2=all.3=none"), "blocks:0.2=all.1=ops");
    EXPECT_EQ(normalised("blocks:0.1.3=ops:mm/1"), "blocks:0-1.3=ops");
    EXPECT_EQ(
        normalised("blocks:0-11=all.12-27=ops:calls/0:1:2:5+offload"), "blocks:0-11=all.12-27=ops:calls/0-2:5+offload");
    EXPECT_EQ(normalised("ops:calls/3:4-5"), "ops:calls/3-5");
    EXPECT_EQ(normalised("budget:12GiB"), "budget:12GiB");
    EXPECT_EQ(normalised("budget:1.5GiB"), "budget:1536MiB");
    EXPECT_EQ(normalised("budget:1048576+offload"), "budget:1MiB+offload");
    EXPECT_EQ(normalised("budget:1000001B"), "budget:1000001");
    EXPECT_EQ(blocksOf("blocks:0=all.2-3=ops", 5), "0,2,3");
    EXPECT_EQ(budgetOf("budget:2GiB+offload"), 2 * kGiB);
    EXPECT_EQ(budgetOf("all"), std::nullopt);
}

TEST(CheckpointingTest, policiesOfBlocksThatMeanNothingAreRefused)
{
    EXPECT_THAT(refusalOf("blocks:0-3=all.3=ops"), HasSubstr("block 3 has two policies (valid: LIST=POLICY"));
    EXPECT_THAT(refusalOf("blocks:0-3=all.4"), HasSubstr("blocks 4 have no policy"));
    EXPECT_THAT(refusalOf("blocks:0-3=most"), HasSubstr("\"most\" is no policy of a block (valid: none, all, ops"));
    EXPECT_THAT(refusalOf("blocks:0=every:2"), HasSubstr("\"every:2\" is no policy of a block"));
    EXPECT_THAT(refusalOf("blocks:0=ops:mm/0"), HasSubstr("N is \"0\""));
    EXPECT_THAT(refusalOf("blocks:0=ops:bmm"), HasSubstr("what follows ops: is \"bmm\""));
    EXPECT_THAT(refusalOf("blocks:=all"), HasSubstr("is no block number and no range"));
    EXPECT_THAT(refusalOf("blocks:0-3=none"), HasSubstr("no block is checkpointed: that is none"));
    EXPECT_THAT(refusalOf("blocks:0-900000000000=ops"), HasSubstr("block 900000000000 is in no model"));
    EXPECT_THAT(refusalOf("ops:calls/3:1"), HasSubstr("\"1\" comes after call 3 (valid: call numbers from 0"));
    EXPECT_THAT(refusalOf("ops:calls/1.2"), HasSubstr("calls have colons between them, not dots"));
    EXPECT_THAT(refusalOf("ops:calls/"), HasSubstr("is no call number and no range"));
    for (const char* size : {"", "x", "0", "-1GiB", "12GB", "12 GiB", "1e3", "GiB", "0.2", "nan", "inf", "99999999TiB"})
        EXPECT_THAT(refusalOf("budget:" + std::string(size)),
            HasSubstr("SIZE is \"" + std::string(size) + "\" (valid: budget:SIZE with a size such as 12GiB"))
            << size;
    EXPECT_EQ(problemsOf("blocks:0-2=all.3-5=ops", 5),
        std::vector<std::string>{
            "checkpointing = blocks:0-2=all.3-5=ops: block 5 is not among the model's 5 blocks, 0 to 4"});
    EXPECT_TRUE(problemsOf("budget:1GiB", 5, {{"save_ops", Value::List{"mm"}}}).empty());
    EXPECT_EQ(problemsOf("blocks:0=ops:mm/2", 5, {{"save_ops", Value::List{"addmm"}}}),
        std::vector<std::string>{"checkpointing = blocks:0=ops:mm/2: save_ops has no mm to choose from"});
}

} // namespace
} // namespace headroom::config::checkpointing_test
