// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Product.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace headroom::rehearsal {
namespace {

struct DataType {
    int number;
    const char* name;
    int bits;
};

// library_types.h of CUDA 12 and 13, which agree where both have a type.
constexpr std::array kDataTypes{DataType{0, "f32", 32}, DataType{1, "f64", 64}, DataType{2, "f16", 16},
    DataType{3, "i8", 8}, DataType{4, "c64", 64}, DataType{5, "c128", 128}, DataType{6, "c32", 32},
    DataType{7, "ci8", 16}, DataType{8, "u8", 8}, DataType{9, "cu8", 16}, DataType{10, "i32", 32},
    DataType{11, "ci32", 64}, DataType{12, "u32", 32}, DataType{13, "cu32", 64}, DataType{14, "bf16", 16},
    DataType{15, "cbf16", 32}, DataType{16, "i4", 4}, DataType{17, "ci4", 8}, DataType{18, "u4", 4},
    DataType{19, "cu4", 8}, DataType{20, "i16", 16}, DataType{21, "ci16", 32}, DataType{22, "u16", 16},
    DataType{23, "cu16", 32}, DataType{24, "i64", 64}, DataType{25, "ci64", 128}, DataType{26, "u64", 64},
    DataType{27, "cu64", 128}, DataType{28, "e4m3", 8}, DataType{29, "e5m2", 8}, DataType{30, "ue8m0", 8},
    DataType{31, "e2m3", 6}, DataType{32, "e3m2", 6}, DataType{33, "e2m1", 4}};

const DataType* dataTypeOf(int number)
{
    const auto* found = std::find_if(
        kDataTypes.begin(), kDataTypes.end(), [number](const DataType& type) { return type.number == number; });
    return found == kDataTypes.end() ? nullptr : found;
}

// The accounts of blocks are those of a kernel with tiles of 128 x 128: what a profile shows, nothing depends on it.
unsigned blocksFor(std::int64_t extent)
{
    constexpr std::int64_t kTile = 128;
    return static_cast<unsigned>(std::clamp<std::int64_t>((extent + kTile - 1) / kTile, 1, 65535));
}

} // namespace

const char* dataTypeName(int dataType)
{
    if (const DataType* type = dataTypeOf(dataType))
        return type->name;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "type %d", dataType);
    return internedName(text.data());
}

int dataTypeBits(int dataType)
{
    const DataType* type = dataTypeOf(dataType);
    return type == nullptr ? 0 : type->bits;
}

int launchProduct(const char* operation, const Product& product, CUstream_st* stream)
{
    std::array<char, 192> types{};
    if (product.typeA == product.typeB && product.typeA == product.typeC)
        std::snprintf(types.data(), types.size(), "%s", dataTypeName(product.typeA));
    else
        std::snprintf(types.data(), types.size(), "%s*%s>%s", dataTypeName(product.typeA), dataTypeName(product.typeB),
            dataTypeName(product.typeC));
    std::array<char, 320> name{};
    std::snprintf(name.data(), name.size(), "%s %s %c%c %lldx%lldx%lld batch %lld", operation, types.data(),
        product.transposedA ? 'T' : 'N', product.transposedB ? 'T' : 'N', static_cast<long long>(product.m),
        static_cast<long long>(product.n), static_cast<long long>(product.k), static_cast<long long>(product.batch));
    Launch launched;
    launched.name = internedName(name.data());
    launched.grid = {blocksFor(product.m), blocksFor(product.n), blocksFor(product.batch * 128)};
    launched.block = {256, 1, 1};
    launched.stream = stream;
    launched.product = product;
    return launch(launched);
}

} // namespace headroom::rehearsal
