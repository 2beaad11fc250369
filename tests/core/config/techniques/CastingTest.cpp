// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/CastingDescriptor.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::config::casting_test {
namespace {

using Storage = CastingNotation::Storage;
using Granularity = CastingNotation::Granularity;
using testing::ElementsAre;
using testing::IsEmpty;

struct Tried {
    std::string model = "ltx-video-tiny";
    StepKind step = StepKind::Inference;
    std::string trainable{}; ///< empty: there is no such technique
};

std::vector<std::string> problemsOf(const std::string& notation, const ValueMap& options = {}, const Tried& tried = {})
{
    Configuration configuration = defaultConfiguration(tried.model, "test");
    configuration.workload.step = tried.step;
    configuration.techniques.erase("trainable");
    if (!tried.trainable.empty())
        configuration.techniques["trainable"] = {tried.trainable, {}};
    const TechniqueDescriptor casting = castingDescriptor();
    return casting.problems(makeSetting(casting, notation, options, "techniques.casting"),
        {*findModel(tried.model, "test").family, configuration.modelFields, configuration.workload,
            configuration.techniques});
}

std::vector<std::string> skipped(const std::string& notation, const ValueMap& options, const std::string& model)
{
    const TechniqueSetting setting = makeSetting(castingDescriptor(), notation, options, "techniques.casting");
    return castingSkipPatterns(
        parseCasting(notation, "w"), castingOptions(setting.options), *findModel(model, "w").family);
}

TEST(CastingTest, readsEveryFormAndWritesItBack)
{
    const std::pair<const char*, Storage> storages[]{
        {"e4m3", Storage::E4m3}, {"e5m2", Storage::E5m2}, {"bf16", Storage::BFloat16}, {"fp16", Storage::Float16}};
    const std::pair<const char*, Granularity> granularities[]{{":layer", Granularity::Layer},
        {":group", Granularity::Group}, {":block", Granularity::Block}, {":model", Granularity::Model}};
    for (const auto& [storage, storageKind] : storages)
        for (const auto& [granularity, granularityKind] : granularities) {
            const CastingNotation casting = parseCasting(storage + std::string(granularity), "w");
            EXPECT_EQ(casting, (CastingNotation{storageKind, granularityKind}));
            EXPECT_EQ(parseCasting(toText(casting), "w"), casting);
        }
    EXPECT_EQ(parseCasting("off", "w"), CastingNotation{});
    EXPECT_EQ(toText(CastingNotation{}), "off");
}

TEST(CastingTest, theDefaultGranularityIsDropped)
{
    EXPECT_EQ(castingDescriptor().normalise("e4m3:layer", "w"), "e4m3");
    EXPECT_EQ(castingDescriptor().normalise("e4m3", "w"), "e4m3");
    EXPECT_EQ(castingDescriptor().normalise("fp16:group", "w"), "fp16:group");
}

TEST(CastingTest, refusesWhatIsNoNotation)
{
    for (const char* text :
        {"", "on", "fp8", "e4m3:", "e4m3:all", ":layer", "off:layer", "e4m3:layer:block", "E4M3", "float16"})
        EXPECT_EQ(refusal([&] { parseCasting(text, "spec.toml:7: techniques.casting"); }),
            std::string("spec.toml:7: techniques.casting: found \"") + text
                + "\" (valid: off, or e4m3, e5m2, bf16, fp16, each by itself or with :layer, :group, :block, :model)");
}

TEST(CastingTest, refusesBadOptionsWithWhatWouldBeValid)
{
    const auto refused = [](const ValueMap& options) {
        return refusal([&] { makeSetting(castingDescriptor(), "e4m3", options, "techniques.casting"); });
    };
    EXPECT_EQ(refused({{"compute_dtype", "float8"}}),
        "techniques.casting.compute_dtype: found \"float8\" (valid: float32, bfloat16, float16)");
    EXPECT_EQ(refused({{"load", "later"}}), "techniques.casting.load: found \"later\" (valid: direct, move_then_cast)");
    EXPECT_EQ(refused({{"prefetch", 2}}), "techniques.casting.prefetch: found 2 (valid: true or false)");
    EXPECT_EQ(refused({{"skip_modules_pattern", "norm"}}),
        "techniques.casting.skip_modules_pattern: found \"norm\" (valid: a list of texts)");
    EXPECT_EQ(refused({{"skip_modules_classes", Value::List{1}}}),
        "techniques.casting.skip_modules_classes: found [1] (valid: a list of texts)");
}

TEST(CastingTest, aPatternThatIsNoRegularExpressionIsNamed)
{
    const std::string text =
        refusal([] { problemsOf("e4m3", {{"skip_modules_pattern", Value::List{"norm", "attn[1"}}}); });
    EXPECT_THAT(text, testing::StartsWith("techniques.casting.skip_modules_pattern: \"attn[1\" is no regular "));
    EXPECT_THAT(text,
        testing::EndsWith("(valid: ECMAScript regular expressions, searched in dotted paths such as "
                          "transformer_blocks.0.attn1.to_q)"));
}

TEST(CastingTest, optionsAreReadWithTheirDefaults)
{
    const CastingOptions defaults = castingOptions(makeSetting(castingDescriptor(), "e4m3", {}, "w").options);
    EXPECT_EQ(defaults.compute, std::nullopt);
    EXPECT_EQ(defaults.skipPatterns, std::nullopt);
    EXPECT_THAT(defaults.skipClasses, IsEmpty());
    EXPECT_FALSE(defaults.prefetch || defaults.recomputeCasts);
    EXPECT_EQ(defaults.load, CastingOptions::Load::Direct);
    const CastingOptions given =
        castingOptions({{"compute_dtype", "bfloat16"}, {"skip_modules_pattern", Value::List{"a"}}, {"prefetch", true},
            {"skip_modules_classes", Value::List{"Linear"}}, {"recompute_casts", true}, {"load", "move_then_cast"}});
    EXPECT_EQ(given.compute, Dtype::BFloat16);
    EXPECT_EQ(given.skipPatterns, std::vector<std::string>{"a"});
    EXPECT_THAT(given.skipClasses, ElementsAre("Linear"));
    EXPECT_TRUE(given.prefetch && given.recomputeCasts);
    EXPECT_EQ(given.load, CastingOptions::Load::MoveThenCast);
}

// Upstream: the user's patterns or the general ones, the class's own on top of either; adapters with the general ones.
TEST(CastingTest, leavesOutTheGeneralPatternsOrThoseGivenAndTheFamilys)
{
    EXPECT_THAT(skipped("e4m3", {}, "ltx-video-tiny"),
        ElementsAre("pos_embed", "patch_embed", "norm", "^proj_in$", "^proj_out$", "lora_A", "lora_B"));
    EXPECT_THAT(
        skipped("e4m3", {{"skip_modules_pattern", Value::List{"zzz"}}}, "ltx-video-tiny"), ElementsAre("zzz", "norm"));
    EXPECT_THAT(skipped("e4m3", {{"skip_modules_pattern", Value::List{"zzz"}}}, "ffn-stack-tiny"), ElementsAre("zzz"));
    EXPECT_THAT(skipped("e4m3:model", {}, "ltx-video-tiny"), IsEmpty());
    EXPECT_THAT(
        skipped("e4m3:model", {{"skip_modules_pattern", Value::List{"zzz"}}}, "ltx-video-tiny"), ElementsAre("zzz"));
}

TEST(CastingTest, trainingNeedsAFrozenBase)
{
    const std::string reason =
        "casting = e4m3 with step = train needs a frozen base: no optimizer can update weights that are stored in "
        "another type than their gradients (valid: trainable = lora:R, or step = inference)";
    EXPECT_THAT(problemsOf("e4m3", {}, {.step = StepKind::Train}), ElementsAre(reason));
    EXPECT_THAT(problemsOf("e4m3", {}, {.step = StepKind::Train, .trainable = "all"}), ElementsAre(reason));
    EXPECT_THAT(problemsOf("bf16:model", {}, {.step = StepKind::ForwardBackward}), testing::SizeIs(1));
    EXPECT_THAT(problemsOf("e4m3", {}, {.step = StepKind::Train, .trainable = "lora:4"}), IsEmpty());
    EXPECT_THAT(problemsOf("e4m3", {}, {.trainable = "all"}), IsEmpty());
    EXPECT_THAT(problemsOf("off", {}, {.step = StepKind::Train}), IsEmpty());
}

TEST(CastingTest, prefetchNeedsANextUnit)
{
    EXPECT_THAT(problemsOf("e4m3:model", {{"prefetch", true}}),
        ElementsAre("casting: prefetch has nothing to upcast ahead where the whole model is one unit (valid: prefetch "
                    "= false, or casting by layer, group or block)"));
    for (const char* notation : {"e4m3", "e4m3:group", "e4m3:block"})
        EXPECT_THAT(problemsOf(notation, {{"prefetch", true}}), IsEmpty());
}

TEST(CastingTest, blocksHaveToBeThere)
{
    ModelFamily family = *findModel("ffn-stack-tiny", "w").family;
    family.blocks = [](const ValueMap&) { return 0; };
    const Configuration configuration = defaultConfiguration("ffn-stack-tiny", "w");
    const auto problems = [&](const char* notation) {
        return castingDescriptor().problems(
            {notation, {}}, {family, configuration.modelFields, configuration.workload, configuration.techniques});
    };
    EXPECT_THAT(problems("e4m3:block"),
        ElementsAre("casting = e4m3:block: ffn-stack has no blocks (valid: casting by layer, group or model)"));
    EXPECT_THAT(problems("e4m3"), IsEmpty());
    EXPECT_THAT(problems("e4m3:group"), IsEmpty());
    family.hasCastGroups = [](const ValueMap&) { return false; };
    EXPECT_THAT(problems("e4m3:group"),
        ElementsAre("casting = e4m3:group: no feed-forward or embedding of time steps of ffn-stack is a module of its "
                    "own (valid: casting by layer, block or model)"));
}

TEST(CastingTest, offersWhatIsSmallerThanTheWorkloadsType)
{
    const auto candidates = [](StepKind step, Dtype dtype, const std::string& trainable) {
        Configuration configuration = defaultConfiguration("ltx-video-tiny", "w");
        configuration.workload.step = step;
        configuration.workload.dtype = dtype;
        configuration.techniques["trainable"] = {trainable, {}};
        return castingDescriptor().candidateNotations({*findModel("ltx-video-tiny", "w").family,
            configuration.modelFields, configuration.workload, configuration.techniques});
    };
    EXPECT_THAT(candidates(StepKind::Inference, Dtype::Float32, "all"), ElementsAre("bf16", "e4m3"));
    EXPECT_THAT(candidates(StepKind::Inference, Dtype::BFloat16, "all"), ElementsAre("e4m3"));
    EXPECT_THAT(candidates(StepKind::Train, Dtype::BFloat16, "lora:4"), ElementsAre("e4m3"));
    EXPECT_THAT(candidates(StepKind::Train, Dtype::BFloat16, "all"), IsEmpty());
}

TEST(CastingTest, countsWhatTheContractNames)
{
    std::vector<std::string> names;
    for (const CounterDescriptor& counter : castingDescriptor().counters)
        names.push_back(counter.name);
    EXPECT_THAT(
        names, ElementsAre("layers_cast", "stored_bytes", "casts", "cast_bytes", "stream_syncs", "values_clipped"));
}

} // namespace
} // namespace headroom::config::casting_test
