// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanSpace.h"

#include "core/base/Error.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "tests/support/Configurations.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace headroom::experiments::plan_space_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

config::Trial trialWith(const std::map<std::string, std::string>& techniques, const config::ValueMap& workload = {},
    const std::string& model = "ltx-video-tiny")
{
    config::Trial trial;
    config::ValueMap given = workload;
    given.try_emplace("step", config::Value("train"));
    trial.configuration = configurationOf(model, techniques, {}, given);
    trial.device = config::parseDevice("sim:t4", "test");
    return trial;
}

const PlanAxis& axisOf(const PlanSpace& space, const std::string& key)
{
    return *std::ranges::find(space.axes().axes, key, &PlanAxis::key);
}

// What an axis may become, in the words of the changes; "" for the trial as it is.
std::vector<std::string> settingsOf(const PlanSpace& space, const std::string& key)
{
    std::vector<std::string> texts;
    for (const PlanSetting& setting : axisOf(space, key).settings)
        texts.push_back(setting.changes.empty() ? "" : setting.changes.front().after);
    return texts;
}

void expectRefused(const config::Trial& trial, const PlanRules& rules, const std::string& what)
{
    try {
        PlanSpace space(trial, rules);
        FAIL() << "accepted, but expected: " << what;
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr(what));
    }
}

TEST(PlanSpaceTest, hasEveryKindOfPolicy)
{
    const PlanSpace space(trialWith({{"trainable", "lora:4"}}), {});
    const auto policies = settingsOf(space, "checkpointing");
    for (const char* policy : {"", "all", "all+offload", "every:2", "except:2", "ops", "ops:mm/2", "ops+offload"})
        EXPECT_THAT(policies, Contains(policy));
    EXPECT_THAT(settingsOf(space, "casting"), Contains("e4m3"));
    EXPECT_THAT(settingsOf(space, "offload"), Contains("block:1+stream"));
    EXPECT_THAT(settingsOf(space, "split_ffn"), Contains("2:recompute"));
    EXPECT_THAT(settingsOf(space, "attention"), Contains("math"));
}

TEST(PlanSpaceTest, whatIsTrainedStays)
{
    const PlanSpace space(trialWith({{"trainable", "lora:4"}, {"optimizer", "adamw"}}), {});
    EXPECT_EQ(settingsOf(space, "trainable"), std::vector<std::string>{""});
    EXPECT_THAT(settingsOf(space, "optimizer"), testing::UnorderedElementsAre("", "adamw:foreach", "adamw:fused"));
    EXPECT_EQ(settingsOf(space, "ema"), std::vector<std::string>{""});
    EXPECT_EQ(settingsOf(PlanSpace(trialWith({{"trainable", "all"}}), {}), "casting"), std::vector<std::string>{""});
}

TEST(PlanSpaceTest, whatATrainerDoesNotHaveIsNamedAndNotTried)
{
    const config::Trial trial = trialWith({{"trainable", "lora:4"}, {"optimizer", "adamw"}, {"offload", "leaf"}});
    const auto offers = [](const config::Trial& tried, const std::string& technique) {
        return technique == "checkpointing" && tried.configuration.techniques.at(technique).notation == "all";
    };
    const PlanSpace space(trial, {.offers = offers});
    EXPECT_THAT(settingsOf(space, "checkpointing"), testing::UnorderedElementsAre("", "all"));
    EXPECT_EQ(settingsOf(space, "casting"), std::vector<std::string>{""});
    EXPECT_EQ(settingsOf(space, "offload"), std::vector<std::string>{""}) << "what the trial has stays";
    EXPECT_FALSE(space.budgetAxis());
    EXPECT_THAT(space.notOffered(), testing::IsSupersetOf({"casting e4m3", "checkpointing ops", "offload model"}));
    EXPECT_THAT(space.notOffered(), Not(Contains("checkpointing all")));
    EXPECT_TRUE(PlanSpace(trial, {}).notOffered().empty());
}

