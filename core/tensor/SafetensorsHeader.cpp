// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/SafetensorsHeader.h"

#include "core/config/Error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace headroom::tensor {
namespace {

using Json = nlohmann::json;

constexpr const char* kMetadata = "__metadata__";

const std::map<std::string, Bytes>& elementBytes()
{
    static const std::map<std::string, Bytes> bytes{{"BF16", 2}, {"BOOL", 1}, {"F16", 2}, {"F32", 4}, {"F64", 8},
        {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"I64", 8}, {"U8", 1}};
    return bytes;
}

std::string dtypeNames()
{
    std::string names;
    for (const auto& [name, bytes] : elementBytes())
        names += (names.empty() ? "" : ", ") + name;
    return names;
}

/// Reads one header; `where` is the file.
class HeaderReader {
public:
    HeaderReader(std::string where, Bytes dataBytes)
        : m_where(std::move(where))
        , m_dataBytes(dataBytes)
    {
    }

    SafetensorsHeader read(const std::string& text)
    {
        const Json json = parsed(text);
        if (!json.is_object())
            refuse("the header is no JSON object", "");
        SafetensorsHeader header;
        for (const auto& [name, value] : json.items())
            if (name == kMetadata)
                header.metadata = metadataFrom(value);
            else
                header.tensors.emplace(name, entryFrom(name, value));
        checkCover(header);
        return header;
    }

private:
    [[noreturn]] void refuse(const std::string& what, const std::string& valid) const
    {
        throw FileError(what, m_where, valid);
    }
    [[noreturn]] void refuse(const std::string& tensor, const std::string& what, const std::string& valid) const
    {
        refuse("tensor \"" + tensor + "\": " + what, valid);
    }

    // A name that comes twice would hide one of the two: the parser keeps the last.
    Json parsed(const std::string& text) const
    {
        std::set<std::string> names;
        std::string repeated;
        const auto watch = [&](int depth, Json::parse_event_t event, Json& item) {
            if (event == Json::parse_event_t::key && depth == 1 && !names.insert(item.get<std::string>()).second)
                repeated = item.get<std::string>();
            return true;
        };
        try {
            Json json = Json::parse(text, watch);
            if (!repeated.empty())
                refuse(repeated, "stands twice in the header", "");
            return json;
        } catch (const Json::exception&) {
            refuse("the header is no JSON", "");
        }
    }

    std::map<std::string, std::string> metadataFrom(const Json& json) const
    {
        if (!json.is_object())
            refuse("__metadata__ is no object", "texts by name");
        std::map<std::string, std::string> metadata;
        for (const auto& [name, value] : json.items()) {
            if (!value.is_string())
                refuse("__metadata__." + name + " is no text", "texts by name");
            metadata.emplace(name, value.get<std::string>());
        }
        return metadata;
    }

    SafetensorsEntry entryFrom(const std::string& name, const Json& json) const
    {
        if (!json.is_object() || json.size() != 3 || !json.contains("dtype") || !json["dtype"].is_string()
            || !json.contains("shape") || !json.contains("data_offsets"))
            refuse(name, "its entry is not complete", "an object of dtype, shape and data_offsets");
        SafetensorsEntry entry{json["dtype"].get<std::string>(), countsFrom(name, json["shape"]), 0, 0};
        if (safetensorsElementBytes(entry.dtype) == 0)
            refuse(name, "unknown dtype \"" + entry.dtype + "\"", dtypeNames());
        const auto offsets = countsFrom(name, json["data_offsets"]);
        if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > m_dataBytes)
            refuse(name, "its data_offsets do not lie in the file",
                "begin and end in ascending order, up to " + std::to_string(m_dataBytes));
        entry.begin = offsets[0];
        entry.end = offsets[1];
        checkSize(name, entry);
        return entry;
    }

    std::vector<std::int64_t> countsFrom(const std::string& name, const Json& json) const
    {
        if (!json.is_array())
            refuse(name, "shape and data_offsets have to be lists", "");
        std::vector<std::int64_t> counts;
        for (const Json& item : json) {
            if (!item.is_number_unsigned() || item.get<std::uint64_t>() > INT64_MAX)
                refuse(name, "found " + item.dump().substr(0, 60) + " in its shape or data_offsets", "integers from 0");
            counts.push_back(item.get<std::int64_t>());
        }
        return counts;
    }

    void checkSize(const std::string& name, const SafetensorsEntry& entry) const
    {
        Bytes bytes = safetensorsElementBytes(entry.dtype);
        Bytes span = bytes; // strides grow with the other extents even where one of them is 0
        for (const std::int64_t extent : entry.shape) {
            if (__builtin_mul_overflow(span, std::max<std::int64_t>(extent, 1), &span))
                refuse(name, "its shape is too large for any file", "");
            bytes *= extent;
        }
        if (bytes != entry.end - entry.begin)
            refuse(name,
                "its data are " + std::to_string(entry.end - entry.begin) + " bytes, its shape and dtype need "
                    + std::to_string(bytes),
                "");
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
                refuse(*name, "its data overlap those of another tensor", "");
            if (entry->begin > covered)
                refuse(*name, "there are bytes before its data that belong to no tensor", "");
            covered = entry->end;
        }
        if (covered != m_dataBytes)
            refuse(std::to_string(m_dataBytes - covered) + " bytes at its end belong to no tensor", "");
    }

    std::string m_where;
    Bytes m_dataBytes;
};

} // namespace

Bytes safetensorsElementBytes(const std::string& dtype)
{
    const auto found = elementBytes().find(dtype);
    return found == elementBytes().end() ? 0 : found->second;
}

SafetensorsHeader parseSafetensorsHeader(const std::string& json, Bytes dataBytes, const std::string& where)
{
    return HeaderReader(where, dataBytes).read(json);
}

std::string toText(const SafetensorsHeader& header)
{
    Json json = Json::object();
    if (!header.metadata.empty())
        json[kMetadata] = header.metadata;
    for (const auto& [name, entry] : header.tensors)
        json[name] = {{"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {entry.begin, entry.end}}};
    std::string text = json.dump();
    text.resize(static_cast<std::size_t>(roundUp(static_cast<Bytes>(text.size()), 8)), ' ');
    return text;
}

} // namespace headroom::tensor
