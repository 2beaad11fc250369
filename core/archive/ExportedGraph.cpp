// SPDX-License-Identifier: Apache-2.0
#include "core/archive/ExportedGraph.h"

#include <algorithm>
#include <array>
#include <limits>

namespace headroom::archive {
namespace {

struct ScalarTypeRow {
    int number;
    const char* name;
    std::int64_t bytes;
    bool isFloating;
};

// torch._export.serde.schema.ScalarType
constexpr std::array<ScalarTypeRow, 18> kScalarTypes{
    {{1, "uint8", 1, false}, {2, "int8", 1, false}, {3, "int16", 2, false}, {4, "int32", 4, false},
        {5, "int64", 8, false}, {6, "float16", 2, true}, {7, "float32", 4, true}, {8, "float64", 8, true},
        {9, "complex32", 4, false}, {10, "complex64", 8, false}, {11, "complex128", 16, false}, {12, "bool", 1, false},
        {13, "bfloat16", 2, true}, {28, "uint16", 2, false}, {29, "float8_e4m3fn", 1, true},
        {30, "float8_e5m2", 1, true}, {31, "float8_e4m3fnuz", 1, true}, {32, "float8_e5m2fnuz", 1, true}}};

const ScalarTypeRow* rowOf(int number)
{
    for (const ScalarTypeRow& row : kScalarTypes)
        if (row.number == number)
            return &row;
    return nullptr;
}

} // namespace

std::int64_t TensorInfo::elements(const SymbolValues& values) const
{
    std::int64_t product = 1;
    for (const Size& size : sizes)
        if (__builtin_mul_overflow(product, size.at(values), &product))
            return std::numeric_limits<std::int64_t>::max();
    return product;
}

std::vector<std::string> valuesOf(const Argument& argument)
{
    std::vector<std::string> values;
    forEachValue(argument, [&](const std::string& value) { values.push_back(value); });
    return values;
}

std::string onlyResult(const Node& node)
{
    return node.outputs.size() == 1 && node.outputs.front().kind == ArgumentKind::Tensor ? node.outputs.front().name
                                                                                         : std::string();
}

std::string atenName(const Node& node)
{
    constexpr std::string_view kAten = "torch.ops.aten.";
    if (!node.target.starts_with(kAten))
        return {};
    return node.target.substr(kAten.size(), node.target.find('.', kAten.size()) - kAten.size());
}

const Argument* argumentOf(const Node& node, std::string_view name)
{
    const auto found = std::ranges::find(node.inputs, name, &NamedArgument::name);
    return found == node.inputs.end() ? nullptr : &found->value;
}

std::string placeOf(const Node& node)
{
    std::string place = node.module().empty() ? "the model's own forward" : node.module();
    return node.source.empty() ? place : place + " (" + node.source + ")";
}

std::string scalarTypeName(int scalarType)
{
    const ScalarTypeRow* row = rowOf(scalarType);
    return row == nullptr ? std::string() : row->name;
}

std::int64_t scalarTypeBytes(int scalarType)
{
    const ScalarTypeRow* row = rowOf(scalarType);
    return row == nullptr ? 0 : row->bytes;
}

bool isFloatingScalarType(int scalarType)
{
    const ScalarTypeRow* row = rowOf(scalarType);
    return row != nullptr && row->isFloating;
}

} // namespace headroom::archive
