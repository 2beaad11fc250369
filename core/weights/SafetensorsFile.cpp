// SPDX-License-Identifier: Apache-2.0
#include "core/weights/SafetensorsFile.h"

#include "core/base/Error.h"

#include <algorithm>

namespace headroom::tensor {
namespace {

constexpr Bytes kFileLengthBytes = 8;

// Little endian; a length above the limit is returned as the limit plus one.
Bytes lengthOf(std::span<const char> bytes)
{
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        length |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return static_cast<Bytes>(std::min(length, static_cast<std::uint64_t>(kMaxSafetensorsHeaderBytes) + 1));
}

} // namespace

SafetensorsFile::SafetensorsFile(std::filesystem::path path)
    : m_file(std::move(path))
{
    const std::string where = m_file.path().string();
    if (m_file.size() < kFileLengthBytes)
        throw FileError("is not a safetensors file: it is too short for the 8 bytes of its header's length", where);
    const Bytes length = lengthOf(m_file.map(0, kFileLengthBytes)->data());
    const Bytes room = m_file.size() - kFileLengthBytes;
    if (length > kMaxSafetensorsHeaderBytes || length > room)
        throw FileError("is truncated or no safetensors file: its header does not end within it", where,
            "a header of at most " + std::to_string(std::min(kMaxSafetensorsHeaderBytes, room)) + " bytes");
    const auto text = m_file.map(kFileLengthBytes, length);
    m_header = parseSafetensorsHeader({text->data().data(), text->data().size()}, room - length, where);
    m_dataBegin = kFileLengthBytes + length;
}

const SafetensorsEntry& SafetensorsFile::entry(const std::string& name) const
{
    const auto found = m_header.tensors.find(name);
    if (found == m_header.tensors.end())
        throw FileError("has no tensor \"" + name + "\"", path().string());
    return found->second;
}

std::shared_ptr<const MappedBytes> SafetensorsFile::data(const SafetensorsEntry& entry) const
{
    return m_file.map(m_dataBegin + entry.begin, entry.end - entry.begin);
}

} // namespace headroom::tensor
