// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/offload/Offload.h"

#include "core/memory/CpuMemory.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/layers/Linear.h"
#include "tests/core/memory/HostRecordingBackend.h"
#include "tests/core/techniques/offload/OffloadedRun.h"
#include "tests/support/Refusal.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

namespace headroom::techniques::offload_test {
namespace {

const char* const kNotations[]{"block:1", "block:2", "leaf", "model", "block:1+stream", "leaf+stream", "model+stream"};

const config::ValueMap kStackFields{{"num_layers", 4}, {"dim", 8}};

OffloadedRun stackRun(const Notations& techniques)
{
    return OffloadedRun(offloadedConfiguration("ffn-stack-tiny", kStackFields, techniques), at::kFloat);
}

// Bytes of the weights that a backward pass needs: matrices, but for the first, whose input needs no gradient.
Bytes matrixBytesOfBackward(const torch::nn::Module& model)
{
    std::vector<Bytes> matrices;
    for (const at::Tensor& parameter : model.parameters())
        if (parameter.dim() == 2)
            matrices.push_back(static_cast<Bytes>(parameter.nbytes()));
    Bytes sum = 0;
    for (std::size_t i = 1; i < matrices.size(); ++i)
        sum += matrices[i];
    return sum;
}

TEST(OffloadTest, weightsRestOnTheHostBeforeAndAfterEachStep)
{
    requireCpu("of its allocator");
    for (const char* notation : kNotations) {
        const auto backend = std::make_shared<tensor::HostRecordingBackend>();
        const tensor::CpuMemory memory(backend);
        OffloadedRun run = stackRun({{"offload", notation}});
        const Bytes weights = models::parameterBytes(run.model());
        const bool isPinned = std::string(notation).ends_with("+stream");
        const Bytes others = backend->device.liveBytes();
        for (int step = 0; step < 3; ++step) {
            run.infer();
            EXPECT_EQ(backend->device.liveBytes(), others) << notation;
            EXPECT_EQ(backend->pinned.liveBytes(), isPinned ? weights : 0) << notation;
            EXPECT_EQ(backend->pageable.liveBytes(), isPinned ? 0 : weights) << notation;
        }
        EXPECT_EQ(models::parameterCount(run.model()) * 4, weights);
        EXPECT_LT(others, weights) << "the batch alone";
    }
}

TEST(OffloadTest, loadingTakesOneModuleOfTheDevice)
{
    requireCpu("of its allocator");
    const auto backend = std::make_shared<tensor::HostRecordingBackend>();
    const tensor::CpuMemory memory(backend);
    const config::Configuration configuration =
        offloadedConfiguration("ffn-stack-tiny", kStackFields, {{"offload", "leaf"}});
    TechniqueStack stack(configuration);
    const auto model = stack.load(onTestDevice(at::kFloat));
    Bytes largest = 0;
    for (const auto& module : model->modules())
        if (module->children().empty())
            largest = std::max(largest, models::parameterBytes(*module));
    EXPECT_LE(backend->device.peakBytes(), largest + 64) << "and a few numbers of the initialisation";
    EXPECT_EQ(backend->device.liveBytes(), 0);
    EXPECT_EQ(backend->pageable.liveBytes(), models::parameterBytes(*model));
}

TEST(OffloadTest, aPlainModelsWeightsMoveWhenItIsApplied)
{
    requireCpu("of its allocator");
    const auto backend = std::make_shared<tensor::HostRecordingBackend>();
    const tensor::CpuMemory memory(backend);
    const config::Configuration configuration =
        offloadedConfiguration("ffn-stack-tiny", kStackFields, {{"offload", "block:2"}});
    const auto model = models::buildModel(configuration, onTestDevice(at::kFloat));
    EXPECT_EQ(backend->device.liveBytes(), models::parameterBytes(*model));
    TechniqueStack stack(configuration);
    stack.apply(*model);
    EXPECT_EQ(backend->device.liveBytes(), 0);
    EXPECT_EQ(backend->pageable.liveBytes(), models::parameterBytes(*model));
}

TEST(OffloadTest, inferenceCopiesEachWeightOnce)
{
    for (const char* notation : kNotations) {
        OffloadedRun run = stackRun({{"offload", notation}});
        for (int step = 0; step < 3; ++step) {
            run.infer();
            EXPECT_EQ(run.counter("bytes_to_device"), models::parameterBytes(run.model())) << notation;
            EXPECT_EQ(run.counter("bytes_to_host"), 0) << notation;
        }
    }
}

TEST(OffloadTest, groupsAreCounted)
{
    const std::map<std::string, std::int64_t> groups{
        {"off", 0}, {"block:1", 4}, {"block:3", 2}, {"leaf", 8}, {"model", 1}, {"leaf+stream", 8}};
    for (const auto& [notation, count] : groups)
        EXPECT_EQ(stackRun({{"offload", notation}}).counter("groups"), count) << notation;
}

// Each weight once for the forward, and once more for the products' backward and for the optimizer, which writes back.
TEST(OffloadTest, trainingCopiesWhatTheBackwardPassNeedsOnceMore)
{
    for (const char* notation : kNotations) {
        OffloadedRun run = stackRun({{"offload", notation}, {"optimizer", "sgd"}});
        const Bytes weights = models::parameterBytes(run.model());
        for (int step = 0; step < 2; ++step) {
            run.train();
            EXPECT_EQ(run.counter("bytes_to_device"), 2 * weights + matrixBytesOfBackward(run.model())) << notation;
            EXPECT_EQ(run.counter("bytes_to_host"), weights) << notation;
        }
    }
}

// With checkpoints each block comes once more for its repetition. With a stream the last block stays for it, once the
// order is known.
TEST(OffloadTest, repetitionsBringTheirBlocksAgain)
{
    for (const char* notation : kNotations) {
        OffloadedRun run = stackRun({{"offload", notation}, {"checkpointing", "all"}, {"optimizer", "sgd"}});
        const Bytes weights = models::parameterBytes(run.model());
        run.train();
        EXPECT_EQ(run.counter("bytes_to_device"), 3 * weights + matrixBytesOfBackward(run.model())) << notation;
    }
    OffloadedRun run = stackRun({{"offload", "block:1+stream"}, {"checkpointing", "all"}, {"optimizer", "sgd"}});
    run.train();
    const Bytes first = run.counter("bytes_to_device");
    run.train();
    EXPECT_EQ(run.counter("bytes_to_device"), first - models::parameterBytes(*run.model().blocks().back()));
}

TEST(OffloadTest, frozenWeightsAreNotCopiedBack)
{
    requireValues();
    OffloadedRun run(offloadedConfiguration("ltx-video-tiny", {},
                         {{"offload", "block:1"}, {"trainable", "lora:2"}, {"optimizer", "adamw"}}),
        at::kFloat);
    run.train();
    Bytes trained = 0;
    for (const at::Tensor& parameter : run.trainable())
        trained += static_cast<Bytes>(parameter.nbytes());
    EXPECT_EQ(run.counter("bytes_to_host"), trained);
}

TEST(OffloadTest, onlyWhatMayHaveBeenChangedIsCopiedBack)
{
    OffloadedRun run = stackRun({{"offload", "block:2"}});
    const std::vector<at::Tensor> parameters = run.model().parameters();
    run.stack().hooks().beginStep();
    const torch::NoGradGuard noGradients;
    {
        const tensor::ParametersOnDevice present(parameters, tensor::ParameterUse::Read);
        EXPECT_EQ(run.counter("bytes_to_device"), models::parameterBytes(run.model()));
    }
    EXPECT_EQ(run.counter("bytes_to_host"), 0);
    {
        const tensor::ParametersOnDevice present({parameters[1]});
        at::Tensor(parameters[1].tensor_data()).fill_(3.0);
    }
    EXPECT_EQ(run.counter("bytes_to_host"), static_cast<std::int64_t>(parameters[1].nbytes()));
    EXPECT_TRUE(sameNumbers(parameters[1], at::full_like(parameters[1], 3.0)));
    EXPECT_TRUE(sameNumbers(tensor::dataOnDevice(parameters[1]), parameters[1]));
    EXPECT_FALSE(tensor::dataOnDevice(parameters[1]).is_alias_of(parameters[1])) << "a copy for the caller alone";
}

TEST(OffloadTest, gradientsLieOnTheDevice)
{
    requireValues();
    for (const char* notation : {"block:1", "leaf", "model", "block:1+stream"})
        for (const char* trainable : {"all", "lora:2"}) {
            OffloadedRun run(
                offloadedConfiguration("ltx-video-tiny", {}, {{"offload", notation}, {"trainable", trainable}}),
                at::kFloat);
            run.train(2);
            for (const at::Tensor& parameter : run.trainable()) {
                EXPECT_EQ(parameter.grad().device(), run.inputs().begin()->second.device()) << notation << trainable;
            }
        }
}

// A gradient that went with the resting weight could not be added to by the next micro-step.
TEST(OffloadTest, aGradientElsewhereIsAnError)
{
    OffloadedRun run = stackRun({{"offload", "block:2"}});
    run.stack().hooks().beginStep();
    const at::Tensor loss = at::zeros({});
    EXPECT_NO_THROW(run.stack().hooks().microStepDone(loss)) << "there are no gradients";
    const c10::Device elsewhere = testDevice().is_meta() ? c10::kCPU : c10::kMeta;
    at::Tensor parameter = run.trainable().front();
    parameter.mutable_grad() = at::zeros(parameter.sizes(), at::TensorOptions().device(elsewhere));
    EXPECT_EQ(refusal<TrialError>([&] { run.stack().hooks().microStepDone(loss); }),
        "techniques.offload: a gradient of shape " + c10::str(parameter.sizes()) + " lies on " + elsewhere.str()
            + " (valid: gradients on " + testDevice().str() + ")");
}

TEST(OffloadTest, parametersOfAGroupMakeARun)
{
    const auto runs = [](const char* notation) {
        const OffloadedRun run = stackRun({{"offload", notation}});
        return tensor::parameterRuns(const_cast<OffloadedRun&>(run).model().parameters()).size();
    };
    EXPECT_EQ(runs("off"), 1U);
    EXPECT_EQ(runs("block:1"), 4U);
    EXPECT_EQ(runs("leaf"), 8U);
    EXPECT_EQ(runs("model"), 1U);
}

TEST(OffloadTest, aGraphMayOutliveTheTechnique)
{
    std::vector<at::Tensor> parameters;
    at::Tensor loss;
    {
        OffloadedRun run = stackRun({{"offload", "leaf"}});
        parameters = run.model().parameters();
        loss = run.model().forward(run.inputs()).square().mean();
    }
    loss.backward();
    OffloadedRun plain = stackRun({});
    plain.model().forward(plain.inputs()).square().mean().backward();
    for (std::size_t i = 0; i < parameters.size(); ++i)
        EXPECT_TRUE(sameNumbers(parameters[i].grad(), plain.model().parameters()[i].grad()));
}

TEST(OffloadTest, aForwardThatFailsLeavesNothingBehind)
{
    requireCpu("of its allocator");
    for (const char* notation : {"block:2", "leaf+stream", "model"}) {
        const auto backend = std::make_shared<tensor::HostRecordingBackend>();
        const tensor::CpuMemory memory(backend);
        OffloadedRun run = stackRun({{"offload", notation}});
        const at::Tensor expected = run.infer();
        run.infer();
        const Bytes before = backend->device.liveBytes();
        EXPECT_THROW(run.model().forward({{"hidden_states", at::ones({2, 3, 7}, onTestDevice())}}), c10::Error)
            << notation;
        EXPECT_EQ(backend->device.liveBytes(), before) << notation;
        EXPECT_TRUE(sameNumbers(run.infer(), expected)) << notation;
    }
}

TEST(OffloadTest, aGroupThatDoesNotFitLeavesNothingBehind)
{
    requireCpu("of its allocator");
    for (const char* notation : kNotations) {
        const auto backend = std::make_shared<tensor::HostRecordingBackend>();
        const tensor::CpuMemory memory(backend);
        OffloadedRun run = stackRun({{"offload", notation}});
        const at::Tensor expected = run.infer();
        run.infer();
        const Bytes before = backend->device.liveBytes();
        const Bytes matrix = static_cast<Bytes>(run.model().parameters().front().nbytes());
        for (const Bytes room : {Bytes{0}, matrix - 1, matrix}) { // the last fails at the bias, or at what comes ahead
            backend->device.setLimit(before + room);
            EXPECT_THROW(run.infer(), tensor::Refused) << notation;
            EXPECT_EQ(backend->device.liveBytes(), before) << notation;
        }
        backend->device.setLimit(std::numeric_limits<Bytes>::max());
        EXPECT_TRUE(sameNumbers(run.infer(), expected)) << notation;
    }
}

TEST(OffloadTest, itSaysWhatItDoes)
{
    const auto effective = [](const char* notation) {
        return stackRun({{"offload", notation}}).stack().effective().at("offload");
    };
    EXPECT_EQ(effective("off"), "off");
    EXPECT_EQ(effective("block:2"), "2 groups of weights in pageable host memory, each loaded when it is needed");
    EXPECT_EQ(
        effective("model+stream"), "1 group of weights in pinned host memory, the next one loaded while one computes");
    const tensor::PinnedAllocationScope refusing(
        [](at::IntArrayRef, const at::TensorOptions&) -> at::Tensor { TORCH_CHECK(false, "out of locked memory"); });
    EXPECT_EQ(effective("leaf+stream"),
        "8 groups of weights in pageable host memory, as none could be pinned (out of locked memory), the next one "
        "loaded while one computes");
}

/// Without a list of blocks; built in another order than it runs in, with a table of its own, and a layer that runs on
/// demand only.
class OddModel final : public models::Model {
public:
    OddModel()
    {
        m_table = register_parameter("table", at::randn({kWidth}, onTestDevice()));
        for (const char* name : {"a", "b", "c", "d"}) {
            m_layers[name] = register_module(
                name, std::make_shared<models::Linear>(kWidth, kWidth, models::Bias::Off, onTestDevice(at::kFloat)));
            at::Tensor(m_layers[name]->weight).detach().normal_();
        }
    }
    at::Tensor forward(const models::Inputs& inputs) override
    {
        const tensor::ModuleScope scope(*this);
        at::Tensor hidden = inputs.at("x");
        for (const char* name : {"c", "a", "b", "d"})
            if (std::string(name) != "d" || usesD)
                hidden = at::tanh(m_layers[name]->forward(hidden));
        return hidden * m_table;
    }
    std::vector<models::FeedForward*> feedForwards() override { return {}; }