TEST(PlanSpaceTest, anEmaMovesButIsNeverSwitchedOff)
{
    const PlanSpace space(trialWith({{"ema", "device"}}), {});
    EXPECT_THAT(settingsOf(space, "ema"), testing::UnorderedElementsAre("", "host", "host:async", "host:cpu"));
}

TEST(PlanSpaceTest, whatIsAllowedIsTriedToo)
{
    const PlanSpace space(trialWith({{"trainable", "lora:4"}, {"optimizer", "adamw"}}),
        {.allowed = {{"trainable", {"lora:2"}}, {"optimizer", {"sgd"}}, {"optimizer.state_dtype", {"bfloat16"}}}});
    EXPECT_THAT(settingsOf(space, "trainable"), testing::UnorderedElementsAre("", "lora:2"));
    EXPECT_THAT(settingsOf(space, "optimizer"), Contains("sgd"));
    EXPECT_THAT(settingsOf(space, "optimizer"), Contains("bfloat16"));
}

TEST(PlanSpaceTest, whatIsKeptStaysAndWhatIsForbiddenIsOff)
{
    const config::Trial trial = trialWith({{"trainable", "lora:4"}, {"checkpointing", "every:2"}});
    const PlanSpace space(
        trial, {.kept = {"checkpointing"}, .forbidden = {{"casting", {}}, {"offload", {"leaf", "model"}}}});
    EXPECT_EQ(settingsOf(space, "checkpointing"), std::vector<std::string>{""});
    EXPECT_EQ(settingsOf(space, "casting"), std::vector<std::string>{""});
    EXPECT_THAT(settingsOf(space, "offload"), Not(Contains("leaf")));
    EXPECT_THAT(settingsOf(space, "offload"), Contains("leaf+stream"));
    EXPECT_EQ(space.trialOf(space.axes().start()), trial);
}

// Forbidden, though the trial has it: then it is one of the changes.
TEST(PlanSpaceTest, whatTheTrialHasMayBeForbidden)
{
    const PlanSpace space(trialWith({{"trainable", "lora:4"}, {"casting", "e4m3"}}), {.forbidden = {{"casting", {}}}});
    EXPECT_EQ(settingsOf(space, "casting"), std::vector<std::string>{"off"});
    EXPECT_EQ(space.trialOf(space.axes().start()).configuration.techniques.at("casting").notation, "off");
}

// Of casting, which has two options that a search sets, in every combination.
TEST(PlanSpaceTest, optionsMayBeForbiddenByThemselves)
{
    const config::Trial trial = trialWith({{"trainable", "lora:4"}});
    const auto valuesOf = [&](const PlanRules& rules, const char* option) {
        std::set<std::string> values;
        const PlanSpace space(trial, rules);
        const auto axis = std::ranges::find(space.axes().axes, "casting", &PlanAxis::key);
        PlanPoint point = space.axes().start();
        for (std::size_t& setting = point[static_cast<std::size_t>(axis - space.axes().axes.begin())];
            const PlanSetting& one : axis->settings) {
            setting = static_cast<std::size_t>(&one - axis->settings.data());
            const config::Trial made = space.trialOf(point);
            values.insert(config::toLabel(optionOf(
                config::findTechnique("casting", "test"), made.configuration.techniques.at("casting"), option)));
        }
        return values;
    };
    EXPECT_EQ(valuesOf({}, "prefetch"), (std::set<std::string>{"false", "true"}));
    EXPECT_EQ(valuesOf({.forbidden = {{"casting.prefetch", {}}}}, "prefetch"), std::set<std::string>{"false"});
    EXPECT_EQ(valuesOf({.forbidden = {{"casting.prefetch", {"true"}}}}, "prefetch"), std::set<std::string>{"false"});
    EXPECT_EQ(valuesOf({.forbidden = {{"casting.prefetch", {}}}}, "recompute_casts"),
        (std::set<std::string>{"false", "true"}));
}

