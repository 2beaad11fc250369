// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headroom::interchange {

/// The text as a JSON string, with quotes. Bytes that are not valid UTF-8 are replaced.
std::string quoted(std::string_view text);

/// A JSON object that is built member by member.
class JsonObject {
public:
    JsonObject& add(std::string_view key, std::int64_t value);
    /// Infinity and NaN become null.
    JsonObject& add(std::string_view key, double value);
    JsonObject& add(std::string_view key, std::string_view value);
    JsonObject& add(std::string_view key, const JsonObject& value);

    bool empty() const { return m_members.empty(); }
    std::string text() const { return "{" + m_members + "}"; }

private:
    JsonObject& addText(std::string_view key, std::string_view json);

    std::string m_members;
};

} // namespace headroom::interchange
