// SPDX-License-Identifier: Apache-2.0
// Sizes are derived from LibTorch's CUDA kernels; docs/simulated-ops.md names the sources.
#include "profiling/kernels/KernelRules.h"
#include "profiling/simulator/rules/SortRules.h"
#include "tests/profiling/comparisons/RequestedBytes.h"

#include <gtest/gtest.h>

namespace headroom::collectors::cuda_kernel_scratch_test {
namespace {

using Sizes = std::vector<Bytes>;

constexpr Bytes kScalar = 4;

/// A table of 10,000 rows whose gradient some of its rows add to.
struct Indexed {
    Indexed(const at::TensorOptions& options, std::int64_t count)
        : table(at::empty({10000, 16}, options))
        , rows(at::empty({count}, options.dtype(at::kLong)))
        , values(at::empty({count, 16}, options))
    {
    }

    void accumulate(const at::Tensor& what)
    {
        c10::List<std::optional<at::Tensor>> indices;
        indices.push_back(rows);
        at::_index_put_impl_(table, indices, what, true, true);
    }

    at::Tensor table;
    at::Tensor rows;
    at::Tensor values;
};

template <typename Call> Sizes requestedByIndex(const std::string& device, std::int64_t count, Call call)
{
    return requestedByCall(device, [=](const at::TensorOptions& options) { return Indexed(options, count); }, call);
}

TEST(IndexScratchTest, valuesAreAddedUpInTheOrderOfTheirIndices)
{
    const auto dense = [](Indexed indexed) { indexed.accumulate(indexed.values); };
    // Wrapped and linear; then sorted, whence, range, and CUB's one byte: a block sorts 512 indices by itself.
    EXPECT_EQ(requestedByIndex("a100-80gb", 512, dense), (Sizes{4096, 4096, 4096, 4096, 4096, 1}));
    EXPECT_EQ(requestedByIndex("cpu", 512, dense), Sizes{});
}

TEST(IndexScratchTest, valuesThatRepeatAreCopied)
{
    const auto repeated = [](Indexed indexed) { indexed.accumulate(indexed.values.narrow(0, 0, 1)); };
    EXPECT_EQ(requestedByIndex("a100-80gb", 512, repeated), (Sizes{4096, 4096, 512 * 64, 4096, 4096, 4096, 1}));
}

TEST(IndexScratchTest, manyIndicesAreSortedInPasses)
{
    const auto dense = [](Indexed indexed) { indexed.accumulate(indexed.values); };
    const Sizes requested = requestedByIndex("h100-80gb", 8192, dense);
    ASSERT_EQ(requested.size(), 6U);
    EXPECT_EQ(requested.back(), simulator::sortScratch({.count = 8192, .keyBits = 14}, {9, 0})) << "rows up to 9999";
}

TEST(IndexScratchTest, withoutAccumulationNothingIsSorted)
{
    const auto put = [](Indexed indexed) { indexed.table.index_put_({indexed.rows}, indexed.values); };
    EXPECT_EQ(requestedByIndex("a100-80gb", 512, put), Sizes{});
}

// The backward pass of index: into the formula's own zeros, without a copy of them.
TEST(IndexScratchTest, theBackwardPassOfIndexAddsIntoItsZeros)
{
    const auto picked = [](Indexed indexed) { return indexed.table.requires_grad_().index({indexed.rows}); };
    const auto forward = requestedByIndex("a100-80gb", 512, picked);
    EXPECT_EQ(forward, (Sizes{512 * 64}));
    const auto both = requestedByIndex("a100-80gb", 512, [&](Indexed indexed) {
        const at::Tensor rows = picked(indexed);
        rows.backward(at::empty_like(rows));
    });
    EXPECT_EQ(both, (Sizes{512 * 64, 512 * 64, 640000, 4096, 4096, 4096, 4096, 4096, 1}));
}

// EmbeddingBackwardKernel.cu: 8,192 indices and 10,000 rows of 64.
TEST(EmbeddingScratchTest, manyIndicesAreSortedAndSummedInParts)
{
    const auto gradient = [](const at::TensorOptions& options) {
        return std::pair(at::empty({8192, 64}, options), at::empty({8192}, options.dtype(at::kLong)));
    };
    const auto backward = [](const auto& arguments) {
        at::embedding_dense_backward(arguments.first, arguments.second, 10000, -1, false);
    };
    constexpr Bytes kIndices = 8192 * 8, kSums = 8192 / 10 + 8192;
    const Bytes scratch = simulator::sortScratch({.count = 8192}, {8, 0});
    EXPECT_EQ(requestedByCall("a100-80gb", gradient, backward),
        (Sizes{kIndices, kIndices, kIndices, scratch, 10000 * 64 * 4, kIndices, 8, kIndices, 1279, kIndices, kIndices,
            1279, 8, kSums * 8, kSums * 64 * 4}));
    EXPECT_EQ(requestedByCall("cpu", gradient, backward), (Sizes{10000 * 64 * 4}));
}

// What LibTorch 2.11 asked a rehearsed H100 for: 4,000 indices of few rows. LibTorch 2.6 sums before it adds.
TEST(EmbeddingScratchTest, aTableOfFewRowsIsAddedToAtOnce)
{
    const auto requested = [](const std::string& device, std::int64_t rows, at::ScalarType type) {
        const auto gradient = [=](const at::TensorOptions& options) {
            return std::pair(at::empty({4000, 8}, options.dtype(type)), at::empty({4000}, options.dtype(at::kLong)));
        };
        Sizes sizes = requestedByCall(device, gradient, [=](const auto& arguments) {
            at::embedding_dense_backward(arguments.first, arguments.second, rows, -1, false);
        });
        return Sizes(sizes.begin() + 4, sizes.end()); // after those of sorting
    };
    const Sizes start{32000, 8, 32000, 1279};
    const auto after = [&](Bytes table, const Sizes& rest) {
        Sizes all{table};
        all.insert(all.end(), start.begin(), start.end());
        all.insert(all.end(), rest.begin(), rest.end());
        return all;
    };
    EXPECT_EQ(requested("h100-80gb", 64, at::kBFloat16), after(1024, {512, 512, 1279, 8, 3712, 3712, 2048}));
    EXPECT_EQ(requested("h100-80gb", 64, at::kFloat), after(2048, {512, 512, 1279, 8, 3712, 3712}));
    EXPECT_EQ(requested("h100-80gb", 134, at::kFloat), after(4288, {1072, 1072, 1279, 8, 4272, 17088}));
    EXPECT_EQ(requested("h100-80gb@torch-2.5", 64, at::kFloat), after(2048, {512, 512, 1279, 8, 3712, 14848}));
}

// layer_norm_kernel.cu: 100,000 rows of 128 are 3,125 blocks of 32 rows, whose sums are summed up once more.
TEST(NormScratchTest, veryManyShortRowsAreSummedInBlocks)
{
    const auto arguments = [](std::int64_t rows) {
        return [=](const at::TensorOptions& options) {
            return std::pair(at::empty({rows, 128}, options), at::empty({128}, options));
        };
    };
    const auto backward = [](const auto& given) {
        const at::Tensor& input = given.first;
        const at::Tensor statistic = at::empty({input.size(0), 1}, input.options());
        at::native_layer_norm_backward(
            input, input, {128}, statistic, statistic, given.second, given.second, {true, true, true});
    };
    constexpr Bytes kWeight = 512, kBlocks = 3125 * 512;
    EXPECT_EQ(requestedByCall("a100-80gb", arguments(100000), backward),
        (Sizes{400000, 51200000, kWeight, kWeight, kBlocks, kBlocks, kWeight, kWeight}));
    EXPECT_EQ(requestedByCall("a100-80gb", arguments(65536), backward), (Sizes{262144, 33554432, kWeight, kWeight}));
    EXPECT_EQ(requestedByCall("cpu", arguments(100000), backward), (Sizes{400000, 51200000, kWeight, kWeight}));
}

// ForeachReduceOp.cu: chunks of 65,536 elements.
TEST(NormScratchTest, normsOfAListShareTheNormsOfTheirChunks)
{
    const auto list = [](const at::TensorOptions& options) {
        return std::vector<at::Tensor>{at::empty({65537}, options), at::empty({10}, options)};
    };
    const auto norm = [](const std::vector<at::Tensor>& tensors) { at::_foreach_norm(tensors, 2); };
    EXPECT_EQ(requestedByCall("a100-80gb", list, norm), (Sizes{2 * 2 * 4, kScalar, kScalar}));
    EXPECT_EQ(requestedByCall("cpu", list, norm), (Sizes{kScalar, kScalar}));
}

TEST(DropoutOrderTest, theMaskIsThereBeforeTheResult)
{
    const auto input = [](const at::TensorOptions& options) { return at::empty({1000}, options); };
    const auto drop = [](const at::Tensor& tensor) { at::native_dropout(tensor, 0.5, true); };
    EXPECT_EQ(requestedByCall("a100-80gb", input, drop), (Sizes{1000, 4000}));
}

// Blas.cpp: cuBLAS needs rows or columns that lie dense.
TEST(ProductScratchTest, factorsWithoutDenseLinesAreCopied)
{
    const auto factor = [](const at::TensorOptions& options) { return at::empty({256, 256}, options); };
    const auto after = [&](auto product) {
        return requestedByCall(
            "a100-80gb",
            [&](const at::TensorOptions& options) {
                const at::Tensor made = factor(options);
                at::mm(made, made); // takes the workspace
                return made;
            },
            product);
    };
    constexpr Bytes kFactor = 256 * 256 * 4;
    EXPECT_EQ(after([](const at::Tensor& t) { at::mm(t, t.t()); }), (Sizes{kFactor}));
    EXPECT_EQ(after([](const at::Tensor& t) { at::mm(t.narrow(1, 0, 128), t.narrow(0, 0, 128)); }), (Sizes{kFactor}));
    const auto one = [](const at::Tensor& t) { return t.view({-1}).narrow(0, 0, 1).expand({256, 256}); };
    EXPECT_EQ(after([&](const at::Tensor& t) { at::mm(one(t), t); }), (Sizes{kFactor, kFactor}));
    EXPECT_EQ(after([&](const at::Tensor& t) { at::addmm(t, one(t), one(t)); }), (Sizes{kFactor, kFactor, kFactor}));
    EXPECT_EQ(
        after([&](const at::Tensor& t) { at::bmm(one(t).unsqueeze(0), t.unsqueeze(0)); }), (Sizes{kFactor, kFactor}));
    EXPECT_EQ(after([&](const at::Tensor& t) { at::bmm(t.view({4, 64, 256}), t.view({4, 256, 64})); }),
        (Sizes{4 * 64 * 64 * 4}));
}

TEST(ResizedResultsTest, arangeTakesItsBytes)
{
    const auto nothing = [](const at::TensorOptions& options) { return options; };
    const auto places = [](const at::TensorOptions& options) { at::arange(2048, options.dtype(at::kLong)); };
    EXPECT_EQ(requestedByCall("a100-80gb", nothing, places), (Sizes{16384}));
    EXPECT_EQ(requestedByCall("cpu", nothing, places), (Sizes{16384}));
}

} // namespace
} // namespace headroom::collectors::cuda_kernel_scratch_test
