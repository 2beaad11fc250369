// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/EmaDescriptor.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "tests/core/config/Refusal.h"

namespace headroom::config::ema_test {
namespace {

const char* const kPlacements[]{"off", "device", "host", "host:async", "host:cpu"};

TechniqueSetting settingOf(const std::string& notation, const ValueMap& options = {})
{
    return makeSetting(emaDescriptor(), notation, options, "techniques.ema");
}

std::vector<std::string> problemsOf(const TechniqueSetting& setting, StepKind step = StepKind::Train)
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "w");
    configuration.workload.step = step;
    configuration.techniques["ema"] = setting;
    return conflicts(configuration);
}

std::string onlyProblem(const std::string& notation, const ValueMap& options)
{
    const auto problems = problemsOf(settingOf(notation, options));
    EXPECT_EQ(problems.size(), 1U);
    return problems.empty() ? "" : problems.front();
}

// models-and-techniques.md, section 6.2: nine digits.
TEST(EmaScheduleTest, theDecayIsTheReferencesWithDefaults)
{
    const std::pair<std::int64_t, double> expected[]{{1, 0}, {2, 0.181818182}, {3, 0.25}, {10, 0.526315789},
        {100, 0.917431193}, {1000, 0.991080278}, {10000, 0.999100809}, {89990, 0.999899999}, {89991, 0.9999},
        {100000, 0.9999}, {1000000, 0.9999}};
    for (const auto& [update, decay] : expected)
        EXPECT_NEAR(EmaSchedule{}.decayAt(update), decay, 5e-10) << update;
}

TEST(EmaScheduleTest, theDecayIsTheReferencesWithWarmUp)
{
    const EmaSchedule schedule{.useWarmup = true};
    const std::pair<std::int64_t, double> expected[]{{1, 0}, {2, 0.370039475}, {3, 0.519250143}, {10, 0.784556531},
        {100, 0.953584112}, {1000, 0.99}, {10000, 0.997845565}, {100000, 0.999535841}, {1000000, 0.9999}};
    for (const auto& [update, decay] : expected)
        EXPECT_NEAR(schedule.decayAt(update), decay, 5e-10) << update;
}

TEST(EmaScheduleTest, theDecayIsTheReferencesWithEveryParameter)
{
    const EmaSchedule schedule{
        .decay = 0.99, .minDecay = 0.3, .updateAfterStep = 5, .useWarmup = true, .invGamma = 2, .power = 0.75};
    const std::pair<std::int64_t, double> expected[]{
        {1, 0}, {5, 0}, {6, 0}, {7, 0.3}, {8, 0.405396442}, {20, 0.789775896}, {100, 0.945163583}, {1000, 0.99}};
    for (const auto& [update, decay] : expected)
        EXPECT_NEAR(schedule.decayAt(update), decay, 5e-10) << update;
}

// The class notes' rule of thumb.
TEST(EmaScheduleTest, powersReachADecayWhenUpstreamSays)
{
    const EmaSchedule slow{.decay = 1, .useWarmup = true}, fast{.decay = 1, .useWarmup = true, .power = 0.75};
    EXPECT_NEAR(slow.decayAt(31600), 0.999, 1e-6);
    EXPECT_NEAR(slow.decayAt(1000000), 0.9999, 1e-7);
    EXPECT_NEAR(fast.decayAt(10000), 0.999, 1e-6);
    EXPECT_NEAR(fast.decayAt(215400), 0.9999, 1e-7);
}

TEST(EmaTest, whatItReadsItWritesTheSame)
{
    for (const char* notation : kPlacements)
        EXPECT_EQ(toText(parseEmaPlacement(notation, "w")), notation);
    std::vector<std::string> forms;
    for (const NotationForm& form : emaDescriptor().forms)
        forms.push_back(form.form);
    EXPECT_EQ(forms, std::vector<std::string>(std::begin(kPlacements), std::end(kPlacements)));
}