TEST(PlanSpaceTest, theBatchIsDividedAtAnEqualEffectiveBatch)
{
    const config::Trial trial = trialWith({}, {{"batch", config::Value(std::int64_t{4})}});
    const PlanSpace space(trial, {});
    const PlanAxis& batch = axisOf(space, "batch");
    ASSERT_EQ(batch.settings.size(), 3U);
    const std::size_t axis = space.axes().axes.size() - 1;
    for (std::size_t setting = 0; setting < batch.settings.size(); ++setting) {
        PlanPoint point = space.axes().start();
        point[axis] = setting;
        const config::Workload workload = space.trialOf(point).configuration.workload;
        EXPECT_EQ(workload.shapes.at("batch").integer() * workload.accumulate, 4);
    }
    EXPECT_EQ(axisOf(PlanSpace(trial, {.kept = {"batch"}}), "batch").settings.size(), 1U);
}

TEST(PlanSpaceTest, inInferenceNothingIsCheckpointedOrAccumulated)
{
    const PlanSpace space(
        trialWith({}, {{"step", config::Value("inference")}, {"batch", config::Value(std::int64_t{2})}}), {});
    EXPECT_EQ(settingsOf(space, "checkpointing"), std::vector<std::string>{""});
    EXPECT_EQ(axisOf(space, "batch").settings.size(), 1U);
    EXPECT_THAT(settingsOf(space, "split_ffn"), Contains("2"));
    EXPECT_THAT(settingsOf(space, "split_ffn"), Not(Contains("2:recompute")));
}

// Every pair of settings that is not excluded makes a trial that can work.
TEST(PlanSpaceTest, everyTrialCanWork)
{
    for (const auto& [model, trainable] : {std::pair("ltx-video-tiny", "lora:4"), std::pair("llama-tiny", "all"),
             std::pair("flux-tiny", "lora:2"), std::pair("ffn-stack-tiny", "all")}) {
        const PlanSpace space(trialWith({{"trainable", trainable}}, {}, model), {});
        const PlanAxes& axes = space.axes();
        for (std::size_t a = 0; a < axes.axes.size(); ++a)
            for (std::size_t i = 0; i < axes.axes[a].settings.size(); ++i) {
                PlanPoint point = axes.start();
                point[a] = i;
                const config::Trial trial = space.trialOf(point);
                EXPECT_TRUE(config::problemsOf(trial).empty()) << model << ' ' << axes.axes[a].key << ' ' << i;
                EXPECT_EQ(axes.changesOf(point).empty(), trial == space.trialOf(axes.start()));
            }
    }
}

TEST(PlanSpaceTest, anOrderIsTransitiveAndOfSettingsThatAreThere)
{
    const PlanSpace space(trialWith({{"trainable", "lora:4"}}), {.forbidden = {{"checkpointing", {"every:2"}}}});
    for (const PlanAxis& axis : space.axes().axes)
        for (const SettingOrder* order : {&axis.memory, &axis.time})
            for (std::size_t a = 0; a < axis.settings.size(); ++a) {
                EXPECT_TRUE(order->holds(a, a));
                EXPECT_LT(axis.start, axis.settings.size());
            }
}

TEST(PlanSpaceTest, aBudgetTakesThePlaceOfAPolicy)
{
    PlanSpace space(trialWith({{"trainable", "lora:4"}}), {});
    ASSERT_TRUE(space.budgetAxis());
    const std::size_t axis = *space.budgetAxis();
    const std::size_t before = space.axes().axes[axis].settings.size();
    const auto policies = settingsOf(space, "checkpointing");
    PlanPoint point = space.axes().start();
    point[axis] = static_cast<std::size_t>(std::ranges::find(policies, "all+offload") - policies.begin());
    const PlanPoint budget = space.withBudget(point, 96LL << 20);
    EXPECT_EQ(space.trialOf(budget).configuration.techniques.at("checkpointing").notation, "budget:96MiB+offload");
    EXPECT_EQ(space.withBudget(point, 96LL << 20), budget) << "the same budget is the same setting";
    EXPECT_EQ(space.axes().axes[axis].settings.size(), before + 1);
    point[axis] = static_cast<std::size_t>(std::ranges::find(policies, "all") - policies.begin());
    EXPECT_EQ(space.trialOf(space.withBudget(point, 1LL << 30)).configuration.techniques.at("checkpointing").notation,
        "budget:1GiB");
}

