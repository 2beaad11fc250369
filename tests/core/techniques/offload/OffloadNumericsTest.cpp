// SPDX-License-Identifier: Apache-2.0
//
// Offloaded weights are copies, so every number is that of the plain model: outputs, gradients and updated weights are
// bit-equal in every dtype.
#include "core/tensor/OpInterceptor.h"
#include "tests/core/techniques/offload/OffloadedRun.h"
#include "tests/support/torch/Comparison.h"

#include <gmock/gmock.h>

#include <random>
#include <unordered_set>

namespace headroom::techniques::offload_numerics_test {
namespace {

const char* const kNotations[]{"block:1", "block:2", "block:3", "leaf", "model", "block:1+stream", "block:2+stream",
    "leaf+stream", "model+stream"};

const config::ValueMap kLtxFields{{"num_layers", 3}};

std::vector<at::Tensor> inferred(const config::Configuration& configuration, c10::ScalarType type)
{
    OffloadedRun run(configuration, type);
    std::vector<at::Tensor> results;
    for (int step = 0; step < 3; ++step) // with a stream the order is known from the second on
        results.push_back(run.infer());
    return results;
}

std::vector<at::Tensor> trained(const config::Configuration& configuration, c10::ScalarType type, int microSteps = 1)
{
    OffloadedRun run(configuration, type);
    std::vector<at::Tensor> results;
    for (int step = 0; step < 3; ++step) {
        results.push_back(run.train(microSteps));
        for (const at::Tensor& parameter : run.model().parameters())
            if (parameter.grad().defined())
                results.push_back(parameter.grad().clone());
    }
    for (const at::Tensor& parameter : run.model().parameters())
        results.push_back(parameter.detach().clone());
    return results;
}

void expectBitEqual(
    const std::vector<at::Tensor>& results, const std::vector<at::Tensor>& expected, const std::string& name)
{
    ASSERT_EQ(results.size(), expected.size()) << name;
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(sameNumbers(results[i], expected[i])) << name << ", tensor " << i;
}

TEST(OffloadNumericsTest, inferenceIsBitEqual)
{
    requireValues();
    for (const c10::ScalarType type : {at::kDouble, at::kFloat, at::kBFloat16}) {
        const auto plain = inferred(offloadedConfiguration("ltx-video-tiny", kLtxFields, {}), type);
        for (const char* notation : kNotations)
            expectBitEqual(
                inferred(offloadedConfiguration("ltx-video-tiny", kLtxFields, {{"offload", notation}}), type), plain,
                std::string(notation) + " " + c10::toString(type));
    }
}

TEST(OffloadNumericsTest, trainingIsBitEqual)
{
    requireValues();
    for (const c10::ScalarType type : {at::kDouble, at::kFloat, at::kBFloat16}) {
        const auto plain = trained(offloadedConfiguration("ltx-video-tiny", kLtxFields, {}), type);
        for (const char* notation : kNotations)
            expectBitEqual(trained(offloadedConfiguration("ltx-video-tiny", kLtxFields, {{"offload", notation}}), type),
                plain, std::string(notation) + " " + c10::toString(type));
    }
}

TEST(OffloadNumericsTest, trainingWithCheckpointsIsBitEqual)
{
    requireValues();
    const auto plain = trained(offloadedConfiguration("ltx-video-tiny", kLtxFields, {}), at::kFloat, 2);
    for (const char* checkpointing : {"all", "every:2"})
        for (const char* notation : kNotations)
            expectBitEqual(trained(offloadedConfiguration("ltx-video-tiny", kLtxFields,
                                       {{"offload", notation}, {"checkpointing", checkpointing}}),
                               at::kFloat, 2),
                plain, std::string(notation) + " " + checkpointing);
}

TEST(OffloadNumericsTest, splitLayersAreBitEqual)
{
    requireValues();
    for (const char* splitFfn : {"2", "4:recompute", "tokens:2"})
        for (const char* checkpointing : {"none", "all"}) {
            const Notations others{{"split_ffn", splitFfn}, {"checkpointing", checkpointing}};
            const auto plain = trained(offloadedConfiguration("ltx-video-tiny", kLtxFields, others), at::kFloat);
            for (const char* notation : kNotations) {
                Notations techniques = others;
                techniques["offload"] = notation;
                expectBitEqual(trained(offloadedConfiguration("ltx-video-tiny", kLtxFields, techniques), at::kFloat),
                    plain, std::string(notation) + " " + splitFfn + " " + checkpointing);
            }
        }
}

TEST(OffloadNumericsTest, optimizersAndAdaptersAreBitEqual)
{
    requireValues();
    for (const char* optimizer : {"adamw", "adamw:foreach", "adamw:fused", "sgd:foreach"})
        for (const char* trainable : {"all", "lora:2"}) {
            const Notations others{{"optimizer", optimizer}, {"trainable", trainable}, {"checkpointing", "all"}};
            const auto plain = trained(offloadedConfiguration("ltx-video-tiny", kLtxFields, others), at::kFloat);
            for (const char* notation : {"block:2", "leaf+stream", "model"}) {
                Notations techniques = others;
                techniques["offload"] = notation;
                expectBitEqual(trained(offloadedConfiguration("ltx-video-tiny", kLtxFields, techniques), at::kFloat),
                    plain, std::string(notation) + " " + optimizer + " " + trainable);
            }
        }
}

TEST(OffloadNumericsTest, randomShapesAreBitEqual)
{
    std::mt19937 random(9);
    const auto between = [&](int least, int most) {
        return static_cast<std::int64_t>(least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1)));
    };
    const char* const activations[]{"gelu", "geglu", "swiglu"};
    for (int i = 0; i < 20; ++i) {
        const config::ValueMap fields{{"num_layers", between(3, 7)}, {"dim", between(1, 40)},
            {"dim_out", between(1, 9)}, {"mult", between(1, 5)}, {"bias", between(0, 1) == 1},
            {"activation_fn", activations[random() % 3]}, {"dropout", 0.1 * static_cast<double>(between(0, 3))}};
        const char* notation = kNotations[random() % std::size(kNotations)];
        const char* checkpointing = random() % 2 == 0 ? "none" : "every:2";
        expectBitEqual(trained(offloadedConfiguration(
                                   "ffn-stack-tiny", fields, {{"offload", notation}, {"checkpointing", checkpointing}}),
                           at::kFloat),
            trained(offloadedConfiguration("ffn-stack-tiny", fields, {}), at::kFloat),
            std::string(notation) + " " + checkpointing);
    }
}