TEST(EmaTest, refusesWhatIsNoNotation)
{
    for (const char* text : {"", "on", "cpu", "host:", "host:gpu", "device:async", "HOST", "host:async:cpu", "host "})
        EXPECT_EQ(refusal([&] { parseEmaPlacement(text, "spec.toml:7: techniques.ema"); }),
            std::string("spec.toml:7: techniques.ema: found \"") + text
                + "\" (valid: off, device, host (to the device and back as a whole), host:async (in slices on side "
                  "streams), host:cpu)");
}

TEST(EmaTest, optionsOutOfTheirRangeAreRefusedBeforeAnythingRuns)
{
    const std::tuple<const char*, Value, const char*> cases[]{
        {"decay", 1.5, "found 1.5 (valid: a number of at least 0.0 and at most 1.0)"},
        {"decay", -0.1, "found -0.1 (valid: a number of at least 0.0 and at most 1.0)"},
        {"min_decay", 2, "found 2 (valid: a number of at least 0.0 and at most 1.0)"},
        {"update_after_step", -1, "found -1 (valid: an integer of at least 0 and at most 1000000000000000)"},
        {"interval", -3, "found -3 (valid: an integer of at least 1 and at most 1000000000000000)"},
        {"interval", 0, "found 0 (valid: an integer of at least 1 and at most 1000000000000000)"},
        {"inv_gamma", 0, "found 0 (valid: a number of at least 1e-06)"},
        {"power", -1, "found -1 (valid: a number of at least 0.0)"},
        {"slice_bytes", 100, "found 100 (valid: an integer of at least 4096 and at most 1000000000000000)"},
        {"use_ema_warmup", "yes", "found \"yes\" (valid: true or false)"},
        {"mode", "fast", "found \"fast\" (valid: loop, foreach, foreach_no_temporary)"},
        {"parameters", "none", "found \"none\" (valid: all, trainable)"}};
    for (const auto& [name, value, message] : cases)
        EXPECT_EQ(refusal([&, option = std::string(name), given = value] { settingOf("device", {{option, given}}); }),
            std::string("techniques.ema.") + name + ": " + message);
}

TEST(EmaTest, optionsThatMeanNothingTogetherAreRefusedBeforeAnythingRuns)
{
    EXPECT_EQ(onlyProblem("device", {{"pinned", true}}),
        "techniques.ema.pinned: device memory is neither pinned nor pageable (valid: host, host:async, host:cpu)");
    EXPECT_EQ(onlyProblem("host:cpu", {{"blocking", true}}),
        "techniques.ema.blocking: host:cpu has no copies that may block or not (valid: host)");
    EXPECT_EQ(onlyProblem("host", {{"pinned", false}, {"blocking", false}}),
        "techniques.ema.blocking: a copy of pageable memory keeps the host waiting (valid: true, or pinned = true)");
    EXPECT_EQ(onlyProblem("host", {{"decays", Value::List{"0.5", "1.1"}}}),
        "techniques.ema.decays: found \"1.1\" (valid: numbers of at least 0 and at most 1, as texts)");
    EXPECT_EQ(onlyProblem("host", {{"decays", Value::List{"often"}}}),
        "techniques.ema.decays: found \"often\" (valid: numbers of at least 0 and at most 1, as texts)");
    EXPECT_EQ(onlyProblem("host", {{"decays", Value::List{"0.5"}}, {"decay", 0.3}}),
        "techniques.ema.decay: found it beside decays (valid: one of decay and decays)");
}

TEST(EmaTest, whereNothingIsTrainedThereIsNothingToFollow)
{
    for (const StepKind step : {StepKind::Inference, StepKind::ForwardBackward})
        EXPECT_EQ(problemsOf(settingOf("host"), step),
            std::vector<std::string>{
                "ema = host: a step of " + toText(step) + " does not train; it needs workload.step = train"});
    EXPECT_TRUE(problemsOf(settingOf("off"), StepKind::Inference).empty());
    for (const char* notation : kPlacements)
        EXPECT_TRUE(problemsOf(settingOf(notation)).empty()) << notation;
}

