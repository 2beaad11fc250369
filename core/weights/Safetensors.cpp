// SPDX-License-Identifier: Apache-2.0
#include "core/weights/Safetensors.h"

#include "core/base/Error.h"
#include "core/base/ReplacedFile.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace headroom::tensor {
namespace {

static_assert(std::endian::native == std::endian::little, "data are written as they lie in memory");

constexpr std::size_t kHeaderLengthBytes = 8;

const std::vector<std::pair<std::string, c10::ScalarType>>& dtypes()
{
    static const std::vector<std::pair<std::string, c10::ScalarType>> dtypes{{"F64", at::kDouble}, {"I64", at::kLong},
        {"F32", at::kFloat}, {"F16", at::kHalf}, {"BF16", at::kBFloat16}, {"F8_E4M3", at::kFloat8_e4m3fn},
        {"F8_E5M2", at::kFloat8_e5m2}, {"I32", at::kInt}, {"I16", at::kShort}, {"I8", at::kChar}, {"U8", at::kByte},
        {"BOOL", at::kBool}};
    return dtypes;
}

std::string dtypeOf(const std::string& name, const at::Tensor& tensor)
{
    for (const auto& [text, type] : dtypes())
        if (type == tensor.scalar_type())
            return text;
    throw UsageError("tensor \"" + name + "\" is of " + c10::toString(tensor.scalar_type())
            + ", which a safetensors file has no word for",
        "safetensors",
        "float64, float32, float16, bfloat16, float8 e4m3fn and e5m2, int64, int32, int16, int8, uint8, bool");
}

// The largest element sizes come first, so that each tensor's offset is a multiple of its element size.
NamedTensors inFileOrder(NamedTensors tensors)
{
    std::ranges::stable_sort(tensors,
        [](const auto& left, const auto& right) { return left.second.element_size() > right.second.element_size(); });
    return tensors;
}

SafetensorsHeader headerOf(const NamedTensors& tensors, const std::map<std::string, std::string>& metadata)
{
    SafetensorsHeader header{{}, metadata};
    Bytes begin = 0;
    for (const auto& [name, tensor] : tensors) {
        if (tensor.is_meta())
            throw UsageError(
                "tensor \"" + name + "\" is simulated and has no bytes", "safetensors", "a device that runs");
        const Bytes end = begin + static_cast<Bytes>(tensor.nbytes());
        if (!header.tensors.emplace(name, SafetensorsEntry{dtypeOf(name, tensor), tensor.sizes().vec(), begin, end})
                .second)
            throw UsageError("two tensors are named \"" + name + "\"", "safetensors", "names that differ");
        begin = end;
    }
    return header;
}

void writeBytes(ReplacedFile& file, const NamedTensors& tensors, const std::string& header)
{
    std::array<char, kHeaderLengthBytes> length{};
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] = static_cast<char>(header.size() >> (8 * i) & 0xFF);
    file.write({length.data(), length.size()});
    file.write(header);
    for (const auto& [name, tensor] : tensors) {
        const at::Tensor data = tensor.detach().to(at::kCPU).contiguous();
        file.write({static_cast<const char*>(data.const_data_ptr()), data.nbytes()});
    }
}

bool isAligned(const void* data, c10::ScalarType type)
{
    return reinterpret_cast<std::uintptr_t>(data) % c10::elementSize(type) == 0;
}

} // namespace

c10::ScalarType scalarTypeOf(const SafetensorsEntry& entry)
{
    return std::ranges::find(dtypes(), entry.dtype, [](const auto& item) { return item.first; })->second;
}

SafetensorsReader::SafetensorsReader(std::filesystem::path path)
    : m_file(std::make_shared<SafetensorsFile>(std::move(path)))
{
}

// A byte other than 0 and 1 is not a valid bool in C++.
at::Tensor SafetensorsReader::read(const std::string& name) const
{
    const SafetensorsEntry& entry = m_file->entry(name);
    const c10::ScalarType type = scalarTypeOf(entry);
    const auto bytes = m_file->data(entry);
    at::Tensor tensor = at::empty(entry.shape, type == at::kBool ? at::kByte : type);
    if (!bytes->data().empty())
        std::memcpy(tensor.mutable_data_ptr(), bytes->data().data(), bytes->data().size());
    return type == at::kBool ? tensor.ne(0) : tensor;
}

at::Tensor SafetensorsReader::view(const std::string& name) const
{
    const SafetensorsEntry& entry = m_file->entry(name);
    const auto bytes = m_file->data(entry);
    const c10::ScalarType type = scalarTypeOf(entry);
    if (bytes->data().empty() || type == at::kBool || !isAligned(bytes->data().data(), type))
        return read(name);
    return at::from_blob(bytes->data().data(), entry.shape, [bytes](void*) { }, at::TensorOptions(type));
}

void writeSafetensors(
    const std::filesystem::path& path, const NamedTensors& tensors, const std::map<std::string, std::string>& metadata)
{
    const NamedTensors ordered = inFileOrder(tensors);
    const std::string header = toText(headerOf(ordered, metadata));
    ReplacedFile file(path);
    writeBytes(file, ordered, header);
    file.commit();
}

} // namespace headroom::tensor