/// Notes the ops, but for copies, that read what rests on the host. On the CPU nothing else would tell.
class HostReaders final : public tensor::OpObserver {
public:
    explicit HostReaders(const torch::nn::Module& model)
    {
        for (const at::Tensor& parameter : model.parameters())
            m_onHost.insert(parameter.storage().unsafeGetStorageImpl());
    }
    void before(const tensor::OpCall& call) override
    {
        const std::string& name = call.op.schema().name();
        const std::size_t count = std::min(call.op.schema().arguments().size(), call.stack.size());
        for (std::size_t i = call.stack.size() - count; i < call.stack.size(); ++i)
            if (name != "aten::copy_" && name != "aten::detach" && isOnHost(call.stack[i]))
                ops.insert(name);
    }
    void after(const tensor::OpCall&) override { }

    std::set<std::string> ops;

private:
    bool isOnHost(const c10::IValue& value) const
    {
        if (value.isTensorList()) {
            for (const at::Tensor& tensor : value.toTensorVector())
                if (isOnHost(c10::IValue(tensor)))
                    return true;
            return false;
        }
        return value.isTensor() && value.toTensor().defined() && value.toTensor().has_storage()
            && m_onHost.contains(value.toTensor().storage().unsafeGetStorageImpl());
    }

    std::unordered_set<const c10::StorageImpl*> m_onHost;
};

TEST(OffloadNumericsTest, nothingButCopiesReadsWhatIsOnTheHost)
{
    requireValues();
    for (const char* notation : kNotations)
        for (const char* checkpointing : {"none", "all"})
            for (const char* optimizer : {"adamw", "sgd:foreach"}) {
                OffloadedRun run(offloadedConfiguration("ltx-video-tiny", kLtxFields,
                                     {{"offload", notation}, {"checkpointing", checkpointing}, {"optimizer", optimizer},
                                         {"split_ffn", "2:recompute"}}),
                    at::kFloat);
                HostReaders readers(run.model());
                tensor::OpInterceptor interceptor;
                interceptor.addObserver(readers);
                const tensor::OpInterceptor::Scope scope(interceptor);
                run.train();
                run.train();
                EXPECT_THAT(readers.ops, testing::IsEmpty()) << notation << " " << checkpointing << " " << optimizer;
            }
}

} // namespace
} // namespace headroom::techniques::offload_numerics_test
