// SPDX-License-Identifier: Apache-2.0
#include "core/weights/SafetensorsHeader.h"

#include "core/base/Error.h"
#include "core/weights/SafetensorsJson.h"

#include <algorithm>

namespace headroom::tensor {
namespace {

using Json = nlohmann::json;

const std::map<std::string, Bytes>& elementBytes()
{
    static const std::map<std::string, Bytes> bytes{{"BF16", 2}, {"BOOL", 1}, {"F16", 2}, {"F32", 4}, {"F64", 8},
        {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"I16", 2}, {"I32", 4}, {"I64", 8}, {"I8", 1}, {"U8", 1}};
    return bytes;
}

std::string dtypeNames()
{
    std::string names;
    for (const auto& [name, bytes] : elementBytes())
        names += (names.empty() ? "" : ", ") + name;
    return names;
}

/// Checks what a header states about its tensors; `where` is the file.
class HeaderCheck {
public:
    HeaderCheck(const std::string& where, Bytes dataBytes)
        : m_where(where)
        , m_dataBytes(dataBytes)
    {
    }

    void check(const SafetensorsHeader& header) const
    {
        for (const auto& [name, entry] : header.tensors)
            checkEntry(name, entry);
        checkCover(header);
    }

private:
    [[noreturn]] void refuse(const std::string& tensor, const std::string& what, const std::string& valid = {}) const
    {
        throw FileError("tensor \"" + shownName(tensor) + "\": " + what, m_where, valid);
    }

    void checkEntry(const std::string& name, const SafetensorsEntry& entry) const
    {
        if (safetensorsElementBytes(entry.dtype) == 0)
            refuse(name, "unknown dtype \"" + shownName(entry.dtype) + "\"", dtypeNames());
        if (entry.begin > entry.end || entry.end > m_dataBytes)
            refuse(name, "its data_offsets do not lie in the file",
                "begin and end in ascending order, up to " + std::to_string(m_dataBytes));
        checkSize(name, entry);
    }

    void checkSize(const std::string& name, const SafetensorsEntry& entry) const
    {
        Bytes bytes = safetensorsElementBytes(entry.dtype);
        Bytes span = bytes; // strides grow with the other extents even if one of them is 0
        for (const std::int64_t extent : entry.shape) {
            if (__builtin_mul_overflow(span, std::max<std::int64_t>(extent, 1), &span))
                refuse(name, "its shape is too large for any file");
            bytes *= extent;
        }
        if (bytes != entry.end - entry.begin)
            refuse(name,
                "its data are " + std::to_string(entry.end - entry.begin) + " bytes, its shape and dtype need "
                    + std::to_string(bytes));
    }

    void checkCover(const SafetensorsHeader& header) const
    {
        std::vector<std::pair<const std::string*, const SafetensorsEntry*>> entries;
        for (const auto& [name, entry] : header.tensors)
            entries.emplace_back(&name, &entry);
        std::ranges::sort(
            entries, {}, [](const auto& item) { return std::pair(item.second->begin, item.second->end); });
        Bytes covered = 0;
        for (const auto& [name, entry] : entries) {
            if (entry->begin < covered)
                refuse(*name, "its data overlap those of another tensor");
            if (entry->begin > covered)
                refuse(*name, "there are bytes before its data that belong to no tensor");
            covered = entry->end;
        }
        if (covered != m_dataBytes)
            throw FileError(std::to_string(m_dataBytes - covered) + " bytes at its end belong to no tensor", m_where);
    }

    const std::string& m_where;
    Bytes m_dataBytes;
};

} // namespace

Bytes safetensorsElementBytes(const std::string& dtype)
{
    const auto found = elementBytes().find(dtype);
    return found == elementBytes().end() ? 0 : found->second;
}

SafetensorsHeader parseSafetensorsHeader(std::string_view json, Bytes dataBytes, const std::string& where)
{
    SafetensorsJson reader(where);
    Json::sax_parse(json.begin(), json.end(), &reader);
    SafetensorsHeader header = reader.takeHeader();
    HeaderCheck(where, dataBytes).check(header);
    return header;
}

std::string toText(const SafetensorsHeader& header)
{
    Json json = Json::object();
    if (!header.metadata.empty())
        json["__metadata__"] = header.metadata;
    for (const auto& [name, entry] : header.tensors)
        json[name] = {{"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {entry.begin, entry.end}}};
    std::string text = json.dump();
    text.resize(static_cast<std::size_t>(roundUp(static_cast<Bytes>(text.size()), 8)), ' ');
    return text;
}

} // namespace headroom::tensor
