// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/MathAttention.h"

#include "core/memory/CpuMemory.h"
#include "core/tensor/OpInterceptor.h"
#include "profiling/kernels/KernelRules.h"
#include "tests/core/memory/RecordingBackend.h"

#include <gmock/gmock.h>

#include <random>

namespace headroom::collectors {
namespace {

struct Sample {
    explicit Sample(unsigned seed)
        : random(seed)
    {
        at::manual_seed(seed);
        const at::ScalarType types[]{at::kFloat, at::kDouble, at::kBFloat16, at::kHalf};
        type = types[random() % 4];
        const std::int64_t batch = between(1, 3), shared = between(1, 3), each = between(1, 3), tokens = between(1, 7);
        const std::int64_t keys = between(1, 7), channels = between(1, 9);
        isGrouped = each > 1 || between(0, 1) == 1;
        query = leaf({batch, shared * each, isCausal() ? keys : tokens, channels});
        key = leaf({batch, isGrouped ? shared : shared * each, keys, channels});
        value = leaf({batch, isGrouped ? shared : shared * each, keys, channels});
        if (!isCausal())
            mask = at::randn({batch, 1, query.size(2), keys}, type);
        if (between(0, 1) == 1)
            scale = between(0, 1) == 1 ? 0.7 : -0.3;
    }

    std::int64_t between(std::int64_t least, std::int64_t most)
    {
        return least + static_cast<std::int64_t>(random() % static_cast<unsigned>(most - least + 1));
    }
    at::Tensor leaf(at::IntArrayRef shape) const { return at::randn(shape, type).requires_grad_(true); }
    bool isCausal() const { return type == at::kFloat; }

    at::Tensor own() const { return maskedMathAttention(query, key, value, mask, 0, scale, isGrouped); }
    at::Tensor libTorchs() const
    {
        return std::get<0>(at::_scaled_dot_product_attention_math(
            query, key, value, mask, 0, isCausal(), std::nullopt, scale, isGrouped));
    }

    std::mt19937 random;
    at::ScalarType type = at::kFloat;
    bool isGrouped = false;
    at::Tensor query, key, value;
    OptionalTensor mask;
    std::optional<double> scale;
};

TEST(MathAttentionTest, computesWhatLibTorchsFunctionComputes)
{
    for (unsigned seed = 0; seed < 200; ++seed) {
        const Sample sample(seed);
        const std::vector<at::Tensor> leaves{sample.query, sample.key, sample.value};
        const at::Tensor own = sample.own(), expected = sample.libTorchs();
        EXPECT_TRUE(at::equal(own, expected)) << seed;
        EXPECT_EQ(own.scalar_type(), sample.type) << seed;
        const auto gradients = torch::autograd::grad({own.sum()}, leaves);
        const auto expectedGradients = torch::autograd::grad({expected.sum()}, leaves);
        for (std::size_t i = 0; i < leaves.size(); ++i)
            EXPECT_TRUE(at::equal(gradients[i], expectedGradients[i])) << seed << ", " << i;
    }
}

template <typename Call> Bytes peakBytes(const Call& call)
{
    const c10::InferenceMode noGradients;
    const auto backend = std::make_shared<tensor::RecordingBackend>();
    const tensor::CpuMemory accounting(backend);
    call();
    return backend->peakBytes();
}

// Raised keys and values of 16 bits stay beside those that are repeated for their query heads.
TEST(MathAttentionTest, holdsAtItsPeakWhatLibTorchsFunctionHolds)
{
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf})
        for (const std::int64_t shared : {4, 2, 1}) {
            const at::Tensor query = at::randn({2, 4, 6, 8}, type), key = at::randn({2, shared, 6, 8}, type);
            const Bytes own =
                peakBytes([&] { maskedMathAttention(query, key, key, std::nullopt, 0, std::nullopt, shared < 4); });
            const Bytes libTorchs = peakBytes([&] {
                at::_scaled_dot_product_attention_math(
                    query, key, key, std::nullopt, 0, true, std::nullopt, std::nullopt, shared < 4);
            });
            EXPECT_EQ(own, libTorchs) << type << ", " << shared << " heads of keys and values";
        }
}

class Names final : public tensor::OpObserver {
public:
    void before(const tensor::OpCall& call) override { seen.push_back(call.op.schema().name()); }
    void after(const tensor::OpCall&) override { }

    std::vector<std::string> seen;
};

TEST(MathAttentionTest, theMaskIsAddedInPlaceOnMetaToo)
{
    registerMetaKernels();
    const at::TensorOptions options = at::TensorOptions(at::kMeta).dtype(at::kFloat);
    const at::Tensor query = at::empty({1, 2, 3, 4}, options), mask = at::empty({1, 1, 3, 3}, options);
    Names names;
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(names);
    {
        const tensor::OpInterceptor::Scope scope(interceptor);
        maskedMathAttention(query, query, query, mask, 0, std::nullopt, false);
    }
    EXPECT_THAT(names.seen, testing::Contains("aten::add_"));
    EXPECT_THAT(names.seen, testing::Not(testing::Contains("aten::add")));
}

} // namespace
} // namespace headroom::collectors
