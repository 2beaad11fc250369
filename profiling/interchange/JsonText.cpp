// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/JsonText.h"

#include "core/base/Utf8.h"

#include <fmt/format.h>

#include <cmath>

namespace headroom::interchange {

std::string quoted(std::string_view text)
{
    std::string json = "\"";
    for (const char character : validUtf8(text)) {
        if (character == '"' || character == '\\')
            json += {'\\', character};
        else if (static_cast<unsigned char>(character) < 0x20)
            json += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
        else
            json += character;
    }
    return json + '"';
}

JsonObject& JsonObject::add(std::string_view key, std::int64_t value)
{
    return addText(key, fmt::format("{}", value));
}

JsonObject& JsonObject::add(std::string_view key, double value)
{
    return addText(key, std::isfinite(value) ? fmt::format("{}", value) : "null");
}

JsonObject& JsonObject::add(std::string_view key, std::string_view value)
{
    return addText(key, quoted(value));
}

JsonObject& JsonObject::add(std::string_view key, const JsonObject& value)
{
    return addText(key, value.text());
}

JsonObject& JsonObject::addText(std::string_view key, std::string_view json)
{
    m_members += m_members.empty() ? "" : ",";
    m_members += quoted(key);
    m_members += ':';
    m_members += json;
    return *this;
}

} // namespace headroom::interchange