TEST(EmaTest, defaultsAreUpstreamsAndFitThePlacement)
{
    const EmaSettings device = emaSettings(settingOf("device"));
    EXPECT_EQ(device.schedules, std::vector<EmaSchedule>{EmaSchedule{}});
    EXPECT_EQ(device.schedules.front().decay, 0.9999);
    EXPECT_EQ(device.mode, EmaMode::Loop);
    EXPECT_EQ(device.parameters, EmaParameters::All);
    EXPECT_EQ(device.interval, 1);
    EXPECT_FALSE(device.pinned);
    const EmaSettings host = emaSettings(settingOf("host"));
    EXPECT_TRUE(host.pinned);
    EXPECT_FALSE(host.blocking);
    EXPECT_TRUE(emaSettings(settingOf("host", {{"pinned", false}})).blocking);
    EXPECT_TRUE(emaSettings(settingOf("host", {{"blocking", true}})).blocking);
    EXPECT_TRUE(emaSettings(settingOf("host:async")).pinned);
    EXPECT_EQ(emaSettings(settingOf("host:async")).sliceBytes, 64 * kMiB);
    EXPECT_FALSE(emaSettings(settingOf("host:cpu")).pinned);
    EXPECT_EQ(emaSettings({"device", {}}).schedules.size(), 1U);
}

TEST(EmaTest, everyOptionArrives)
{
    const EmaSettings settings = emaSettings(settingOf("host:async",
        {{"decays", Value::List{"0.5", "1"}}, {"min_decay", 0.1}, {"update_after_step", 3}, {"use_ema_warmup", true},
            {"inv_gamma", 2}, {"power", 0.75}, {"mode", "foreach"}, {"parameters", "trainable"}, {"pinned", false},
            {"interval", 7}, {"slice_bytes", 8192}}));
    const EmaSchedule first{
        .decay = 0.5, .minDecay = 0.1, .updateAfterStep = 3, .useWarmup = true, .invGamma = 2, .power = 0.75};
    EmaSchedule second = first;
    second.decay = 1;
    EXPECT_EQ(settings.schedules, (std::vector<EmaSchedule>{first, second}));
    EXPECT_EQ(settings.mode, EmaMode::Foreach);
    EXPECT_EQ(settings.parameters, EmaParameters::Trainable);
    EXPECT_FALSE(settings.pinned);
    EXPECT_EQ(settings.interval, 7);
    EXPECT_EQ(settings.sliceBytes, 8192);
}

TEST(EmaTest, countsWhatTheContractNames)
{
    std::vector<std::string> names;
    for (const CounterDescriptor& counter : emaDescriptor().counters)
        names.push_back(counter.name);
    EXPECT_EQ(names, (std::vector<std::string>{"updates", "bytes_to_host", "bytes_to_device", "pinned_allocations"}));
}

// A shadow that is there can be moved; one that is not wanted is not offered.
TEST(EmaTest, offersPlacesThatTakeLessOfTheDevice)
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "w");
    const ModelDescriptor model = findModel("ffn-stack-tiny", "w");
    const auto offered = [&](const char* notation) {
        configuration.techniques["ema"] = settingOf(notation);
        return emaDescriptor().candidateNotations(
            {*model.family, configuration.modelFields, configuration.workload, configuration.techniques});
    };
    EXPECT_TRUE(offered("off").empty());
    EXPECT_EQ(offered("device"), (std::vector<std::string>{"host:async", "host:cpu"}));
    EXPECT_EQ(offered("host"), (std::vector<std::string>{"host:async", "host:cpu"}));
    EXPECT_EQ(offered("host:async"), std::vector<std::string>{"host:cpu"});
    EXPECT_TRUE(offered("host:cpu").empty());
}

TEST(EmaTest, stepsRepeatWithItsInterval)
{
    EXPECT_EQ(emaDescriptor().period(settingOf("off")).steps, 1);
    EXPECT_EQ(emaDescriptor().period(settingOf("device")).steps, 1);
    EXPECT_EQ(emaDescriptor().period(settingOf("device", {{"interval", 10}})).steps, 10);
}

} // namespace
} // namespace headroom::config::ema_test
