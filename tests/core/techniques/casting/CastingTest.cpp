// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/casting/Casting.h"

#include "core/config/models/WanFamily.h"
#include "core/memory/CpuMemory.h"
#include "core/memory/MetaMemory.h"
#include "core/techniques/stack/TechniqueStack.h"
#include "tests/core/memory/RecordingBackend.h"
#include "tests/core/techniques/casting/CastModels.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace headroom::techniques::casting_test {
namespace {

using Value = config::Value;

config::Configuration configurationOf(const std::string& model, const std::string& notation,
    const config::ValueMap& options = {}, const config::ValueMap& fields = {})
{
    config::Configuration configuration = config::defaultConfiguration(model, "");
    configuration.modelFields = config::findModel(model, "").fields.complete(fields, "model");
    configuration.techniques["casting"] =
        config::makeSetting(config::findTechnique("casting", ""), notation, options, "techniques.casting");
    return configuration;
}

/// A model as its techniques keep it, from a fixed random state.
struct Loaded {
    explicit Loaded(const config::Configuration& configuration, c10::Device device = testDevice())
        : techniques(configuration)
    {
        at::manual_seed(11);
        model = techniques.load(at::TensorOptions().dtype(tensorType(configuration)).device(device));
        techniques.apply(*model);
        techniques.hooks().beginStep();
    }

    static c10::ScalarType tensorType(const config::Configuration& configuration)
    {
        switch (configuration.workload.dtype) {
        case config::Dtype::Float64:
            return at::kDouble;
        case config::Dtype::BFloat16:
            return at::kBFloat16;
        case config::Dtype::Float16:
            return at::kHalf;
        case config::Dtype::Float32:
            break;
        }
        return at::kFloat;
    }

    at::Tensor output(const models::Inputs& given)
    {
        const torch::NoGradGuard noGradients;
        models::Inputs inputs = given;
        techniques.hooks().prepareInputs(inputs);
        return model->forward(inputs);
    }
    std::int64_t counter(const std::string& name) { return techniques.counters().at("casting").at(name); }

