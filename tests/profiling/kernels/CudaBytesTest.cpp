// SPDX-License-Identifier: Apache-2.0
//
// What CUDA's kernels of other people's models take from the allocator: results, saved statistics and what is freed
// again, in order. Sizes are derived from LibTorch's sources; docs/simulated-ops.md names them.
#include "core/memory/MetaMemory.h"
#include "profiling/kernels/KernelRules.h"
#include "tests/core/memory/RecordingBackend.h"

#include <gtest/gtest.h>

namespace headroom::collectors::cuda_bytes_test {
namespace {

using Sizes = std::vector<Bytes>;

constexpr Bytes kChannels = 8;
constexpr Bytes kFloats = kChannels * 4; ///< a float32 number for each channel

const simulator::ProfileCatalogue& profiles()
{
    static const simulator::ProfileCatalogue catalogue(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources");
    return catalogue;
}

// The requests of `call` on tensors that `arguments` makes.
template <typename Arguments, typename Call> Sizes requestsOf(const std::string& device, Arguments arguments, Call call)
{
    const auto backend = std::make_shared<tensor::RecordingBackend>();
    const tensor::MetaMemory memory(backend);
    const KernelRules rules(profiles().parseSimulatedDevice(device));
    const KernelRules::Scope scope(rules);
    const auto given = arguments(at::TensorOptions().device(at::kMeta));
    backend->restart();
    call(given);
    return backend->births();
}

// Four samples of eight channels of 5 x 5.
struct Features {
    explicit Features(const at::TensorOptions& options, at::ScalarType type = at::kFloat)
        : input(at::empty({4, kChannels, 5, 5}, options.dtype(type)))
        , weight(at::empty({kChannels}, options.dtype(type)))
    {
    }

    at::Tensor input;
    at::Tensor weight;
};

constexpr Bytes kInput = 4 * kChannels * 25;

Sizes groupNormRequests(const std::string& device, at::ScalarType type, bool isBackward)
{
    return requestsOf(
        device, [=](const at::TensorOptions& options) { return Features(options, type); },
        [=](const Features& given) {
            const at::Tensor statistic = isBackward ? given.weight : at::Tensor();
            if (isBackward)
                at::native_group_norm_backward(given.input, given.input, statistic, statistic, given.weight, 4,
                    kChannels, 25, 2, {true, true, true});
            else
                at::native_group_norm(given.input, given.weight, given.weight, 4, kChannels, 25, 2, 1e-5);
        });
}

// group_norm_kernel.cu: statistics of two groups in the input's type; a factor and an addend of each channel in
// float32.
TEST(GroupNormBytesTest, aFactorAndAnAddendOfEachChannelAreFreedAgain)
{
    constexpr Bytes kGroups = 4 * 2, kAll = 4 * kChannels;
    EXPECT_EQ(groupNormRequests("sim:h100-80gb", at::kFloat, false),
        (Sizes{kInput * 4, kGroups * 4, kGroups * 4, kAll * 4, kAll * 4}));
    EXPECT_EQ(groupNormRequests("sim:h100-80gb", at::kBFloat16, false),
        (Sizes{kInput * 2, kGroups * 2, kGroups * 2, kAll * 4, kAll * 4}));
    EXPECT_EQ(groupNormRequests("sim:cpu", at::kFloat, false), (Sizes{kInput * 4, kGroups * 4, kGroups * 4}));
}

TEST(GroupNormBytesTest, theBackwardPassSumsOverChannelsFirst)
{
    constexpr Bytes kGroups = 4 * 2 * 4, kAll = 4 * kChannels * 4, kWeight = kChannels * 2;
    EXPECT_EQ(groupNormRequests("sim:h100-80gb", at::kBFloat16, true),
        (Sizes{kInput * 2, kWeight, kWeight, kAll, kAll, kGroups, kGroups, kAll}));
    EXPECT_EQ(groupNormRequests("sim:cpu", at::kBFloat16, true), (Sizes{kInput * 2, kWeight, kWeight}));
}

template <typename Norm> Sizes batchNormRequests(const std::string& device, at::ScalarType type, Norm norm)
{
    return requestsOf(device, [=](const at::TensorOptions& options) { return Features(options, type); }, norm);
}

at::Tensor trained(const Features& given, bool isTraining)
{
    const at::Tensor input = given.input.detach().set_requires_grad(true);
    return at::batch_norm(input, given.weight, given.weight, given.weight, given.weight, isTraining, 0.1, 1e-5, true);
}

// cuDNN normalises in float32; bfloat16 goes to LibTorch's own kernel, whose statistics are float32.
TEST(BatchNormBytesTest, statisticsAreFloat32OnCuda)
{
    const auto run = [](const Features& given) { trained(given, true); };
    EXPECT_EQ(batchNormRequests("sim:h100-80gb", at::kFloat, run), (Sizes{kInput * 4, kFloats, kFloats}));
    EXPECT_EQ(batchNormRequests("sim:h100-80gb", at::kBFloat16, run), (Sizes{kInput * 2, kFloats, kFloats}));
    EXPECT_EQ(batchNormRequests("sim:cpu", at::kBFloat16, run), (Sizes{kInput * 2, kFloats / 2, kFloats / 2}));
}

TEST(BatchNormBytesTest, evaluationSavesStatisticsOnlyInLibTorchsKernel)
{
    const auto run = [](const Features& given) { trained(given, false); };
    EXPECT_EQ(batchNormRequests("sim:h100-80gb", at::kFloat, run), (Sizes{kInput * 4}));
    EXPECT_EQ(batchNormRequests("sim:h100-80gb", at::kBFloat16, run), (Sizes{kInput * 2, kFloats, kFloats}));
    EXPECT_EQ(batchNormRequests("sim:cpu", at::kFloat, run), (Sizes{kInput * 4}));
}

// EmbeddingBag.cu keeps the bag of each index and the size of each bag; the CPU needs neither for sums.
TEST(EmbeddingBagBytesTest, cudaKeepsTheBagOfEachIndex)
{
    const auto arguments = [](const at::TensorOptions& options) {
        return std::tuple(at::empty({10, 4}, options), at::empty({7}, options.dtype(at::kLong)),
            at::empty({3}, options.dtype(at::kLong)));
    };
    const auto sum = [](const auto& given) {
        const auto& [weight, indices, offsets] = given;
        at::_embedding_bag(weight, indices, offsets);
    };
    EXPECT_EQ(requestsOf("sim:h100-80gb", arguments, sum), (Sizes{3 * 8, 7 * 8, 3 * 4 * 4}));
    EXPECT_EQ(requestsOf("sim:cpu", arguments, sum), (Sizes{3 * 4 * 4, 3 * 8, 3 * 8}));
}

// cuFFT may overwrite the input of an inverse transform to real numbers; forward it need not be copied.
TEST(FourierBytesTest, theInverseTransformCopiesItsInput)
{
    const auto spectrum = [](const at::TensorOptions& options) {
        return at::empty({6, 4, 9}, options.dtype(at::kComplexFloat));
    };
    const auto inverse = [](const at::Tensor& input) { at::_fft_c2r(input, {2}, 0, 16); };
    EXPECT_EQ(requestsOf("sim:h100-80gb", spectrum, inverse), (Sizes{6 * 4 * 9 * 8, 6 * 4 * 16 * 4}));
    EXPECT_EQ(requestsOf("sim:cpu", spectrum, inverse), (Sizes{6 * 4 * 16 * 4}));
    const auto signal = [](const at::TensorOptions& options) { return at::empty({6, 4, 16}, options); };
    const auto forward = [](const at::Tensor& input) { at::_fft_r2c(input, {2}, 0, true); };
    EXPECT_EQ(requestsOf("sim:h100-80gb", signal, forward), (Sizes{6 * 4 * 9 * 8}));
}

// group_norm_kernel.cu has another way for one element per channel.
TEST(GroupNormBytesTest, oneElementPerChannelNeedsNoFactors)
{
    const auto arguments = [](const at::TensorOptions& options) {
        return std::pair(at::empty({4, kChannels}, options), at::empty({kChannels}, options));
    };
    const auto norm = [](const auto& given) {
        at::native_group_norm(given.first, given.second, given.second, 4, kChannels, 1, 2, 1e-5);
    };
    EXPECT_EQ(requestsOf("sim:h100-80gb", arguments, norm), (Sizes{4 * kChannels * 4, 32, 32}));
}

// cuda/Indexing.cu: the mask's running sums in 64 bits, and the mask for each element where it is one for a row. Back:
// the places of what is selected, by dimension.
TEST(MaskedBytesTest, scatteringByAMaskSumsItUp)
{
    struct Given {
        at::Tensor tokens, mask, images;
    };
    const auto arguments = [](const at::TensorOptions& options) {
        return Given{
            at::empty({6, 100}, options), at::empty({6, 1}, options.dtype(at::kBool)), at::empty({2, 100}, options)};
    };
    const auto scatter = [](const Given& given) { at::masked_scatter(given.tokens, given.mask, given.images); };
    EXPECT_EQ(requestsOf("sim:h100-80gb", arguments, scatter), (Sizes{2400, 600 * 8, 600}));
    EXPECT_EQ(requestsOf("sim:cpu", arguments, scatter), (Sizes{2400}));
    const auto backward = [](const Given& given) {
        at::masked_scatter_backward(given.tokens, given.mask, given.images.sizes());
    };
    EXPECT_EQ(requestsOf("sim:h100-80gb", arguments, backward), (Sizes{2 * 200 * 8, 800}));
    EXPECT_EQ(requestsOf("sim:cpu", arguments, backward), (Sizes{800}));
}

// cuda/Randperm.cu: 23 bits of keys in 32 for a thousand numbers, 36 bits in 64 for a hundred thousand. CUB's storage
// of a thousand pairs is one byte.
TEST(MaskedBytesTest, aRandomOrderIsTheOrderOfRandomKeys)
{
    const auto orderOf = [](std::int64_t count) {
        return requestsOf(
            "sim:h100-80gb", [](const at::TensorOptions& options) { return options; },
            [=](const at::TensorOptions& options) { at::randperm(count, options.dtype(at::kLong)); });
    };
    EXPECT_EQ(orderOf(1000), (Sizes{8000, 8000, 4000, 4000, 1}));
    const Sizes large = orderOf(100000);
    ASSERT_EQ(large.size(), 5U);
    EXPECT_EQ((Sizes{large.begin(), large.end() - 1}), (Sizes{800000, 800000, 800000, 800000}));
    EXPECT_GT(large.back(), 2 * 800000); // both are copied where they are sorted by more than 8 bits
}

// cuda/Sort.cpp and SortStable.cu: in place, a row by itself, rows together, segments. Results first, values and
// places.
TEST(SortBytesTest, longRowsTakePositionsAndWhatCubKeepsBetweenPasses)
{
    const auto sorted = [](std::int64_t rows, std::int64_t width) {
        return requestsOf(
            "sim:h100-80gb",
            [=](const at::TensorOptions& options) { return at::empty({rows, width}, options.dtype(at::kLong)); },
            [](const at::Tensor& keys) { at::sort(keys); });
    };
    EXPECT_EQ(sorted(2, 4096), (Sizes{65536, 65536, 4096 * 8}));
    const Sizes row = sorted(1, 100000);
    ASSERT_EQ(row.size(), 4U);
    EXPECT_EQ((Sizes{row.begin(), row.end() - 1}), (Sizes{800000, 800000, 800000}));
    EXPECT_GT(row.back(), 2 * 800000);
    const Sizes rows = sorted(2, 50000);
    ASSERT_EQ(rows.size(), 6U);
    EXPECT_EQ((Sizes{rows.begin(), rows.end() - 1}), (Sizes{800000, 800000, 800000, 800000, 800000}));
    EXPECT_EQ(sorted(128, 5000), (Sizes{5120000, 5120000, 5120000, 2 * 5120000 + 255}));
}

TEST(LossBytesTest, theReducedBinaryCrossEntropyKeepsTheMemoryOfAllLosses)
{
    const auto arguments = [](const at::TensorOptions& options) { return at::empty({6, 10}, options); };
    const auto loss = [](const at::Tensor& input) {
        const at::Tensor mean = at::binary_cross_entropy(input, input);
        EXPECT_EQ(mean.storage().nbytes(), 240U);
        EXPECT_EQ(mean.dim(), 0);
    };
    EXPECT_EQ(requestsOf("sim:h100-80gb", arguments, loss), (Sizes{240, 4}));
}

} // namespace
} // namespace headroom::collectors::cuda_bytes_test
