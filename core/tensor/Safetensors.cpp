// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/Safetensors.h"

#include "core/config/Error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>

namespace headroom::tensor {
namespace {

static_assert(std::endian::native == std::endian::little, "data are written as they lie in memory");

constexpr Bytes kLengthBytes = 8;

const std::vector<std::pair<std::string, c10::ScalarType>>& dtypes()
{
    static const std::vector<std::pair<std::string, c10::ScalarType>> dtypes{{"F64", at::kDouble}, {"I64", at::kLong},
        {"F32", at::kFloat}, {"F16", at::kHalf}, {"BF16", at::kBFloat16}, {"F8_E4M3", at::kFloat8_e4m3fn},
        {"F8_E5M2", at::kFloat8_e5m2}, {"U8", at::kByte}, {"BOOL", at::kBool}};
    return dtypes;
}

c10::ScalarType scalarTypeOf(const std::string& dtype)
{
    return std::ranges::find(dtypes(), dtype, [](const auto& item) { return item.first; })->second;
}

std::string dtypeOf(const std::string& name, const at::Tensor& tensor)
{
    for (const auto& [text, type] : dtypes())
        if (type == tensor.scalar_type())
            return text;
    throw UsageError("tensor \"" + name + "\" is of " + c10::toString(tensor.scalar_type())
            + ", which a safetensors file has no word for",
        "safetensors", "float64, float32, float16, bfloat16, float8 e4m3fn and e5m2, int64, uint8, bool");
}

// The largest elements first, so that each tensor lies at a multiple of its element.
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

void writeBytes(std::ostream& file, const NamedTensors& tensors, const std::string& header)
{
    std::array<char, kLengthBytes> length{};
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] = static_cast<char>(header.size() >> (8 * i) & 0xFF);
    file.write(length.data(), length.size());
    file.write(header.data(), static_cast<std::streamsize>(header.size()));
    for (const auto& [name, tensor] : tensors) {
        const at::Tensor data = tensor.detach().to(at::kCPU).contiguous();
        file.write(static_cast<const char*>(data.const_data_ptr()), static_cast<std::streamsize>(data.nbytes()));
    }
    file.flush();
}

Bytes lengthOf(const std::array<char, kLengthBytes>& bytes)
{
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        length |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return length > static_cast<std::uint64_t>(kMaxSafetensorsHeaderBytes) ? kMaxSafetensorsHeaderBytes + 1
                                                                           : static_cast<Bytes>(length);
}

std::ifstream opened(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw FileError("cannot be opened for reading", path.string());
    return file;
}

} // namespace

SafetensorsReader::SafetensorsReader(std::filesystem::path path)
    : m_path(std::move(path))
{
    std::error_code error;
    const auto size = static_cast<Bytes>(std::filesystem::file_size(m_path, error));
    std::ifstream file = opened(m_path);
    std::array<char, kLengthBytes> lengthBytes{};
    if (error || !file.read(lengthBytes.data(), lengthBytes.size()))
        throw FileError("is no safetensors file: it has no 8 bytes for the length of its header", m_path.string());
    const Bytes length = lengthOf(lengthBytes);
    if (length > kMaxSafetensorsHeaderBytes || length > size - kLengthBytes)
        throw FileError("is truncated or no safetensors file: its header does not end within it", m_path.string(),
            "a header of at most " + std::to_string(std::min(kMaxSafetensorsHeaderBytes, size - kLengthBytes))
                + " bytes");
    std::string text(static_cast<std::size_t>(length), '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(text.size())))
        throw FileError("its header cannot be read", m_path.string());
    m_dataBegin = kLengthBytes + length;
    m_header = parseSafetensorsHeader(text, size - m_dataBegin, m_path.string());
}

at::Tensor SafetensorsReader::read(const std::string& name) const
{
    const auto found = m_header.tensors.find(name);
    if (found == m_header.tensors.end())
        throw FileError("has no tensor \"" + name + "\"", m_path.string());
    const SafetensorsEntry& entry = found->second;
    at::Tensor tensor = at::empty(entry.shape, scalarTypeOf(entry.dtype));
    std::ifstream file = opened(m_path);
    file.seekg(m_dataBegin + entry.begin);
    if (entry.end > entry.begin
        && !file.read(
            static_cast<char*>(tensor.mutable_data_ptr()), static_cast<std::streamsize>(entry.end - entry.begin)))
        throw FileError("tensor \"" + name + "\" cannot be read", m_path.string());
    return tensor;
}

void writeSafetensors(
    const std::filesystem::path& path, const NamedTensors& tensors, const std::map<std::string, std::string>& metadata)
{
    const NamedTensors ordered = inFileOrder(tensors);
    const std::string header = toText(headerOf(ordered, metadata));
    const std::filesystem::path part = path.string() + ".part";
    {
        std::ofstream file(part, std::ios::binary | std::ios::trunc);
        if (file)
            writeBytes(file, ordered, header);
        if (!file) {
            std::error_code ignored;
            std::filesystem::remove(part, ignored);
            throw FileError("cannot be written", path.string());
        }
    }
    std::error_code error;
    std::filesystem::rename(part, path, error);
    if (error)
        throw FileError("cannot be written: " + error.message(), path.string());
}

} // namespace headroom::tensor
