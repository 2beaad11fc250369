// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

/// The descriptors of cuBLASLt. Callers may keep them in memory of their own, of the documented sizes, so each fits
/// into the opaque struct that it stands for and is a plain value.
namespace headroom::rehearsal::blaslt {

struct Layout {
    std::uint32_t type = 0;
    std::int32_t order = 0; ///< 0: columns
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::int64_t leading = 0;
    std::int32_t batch = 1;
    std::uint32_t batchMode = 0;
    std::int64_t batchStride = 0;
    std::int64_t planeOffset = 0;
};

struct Multiplication {
    std::int32_t computeType = 0;
    std::int32_t scaleType = 0;
    std::int32_t pointerMode = 0;
    std::int32_t transposeA = 0;
    std::int32_t transposeB = 0;
    std::int32_t transposeC = 0;
    std::int32_t fillMode = 2; // CUBLAS_FILL_MODE_FULL
    std::uint32_t epilogue = 1;
    const void* bias = nullptr;
    std::int64_t biasStride = 0;
    void* auxiliary = nullptr;
    std::int64_t auxiliaryLeading = 0;
    std::int64_t auxiliaryStride = 0;
    std::int64_t alphaStride = 0;
    std::int32_t multiprocessorTarget = 0;
    std::int32_t auxiliaryType = -1;
    const void* scaleA = nullptr;
    const void* scaleB = nullptr;
    const void* scaleC = nullptr;
    const void* scaleD = nullptr;
    void* greatestD = nullptr;
    const void* auxiliaryScale = nullptr;
    void* auxiliaryGreatest = nullptr;
    void* counters[2] = {nullptr, nullptr};
    void* scaleOutD = nullptr;
    std::int32_t biasType = -1;
    std::int32_t chunkRows = 0;
    std::int32_t chunkColumns = 0;
    std::int32_t emulation = 0;
    std::int8_t scaleModes[6] = {0, 0, 0, 0, 0, 0}; // A, B, C, D, the auxiliary, D out
    std::int8_t fastAccumulation = 0;
};

struct Preference {
    std::uint64_t workspaceBytes = 0;
    std::uint64_t implementations = ~std::uint64_t{0};
    std::uint32_t searchMode = 0;
    std::uint32_t reductions = 7;
    std::uint32_t alignments[4] = {256, 256, 256, 256};
    float mostWaves = 0;
};

struct Transformation {
    std::int32_t scaleType = 0;
    std::int32_t pointerMode = 0;
    std::int32_t transposeA = 0;
    std::int32_t transposeB = 0;
};

struct Algorithm {
    std::uint32_t magic = kMagic;
    std::int32_t id = 0;
    std::uint32_t tile = 0;
    std::int32_t splits = 1;
    std::uint32_t reduction = 0;
    std::uint32_t swizzle = 0;
    std::uint32_t customOption = 0;
    std::uint32_t stages = 0;
    std::uint16_t innerShape = 0;
    std::uint16_t clusterShape = 0;

    static constexpr std::uint32_t kMagic = 0x616c676f;
};

struct HeuristicResult {
    std::uint64_t algorithm[8];
    std::uint64_t workspaceBytes;
    std::int32_t state;
    float waves;
    std::int32_t reserved[4];
};

static_assert(sizeof(Layout) <= 64 && std::is_trivially_copyable_v<Layout>);
static_assert(sizeof(Multiplication) <= 256 && std::is_trivially_copyable_v<Multiplication>);
static_assert(sizeof(Preference) <= 64 && std::is_trivially_copyable_v<Preference>);
static_assert(sizeof(Transformation) <= 64 && std::is_trivially_copyable_v<Transformation>);
static_assert(sizeof(Algorithm) <= 64 && std::is_trivially_copyable_v<Algorithm>);
static_assert(sizeof(HeuristicResult) == 96);

} // namespace headroom::rehearsal::blaslt
