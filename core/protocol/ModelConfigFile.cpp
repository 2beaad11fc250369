// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/ModelConfigFile.h"

#include "core/base/Error.h"
#include "core/protocol/Json.h"

#include <fstream>
#include <iterator>
#include <set>
#include <vector>

namespace headroom::protocol {
namespace {

using config::Value;
using config::ValueMap;

constexpr std::uintmax_t kLargestFile = 16 << 20;
constexpr int kDeepest = 16;
constexpr const char* kValidFile = "a configuration file of diffusers or transformers";

// Refuses nesting deeper than any configuration's, and duplicate keys, since one would hide the other.
class Watch {
public:
    explicit Watch(const std::string& where)
        : m_where(where)
    {
    }

    bool operator()(int depth, Json::parse_event_t event, const Json& item)
    {
        if (depth > kDeepest)
            throw FileError("is nested deeper than a configuration is", m_where);
        if (event == Json::parse_event_t::object_start)
            m_keys.resize(std::max(m_keys.size(), static_cast<std::size_t>(depth) + 2));
        if (event == Json::parse_event_t::object_start)
            m_keys[static_cast<std::size_t>(depth) + 1].clear();
        if (event == Json::parse_event_t::key
            && !m_keys[static_cast<std::size_t>(depth)].insert(item.get<std::string>()).second)
            throw FileError("has the key \"" + item.get<std::string>() + "\" twice", m_where);
        return true;
    }

private:
    const std::string& m_where;
    std::vector<std::set<std::string>> m_keys; ///< of the open objects, by depth
};

bool holdsObjects(const Json& json)
{
    if (json.is_object())
        return true;
    if (json.is_array())
        for (const Json& item : json)
            if (holdsObjects(item))
                return true;
    return false;
}

// A number that no field could hold is still kept as a number; a list of objects becomes its JSON text.
Value valueOf(const Json& json)
{
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX)
        return json.get<double>();
    if (!json.is_array())
        return valueFromJson(json);
    if (holdsObjects(json))
        return json.dump();
    Value::List list;
    for (const Json& item : json)
        list.push_back(valueOf(item));
    return list;
}

void add(ValueMap& entries, const std::string& prefix, const Json& object)
{
    for (const auto& [key, value] : object.items())
        if (value.is_object())
            add(entries, prefix + key + ".", value);
        else
            entries.emplace(prefix + key, valueOf(value));
}

} // namespace

ValueMap modelConfigFromText(const std::string& text, const std::string& where)
{
    Watch watch(where);
    const auto callback = [&watch](
                              int depth, Json::parse_event_t event, Json& item) { return watch(depth, event, item); };
    const Json json = Json::parse(text, callback, false);
    if (!json.is_object())
        throw FileError("is no JSON object", where, kValidFile);
    ValueMap entries;
    add(entries, "", json);
    return entries;
}

ValueMap readModelConfigFile(const std::filesystem::path& file)
{
    // Checked before opening, which would block on a pipe.
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    const bool isFileOrFolder = std::filesystem::is_regular_file(status) || std::filesystem::is_directory(status);
    if (std::filesystem::exists(status) && !isFileOrFolder)
        throw FileError("is no regular file", file.string(), kValidFile);
    const auto size = std::filesystem::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    if (error || !stream)
        throw FileError("cannot be read", file.string(), kValidFile);
    if (size > kLargestFile)
        throw FileError(
            "is too large for a configuration", file.string(), std::to_string(kLargestFile) + " bytes at most");
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    return modelConfigFromText(text, file.string());
}

} // namespace headroom::protocol