    static constexpr std::int64_t kWidth = 64;
    bool usesD = false;

private:
    at::Tensor m_table;
    std::map<std::string, std::shared_ptr<models::Linear>> m_layers;
};

class OddModelTest : public testing::Test {
protected:
    void SetUp() override { requireCpu("of its allocator"); }

    void apply(const char* notation)
    {
        for (const bool usesD : {false, true}) {
            m_model->usesD = usesD;
            m_plain[usesD] = m_model->forward(m_inputs);
        }
        m_offload = std::make_unique<Offload>(
            config::makeSetting(config::findTechnique("offload", ""), notation, {}, "offload"));
        m_offload->apply(*m_model);
    }
    // The peak of the device's memory beside what is there before.
    Bytes run(bool usesD)
    {
        m_model->usesD = usesD;
        m_backend->device.restart();
        const Bytes before = m_backend->device.liveBytes();
        EXPECT_TRUE(sameNumbers(m_model->forward(m_inputs), m_plain.at(usesD)));
        EXPECT_EQ(m_backend->device.liveBytes(), before);
        return m_backend->device.peakBytes() - before;
    }

    static constexpr Bytes kLayer = OddModel::kWidth * OddModel::kWidth * 4;

    torch::NoGradGuard m_noGradients;
    std::shared_ptr<tensor::HostRecordingBackend> m_backend = std::make_shared<tensor::HostRecordingBackend>();
    tensor::CpuMemory m_memory{m_backend};
    std::shared_ptr<OddModel> m_model = std::make_shared<OddModel>();
    models::Inputs m_inputs{{"x", at::randn({1, OddModel::kWidth}, onTestDevice())}};
    std::map<bool, at::Tensor> m_plain;
    std::unique_ptr<Offload> m_offload;
};

TEST_F(OddModelTest, leavesComeOneAtATime)
{
    apply("leaf");
    for (int step = 0; step < 3; ++step) {
        const Bytes peak = run(step == 1);
        EXPECT_GE(peak, kLayer);
        EXPECT_LT(peak, 2 * kLayer);
    }
}

TEST_F(OddModelTest, withAStreamTheNextLeafInTheOrderOfTheFirstForwardComesAhead)
{
    apply("leaf+stream");
    EXPECT_LT(run(false), 2 * kLayer) << "the first forward knows no order";
    for (int step = 0; step < 10; ++step) {
        const Bytes peak = run(false);
        EXPECT_GE(peak, 2 * kLayer);
        EXPECT_LT(peak, 3 * kLayer);
    }
}

TEST_F(OddModelTest, layersThatTheFirstForwardDidNotRunAreLoadedLater)
{
    apply("leaf+stream");
    for (const bool usesD : {false, false, true, false, true, true, false}) {
        EXPECT_LT(run(usesD), 3 * kLayer);
    }
}

TEST_F(OddModelTest, theWholeModelIsAGroupToo)
{
    apply("model+stream");
    for (int step = 0; step < 3; ++step)
        EXPECT_GE(run(step == 1), 4 * kLayer);
}

} // namespace
} // namespace headroom::techniques::offload_test