    TechniqueStack techniques;
    std::shared_ptr<models::Model> model;
};

models::Inputs inputsOf(const config::Configuration& configuration)
{
    at::manual_seed(12);
    return models::makeInputs(configuration, onTestDevice(Loaded::tensorType(configuration)));
}

TEST(CastingTest, theFullModelStoresWhatTheReferenceCounts)
{
    config::Configuration configuration = configurationOf("ltx-video-2b", "e4m3");
    configuration.workload.dtype = config::Dtype::BFloat16;
    Loaded loaded(configuration, at::kMeta);
    EXPECT_EQ(loaded.counter("stored_bytes"), 1922281472);
    EXPECT_EQ(loaded.counter("layers_cast"), 285);
    EXPECT_EQ(tensorsOf(*loaded.model, at::kFloat8_e4m3fn), 570U);
    EXPECT_EQ(tensorsOf(*loaded.model, at::kBFloat16), 145U);
    EXPECT_EQ(models::parameterBytes(*loaded.model), 1922281472 + 2 * 1104000);
    EXPECT_NEAR(static_cast<double>(models::parameterBytes(*loaded.model)) / (1 << 30), 1.792, 0.0005);
}

// The reference counts a model that is in bfloat16 as a whole.
TEST(CastingTest, ofWanItStoresWhatTheReferenceCounts)
{
    config::Configuration configuration =
        configurationOf("wan-2.1-1.3b", "e4m3", {}, {{"keep_in_fp32_modules", false}});
    configuration.workload.dtype = config::Dtype::BFloat16;
    Loaded loaded(configuration, at::kMeta);
    EXPECT_EQ(loaded.counter("stored_bytes"), 1392668160);
    EXPECT_EQ(loaded.counter("layers_cast"), 300);
    EXPECT_EQ(tensorsOf(*loaded.model, at::kFloat8_e4m3fn), 600U);
    EXPECT_EQ(tensorsOf(*loaded.model, at::kBFloat16), 225U);
    EXPECT_EQ(models::parameterBytes(*loaded.model), 1392668160 + 2 * 26328640);
    EXPECT_NEAR(static_cast<double>(models::parameterBytes(*loaded.model)) / (1 << 30), 1.346, 0.0005);
}

// As upstream loads it: what stays in float32 is left alone by casting, and takes two more bytes a number.
TEST(CastingTest, ofWanItLeavesWhatStaysInFloat32)
{
    config::Configuration configuration = configurationOf("wan-2.1-1.3b", "e4m3");
    configuration.workload.dtype = config::Dtype::BFloat16;
    Loaded loaded(configuration, at::kMeta);
    const std::int64_t kept = config::wanParametersInFloat32(configuration.modelFields);
    EXPECT_EQ(loaded.counter("stored_bytes"), 1392668160);
    EXPECT_EQ(models::parameterBytes(*loaded.model), 1392668160 + 2 * 26328640 + 2 * kept);
}

struct Level {
    std::string notation;
    std::int64_t layers;
    std::int64_t casts;
};

// Two blocks with eight attention Linears and two of the feed-forward; time embedding with three, text with two; the
// middle level takes the feed-forwards, one time-step embedding and the text projection.
TEST(CastingTest, levelsTakeWhatTheyShould)
{
    requireValues();
    for (const Level& level :
        {Level{"e4m3", 25, 50}, {"e4m3:block", 25, 50}, {"e4m3:group", 8, 16}, {"e4m3:model", 38, 65}}) {
        const config::Configuration configuration = configurationOf("ltx-video-tiny", level.notation);
        Loaded loaded(configuration);
        EXPECT_EQ(loaded.counter("casts"), 0);
        loaded.output(inputsOf(configuration));
        EXPECT_EQ(loaded.counter("layers_cast"), level.layers) << level.notation;
        EXPECT_EQ(loaded.counter("casts"), level.casts) << level.notation;
        EXPECT_EQ(loaded.counter("cast_bytes"), 4 * loaded.counter("stored_bytes")) << level.notation;
        EXPECT_EQ(static_cast<std::int64_t>(tensorsOf(*loaded.model, at::kFloat8_e4m3fn)), level.casts);
        loaded.techniques.hooks().beginStep();
        EXPECT_EQ(loaded.counter("casts"), 0);
        EXPECT_EQ(loaded.counter("layers_cast"), level.layers);
    }
}

// Weights are drawn in the workload's type and rounded: the same model as one whose weights were rounded beforehand,
// bit by bit.
void expectRoundedWeights(const std::string& model, const std::string& notation)
{
    for (const auto dtype : {config::Dtype::Float64, config::Dtype::Float32, config::Dtype::BFloat16}) {
        config::Configuration configuration = configurationOf(model, notation);
        configuration.workload.dtype = dtype;
        const models::Inputs inputs = inputsOf(configuration);
        Loaded loaded(configuration);
        Loaded plain(config::baselineOf(configuration));
        const torch::NoGradGuard noGradients;
        auto rounded = loaded.model->parameters();
        auto parameters = plain.model->parameters();
        for (std::size_t i = 0; i < parameters.size(); ++i)
            parameters[i].copy_(parameters[i].to(rounded[i].scalar_type()).to(parameters[i].scalar_type()));
        EXPECT_TRUE(sameNumbers(loaded.output(inputs), plain.output(inputs))) << model << " " << notation;
    }
}

TEST(CastingTest, computesAsThePlainModelWithRoundedWeights)
{
    requireValues();
    for (const char* notation : {"e4m3", "e5m2:group", "bf16:block", "fp16:model"})
        expectRoundedWeights("ltx-video-tiny", notation);
}

// By what upstream leaves alone the convolution and all that stays in float32 are no part of it.
TEST(CastingTest, ofWanComputesAsThePlainModelWithRoundedWeights)
{
    requireValues();
    for (const char* notation : {"e4m3", "e5m2:group", "bf16:block"})
        expectRoundedWeights("wan-tiny", notation);
}

// Convolution, norms, tables and rotary tables too: outputs are close to those of the plain model, as far as eleven
// digits go.
TEST(CastingTest, ofWanTheWholeModelIsUpcastAtOnce)
{
    requireValues();
    const config::Configuration configuration = configurationOf("wan-tiny", "fp16:model");
    const models::Inputs inputs = inputsOf(configuration);
    Loaded loaded(configuration);
    Loaded plain(config::baselineOf(configuration));
    EXPECT_EQ(tensorsOf(*loaded.model, at::kHalf), loaded.model->parameters().size());
    const at::Tensor expected = plain.output(inputs);
    const double difference = (loaded.output(inputs) - expected).norm().item<double>();
    EXPECT_LE(difference, 5e-3 * expected.norm().item<double>());
    EXPECT_EQ(tensorsOf(*loaded.model, at::kHalf), loaded.model->parameters().size());
}

TEST(CastingTest, bothWaysToLoadGiveTheSameModel)
{
    const auto load = [](const char* order) {
        return Loaded(configurationOf("ltx-video-tiny", "e4m3", {{"load", order}}));
    };
    const Loaded direct = load("direct"), moved = load("move_then_cast");
    const auto parameters = direct.model->parameters(), others = moved.model->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        ASSERT_EQ(parameters[i].scalar_type(), others[i].scalar_type());
        EXPECT_TRUE(sameNumbers(parameters[i].to(at::kFloat), others[i].to(at::kFloat)));
    }
    EXPECT_EQ(direct.techniques.counters(), moved.techniques.counters());
}

