// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/AttentionRules.h"

#include "profiling/simulator/rules/CeilDivide.h"

#include <algorithm>
#include <cmath>

namespace headroom::simulator {
namespace {

constexpr Bytes kFloatBytes = 4;

bool isHalf(MathType type)
{
    return type == MathType::Float16 || type == MathType::Bfloat16;
}

Bytes elementBytes(MathType type)
{
    if (type == MathType::Float64)
        return 8;
    return isHalf(type) ? 2 : kFloatBytes;
}

// Sums are kept in float32, and in float64 for float64.
Bytes sumBytes(MathType type)
{
    return type == MathType::Float64 ? 8 : kFloatBytes;
}

std::int64_t batchHeads(const AttentionShape& shape)
{
    return shape.batch * shape.heads;
}

// bfloat16 needs Ampere's tensor cores.
bool hasHalfUnits(const AttentionCall& call, ComputeCapability capability)
{
    return call.type == MathType::Float16 || (call.type == MathType::Bfloat16 && capability >= ComputeCapability{8, 0});
}

// 100 KB for a multiprocessor, where the others from 8.0 on have at least 164.
bool hasSmallSharedMemory(ComputeCapability capability)
{
    return (capability >= ComputeCapability{8, 6} && capability < ComputeCapability{9, 0})
        || capability >= ComputeCapability{12, 0};
}

// check_requires_grad_and_head_dim_gt192_constraints_on_sm86_89_or_120: with gradients, heads of 193 to 224 channels,
// and larger ones with dropout.
bool lacksSharedMemory(const AttentionCall& call, ComputeCapability capability)
{
    const std::int64_t headDim = call.shape.headDim;
    return hasSmallSharedMemory(capability) && call.gradients == Gradients::Needed
        && ((headDim > 192 && headDim <= 224) || (headDim > 224 && call.dropout > 0));
}

bool canFlash(const AttentionCall& call, ComputeCapability capability)
{
    return call.mask == AttentionMask::None && isHalf(call.type) && capability >= ComputeCapability{8, 0}
    && call.shape.headDim == call.shape.valueDim && call.shape.headDim <= 256 && !lacksSharedMemory(call, capability);
}

// minimum_gemm_alignment
std::int64_t efficientAlignment(MathType type, ComputeCapability capability)
{
    if (isHalf(type))
        return 8;
    return capability >= ComputeCapability{8, 0} ? 4 : 1;
}

bool canEfficient(const AttentionCall& call, ComputeCapability capability)
{
    if (call.type != MathType::Float32 && !hasHalfUnits(call, capability))
        return false;
    if (call.sharesKeys) // check_batch_size_and_num_heads_dense: only flash and cuDNN take grouped keys
        return false;
    const std::int64_t alignment = efficientAlignment(call.type, capability);
    return call.shape.headDim % alignment == 0 && call.shape.valueDim % alignment == 0;
}

// check_attn_mask_shape: no mask with a gradient.
bool canCudnn(const AttentionCall& call, ComputeCapability capability)
{
    return call.mask != AttentionMask::Trained && isHalf(call.type) && capability >= ComputeCapability{8, 0}
    && call.shape.headDim % 8 == 0 && call.shape.valueDim % 8 == 0
        && std::max(call.shape.headDim, call.shape.valueDim) <= 128;
}

bool canRun(AttentionBackend backend, const AttentionCall& call, ComputeCapability capability)
{
    switch (backend) {
    case AttentionBackend::Flash:
        return canFlash(call, capability);
    case AttentionBackend::Efficient:
        return canEfficient(call, capability);
    case AttentionBackend::Cudnn:
        return canCudnn(call, capability);
    case AttentionBackend::Math:
        break;
    }
    return true;
}

// The utilisation of the last wave of blocks with this many splits.
double waveEfficiency(std::int64_t blocks, std::int64_t splits, std::int64_t units)
{
    const double waves = static_cast<double>(blocks * splits) / static_cast<double>(units);
    return waves / std::ceil(waves);
}

// A split that leaves the piece size unchanged has no effect.
bool changesPieces(std::int64_t keyBlocks, std::int64_t splits)
{
    return splits == 1 || ceilDivide(keyBlocks, splits) != ceilDivide(keyBlocks, splits - 1);
}

std::int64_t flashKeyBlock(std::int64_t headDim)
{
    if (headDim <= 64)
        return 256;
    return headDim <= 128 ? 128 : 64;
}

std::int64_t flashHeadDim(std::int64_t headDim)
{
    return roundUp(headDim, headDim <= 128 ? 32 : 64);
}

// What a block of the memory-efficient backward kernel works on, by the largest head that a kernel takes and what the
// device's shared memory has room for. `sumsKeys`: gradients of keys and values are summed in float32 outside of
// registers.
struct EfficientTile {
    std::int64_t queries = 64;
    std::int64_t columns = 64;
    bool sumsKeys = false;
};

EfficientTile efficientTile(const AttentionShape& shape, MathType type, ComputeCapability capability)
{
    const std::int64_t largest = std::max(shape.headDim, shape.valueDim);
    const bool isOld = capability < ComputeCapability{8, 0};
    const bool isSmall = hasSmallSharedMemory(capability);
    if (largest <= 64)
        return {64, 64};
    if (!isHalf(type))
        return isSmall || isOld ? EfficientTile{64, 64} : EfficientTile{128, 64};
    if (largest > 128)
        return {128, 64, true};
    if (isOld || (isSmall && largest <= 96 && capability < ComputeCapability{9, 0}))
        return {128, 64};
    return isSmall ? EfficientTile{64, 64, true} : EfficientTile{128, 128};
}

// Rows of keys in steps of a block, columns in steps of a tile.
Bytes keySums(const AttentionShape& shape, std::int64_t columns)
{
    return roundUp(shape.keys, 64) * roundUp(columns, 128) * kFloatBytes;
}

std::int64_t cpuQueryBlock(std::int64_t queries)
{
    if (queries >= 768)
        return 256;
    return std::min<std::int64_t>(queries, queries >= 192 ? 64 : 32);
}

std::int64_t cpuKeyBlock(std::int64_t keys)
{
    return std::min<std::int64_t>(keys, 512);
}

} // namespace

AttentionBackend chooseAttention(const AttentionCall& call, std::span<const AttentionBackend> allowed,
    const RuntimeProfile& runtime, ComputeCapability capability)
{
    for (const AttentionBackend backend : runtime.attentionOrder(capability))
        if (std::ranges::find(allowed, backend) != allowed.end() && canRun(backend, call, capability))
            return backend;
    return AttentionBackend::Math;
}

std::int64_t flashSplits(const AttentionShape& shape, std::int64_t multiprocessors)
{
    constexpr std::int64_t kQueryBlock = 64;
    constexpr std::int64_t kMostSplits = 128;
    const std::int64_t units = 2 * multiprocessors;
    const std::int64_t blocks = batchHeads(shape) * ceilDivide(shape.queries, kQueryBlock);
    if (static_cast<double>(blocks) >= 0.8 * static_cast<double>(units))
        return 1;
    const std::int64_t keyBlocks = ceilDivide(shape.keys, flashKeyBlock(shape.headDim));
    const std::int64_t most = std::min({kMostSplits, units, keyBlocks});
    double best = 0;
    for (std::int64_t splits = 1; splits <= most; ++splits)
        if (changesPieces(keyBlocks, splits))
            best = std::max(best, waveEfficiency(blocks, splits, units));
    for (std::int64_t splits = 1; splits <= most; ++splits)
        if (changesPieces(keyBlocks, splits) && waveEfficiency(blocks, splits, units) >= 0.85 * best)
            return splits;
    return 1;
}

std::vector<Bytes> flashForwardScratch(const AttentionShape& shape, std::int64_t multiprocessors)
{
    const std::int64_t splits = flashSplits(shape, multiprocessors);
    if (splits == 1)
        return {};
    const Bytes rows = splits * batchHeads(shape) * shape.queries;
    return {rows * kFloatBytes, rows * flashHeadDim(shape.headDim) * kFloatBytes};
}

std::vector<Bytes> flashBackwardScratch(const AttentionShape& shape)
{
    const Bytes rows = batchHeads(shape) * roundUp(shape.queries, 128);
    return {rows * kFloatBytes, rows * flashHeadDim(shape.headDim) * kFloatBytes};
}

std::vector<Bytes> cudnnBackwardScratch(const AttentionShape& shape)
{
    return {batchHeads(shape) * shape.queries * (shape.headDim + 1) * kFloatBytes};
}

std::int64_t efficientLogsumexpQueries(std::int64_t queries)
{
    return roundUp(queries, 32);
}

std::vector<Bytes> efficientForwardScratch(const AttentionShape& shape, MathType type)
{
    constexpr std::int64_t kLargestHeadInRegisters = 128;
    if (shape.valueDim <= kLargestHeadInRegisters || !isHalf(type))
        return {};
    return {batchHeads(shape) * shape.queries * shape.valueDim * kFloatBytes};
}

bool efficientSumsDelta(MathType type)
{
    return isHalf(type);
}

// The queries' gradient is summed in float32, one tile and 16 bytes of bookkeeping per block of queries.
std::vector<Bytes> efficientBackwardScratch(const AttentionShape& shape, MathType type, ComputeCapability capability)
{
    constexpr Bytes kBookkeepingBytes = 16;
    const Bytes delta = batchHeads(shape) * shape.queries * kFloatBytes;
    const EfficientTile tile = efficientTile(shape, type, capability);
    const std::int64_t tiles = ceilDivide(shape.queries, tile.queries) * ceilDivide(shape.headDim, tile.columns);
    Bytes sums = tiles * (tile.queries * tile.columns * kFloatBytes + kBookkeepingBytes);
    if (tile.sumsKeys)
        sums += keySums(shape, shape.headDim) + keySums(shape, shape.valueDim);
    return {delta, batchHeads(shape) * sums};
}

std::vector<Bytes> cpuFlashForwardScratch(const AttentionShape& shape, MathType type, std::int64_t threads)
{
    const std::int64_t queries = cpuQueryBlock(shape.queries);
    const std::int64_t keys = cpuKeyBlock(shape.keys);
    std::vector<Bytes> scratch{threads * queries * (keys + 2 + shape.headDim) * sumBytes(type)};
    if (isHalf(type))
        scratch.push_back(threads * queries * keys * elementBytes(type));
    return scratch;
}

std::vector<Bytes> cpuFlashBackwardScratch(const AttentionShape& shape, MathType type, std::int64_t threads)
{
    const std::int64_t scores = 2 * cpuQueryBlock(shape.queries) * cpuKeyBlock(shape.keys);
    std::vector<Bytes> scratch{threads * scores * sumBytes(type)};
    if (isHalf(type))
        scratch.push_back(threads * scores * elementBytes(type));
    for (std::int64_t thread = 0; thread < std::min(threads, batchHeads(shape)); ++thread)
        scratch.push_back(cpuQueryBlock(shape.queries) * sumBytes(type));
    return scratch;
}

double attentionForwardFlops(const AttentionShape& shape)
{
    return 2.0 * static_cast<double>(batchHeads(shape)) * static_cast<double>(shape.queries)
        * static_cast<double>(shape.keys) * static_cast<double>(shape.headDim + shape.valueDim);
}

double fusedAttentionBackwardFlops(const AttentionShape& shape)
{
    return 2.0 * static_cast<double>(batchHeads(shape)) * static_cast<double>(shape.queries)
        * static_cast<double>(shape.keys) * static_cast<double>(3 * shape.headDim + 2 * shape.valueDim);
}

} // namespace headroom::simulator