TEST(PlanSpaceTest, rulesAndModelsMayAllowNoBudget)
{
    const config::Trial trial = trialWith({{"trainable", "lora:4"}});
    EXPECT_FALSE(PlanSpace(trial, {.kept = {"checkpointing"}}).budgetAxis());
    EXPECT_FALSE(PlanSpace(trial, {.forbidden = {{"checkpointing", {}}}}).budgetAxis());
    EXPECT_FALSE(PlanSpace(trial, {.forbidden = {{"checkpointing", {"ops", "budget"}}}}).budgetAxis());
    EXPECT_TRUE(PlanSpace(trial, {.forbidden = {{"checkpointing", {"all"}}}}).budgetAxis());
    EXPECT_FALSE(PlanSpace(trialWith({}, {{"step", config::Value("inference")}}), {}).budgetAxis());
}

TEST(PlanSpaceTest, refusesRulesThatCannotBeKept)
{
    const config::Trial trial = trialWith({{"trainable", "lora:4"}, {"ema", "device"}});
    expectRefused(trial, {.kept = {"chekpointing"}}, "did you mean \"checkpointing\"");
    expectRefused(trial, {.forbidden = {{"castings", {}}}}, "did you mean \"casting\"");
    expectRefused(trial, {.kept = {"casting"}, .forbidden = {{"casting", {}}}}, "in --keep and in --forbid");
    expectRefused(trial, {.forbidden = {{"trainable", {}}}}, "decides what is trained");
    expectRefused(trial, {.forbidden = {{"ema", {}}}}, "keeps an EMA");
    expectRefused(trial, {.forbidden = {{"casting", {"e9"}}}}, "e9");
    expectRefused(trial, {.forbidden = {{"casting.prefech", {}}}}, "did you mean \"prefetch\"");
    expectRefused(trial, {.forbidden = {{"casting.prefetch", {"maybe"}}}}, "true or false");
    expectRefused(trial, {.forbidden = {{"batch.size", {}}}}, "no options");
    expectRefused(trial, {.allowed = {{"optimizer", {}}}}, "without what it may become");
    expectRefused(trial, {.allowed = {{"optimizer.state_type", {"bfloat16"}}}}, "state_type");
    expectRefused(trial, {.kept = {"optimizer"}, .allowed = {{"optimizer", {"sgd"}}}}, "in --keep and in --allow");
}

TEST(PlanRulesTest, readsWords)
{
    EXPECT_THAT(rulesFrom({"offload", "checkpointing=ops,all", "casting=off,split_ffn"}, "--forbid"),
        testing::ElementsAre(testing::Pair("casting", testing::ElementsAre("off")),
            testing::Pair("checkpointing", testing::ElementsAre("ops", "all")),
            testing::Pair("offload", testing::IsEmpty()), testing::Pair("split_ffn", testing::IsEmpty())));
    EXPECT_THAT(rulesFrom({"checkpointing=ops,casting.prefetch", "casting.recompute_casts=true"}, "--forbid"),
        testing::ElementsAre(testing::Pair("casting.prefetch", testing::IsEmpty()),
            testing::Pair("casting.recompute_casts", testing::ElementsAre("true")),
            testing::Pair("checkpointing", testing::ElementsAre("ops"))));
    EXPECT_THROW(rulesFrom({"casting="}, "--keep"), UsageError);
    EXPECT_THROW(rulesFrom({"=off"}, "--keep"), UsageError);
}

} // namespace
} // namespace headroom::experiments::plan_space_test