struct LoadPeak {
    Bytes peak;
    Bytes resting;
};

template <typename Memory> LoadPeak loadPeak(const config::Configuration& configuration, c10::Device device)
{
    const auto backend = std::make_shared<tensor::RecordingBackend>();
    const Memory accounting(backend);
    const Loaded loaded(configuration, device);
    return {backend->peakBytes(), backend->liveBytes()};
}

Bytes largestModuleBytes(const config::Configuration& configuration)
{
    Bytes largest = 0;
    const auto model = models::buildModel(configuration, at::TensorOptions().device(at::kMeta));
    for (const auto& module : model->modules())
        if (module->children().empty())
            largest = std::max(largest, models::parameterBytes(*module));
    return largest;
}

// Directly: what is stored, and one layer as it is made. The other way round: the whole model as it is made.
TEST(CastingTest, theLoadPeakIsStorageAndOneLayer)
{
    for (const char* notation : {"e4m3", "e5m2:model", "bf16:group"}) {
        const auto peaks = [&](const char* order) {
            const config::Configuration configuration = configurationOf("ltx-video-tiny", notation, {{"load", order}});
            const LoadPeak real = loadPeak<tensor::CpuMemory>(configuration, at::kCPU);
            const LoadPeak simulated = loadPeak<tensor::MetaMemory>(configuration, at::kMeta);
            EXPECT_EQ(real.peak, simulated.peak) << notation << " " << order;
            EXPECT_EQ(real.resting, simulated.resting) << notation << " " << order;
            return real;
        };
        const config::Configuration configuration = configurationOf("ltx-video-tiny", notation);
        const LoadPeak direct = peaks("direct"), moved = peaks("move_then_cast");
        EXPECT_EQ(direct.resting, moved.resting);
        EXPECT_LE(direct.peak, direct.resting + largestModuleBytes(configuration)) << notation;
        EXPECT_GE(moved.peak, 15604 * 4) << notation;
        EXPECT_LT(direct.peak, moved.peak) << notation;
    }
}

TEST(CastingTest, theLoadPeakOfTheFullModelIsStorageAndOneLayer)
{
    config::Configuration configuration = configurationOf("ltx-video-2b", "e4m3");
    configuration.workload.dtype = config::Dtype::BFloat16;
    const LoadPeak peak = loadPeak<tensor::MetaMemory>(configuration, at::kMeta);
    const Bytes stored = 1922281472 + 2 * 1104000;
    const Bytes largest = (2048 + 1) * 12288 * 2; // time_embed.linear
    EXPECT_EQ(peak.resting, stored);
    EXPECT_LE(peak.peak, stored + largest);
}

TEST(CastingTest, clippedValuesAreCountedAndSaid)
{
    requireValues();
    config::Configuration configuration = configurationOf("ffn-stack-tiny", "e4m3", {{"load", "move_then_cast"}});
    TechniqueStack techniques(configuration);
    const auto model = models::buildModel(configuration, onTestDevice(at::kFloat));
    {
        const torch::NoGradGuard noGradients;
        model->parameters()[0].flatten().narrow(0, 0, 3).fill_(1e4);
    }
    techniques.apply(*model);
    techniques.hooks().beginStep();
    EXPECT_EQ(techniques.counters().at("casting").at("values_clipped"), 3);
    EXPECT_EQ(techniques.effective().at("casting"),
        "4 layers stored as Float8_e4m3fn, upcast to Float layer by layer; 3 values clipped");
}

TEST(CastingTest, saysWhatItReallyDoes)
{
    const auto effective = [](const char* notation, const config::ValueMap& options) {
        return Loaded(configurationOf("ltx-video-tiny", notation, options)).techniques.effective().at("casting");
    };
    EXPECT_EQ(effective("off", {}), "off");
    EXPECT_EQ(effective("e5m2:group", {{"compute_dtype", "bfloat16"}}),
        "8 layers stored as Float8_e5m2, upcast to BFloat16 group by group");
    EXPECT_EQ(effective("fp16:block", {{"prefetch", true}}),
        "25 layers stored as Half, upcast to Float block by block, the next ones ahead");
}

TEST(CastingTest, refusesAModelInWhichItFindsNothingToCast)
{
    const auto message = [](const char* notation, const config::ValueMap& options) {
        return refusal([&] { Loaded(configurationOf("ltx-video-tiny", notation, options)); });
    };
    EXPECT_EQ(message("e4m3", {{"skip_modules_classes", Value::List{"Linear"}}}),
        "techniques.casting: finds no weights to cast: there is no Linear, convolution or embedding that no pattern "
        "skips (valid: another granularity, other patterns, off)");
    const Value::List groups{"FeedForward", "TimestepEmbedding", "TextProjection"};
    EXPECT_EQ(message("e4m3:group", {{"skip_modules_classes", groups}}),
        "techniques.casting: finds no weights to cast: no feed-forward or embedding of time steps is a module of its "
        "own (valid: another granularity, other patterns, off)");
}

// There are weights to cast, so it is not refused; but each of them takes a gradient in its own type.
TEST(CastingTest, leavesWeightsThatAreTrainedAsTheyAre)
{
    config::Configuration configuration = configurationOf("ltx-video-tiny", "e4m3");
    configuration.workload.step = config::StepKind::Train;
    Casting casting(configuration.techniques.at("casting"), configuration);
    const auto model = models::buildModel(configuration, onTestDevice(at::kFloat));
    casting.apply(*model);
    EXPECT_EQ(casting.effective(), "nothing cast");
    EXPECT_EQ(casting.counters().at("layers_cast"), 0);
    for (const at::Tensor& parameter : model->parameters())
        EXPECT_EQ(parameter.scalar_type(), at::kFloat);
}

TEST(CastingTest, classesAndPatternsThatAreLeftOut)
{
    const auto layers = [](const char* notation, const config::ValueMap& options) {
        return Loaded(configurationOf("ltx-video-tiny", notation, options)).counter("layers_cast");
    };
    EXPECT_EQ(layers("e4m3", {{"skip_modules_classes", Value::List{"FeedForward"}}}), 21);
    EXPECT_EQ(layers("e4m3", {{"skip_modules_classes", Value::List{"FeedForward", "Attention"}}}), 5);
    EXPECT_EQ(layers("e4m3", {{"skip_modules_pattern", Value::List{"to_[qk]$"}}}), 27 - 8);
    EXPECT_EQ(layers("e4m3:model", {{"skip_modules_pattern", Value::List{"norm"}}}), 30);
    EXPECT_EQ(layers("e4m3:group", {{"skip_modules_classes", Value::List{"FeedForward"}}}), 4);
}

TEST(CastingTest, storingInTheTypeThatIsComputedWithChangesNothing)
{
    requireValues();
    config::Configuration configuration = configurationOf("ltx-video-tiny", "bf16");
    configuration.workload.dtype = config::Dtype::BFloat16;
    Loaded loaded(configuration);
    loaded.output(inputsOf(configuration));
    EXPECT_EQ(loaded.counter("layers_cast"), 0);
    EXPECT_EQ(loaded.counter("stored_bytes"), 0);
    EXPECT_EQ(loaded.counter("casts"), 0);
}

TEST(CastingTest, prefetchingComputesTheSameAndSynchronises)
{
    requireValues();
    for (const char* notation : {"e4m3", "e4m3:group", "e4m3:block"}) {
        const config::Configuration configuration = configurationOf("ltx-video-tiny", notation, {{"prefetch", true}});
        const models::Inputs inputs = inputsOf(configuration);
        Loaded plain(configurationOf("ltx-video-tiny", notation)), ahead(configuration);
        const at::Tensor expected = plain.output(inputs);
        for (int step = 0; step < 5; ++step) {
            ahead.techniques.hooks().beginStep();
            EXPECT_TRUE(sameNumbers(ahead.output(inputs), expected)) << notation;
        }
        EXPECT_EQ(ahead.counter("casts"), plain.counter("casts")) << notation;
        EXPECT_GT(ahead.counter("stream_syncs"), 0) << notation;
        EXPECT_EQ(plain.counter("stream_syncs"), 0) << notation;
    }
}

} // namespace
} // namespace headroom::techniques::casting_test
