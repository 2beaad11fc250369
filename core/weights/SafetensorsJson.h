// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/weights/SafetensorsHeader.h"

#include <nlohmann/json.hpp>

namespace headroom::tensor {

/// Receives a header's JSON token by token and builds the header. Shapes and offsets are not checked here.
///
/// All members but the constructor and takeHeader() are called by nlohmann::json::sax_parse. Throws FileError.
class SafetensorsJson {
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    explicit SafetensorsJson(std::string where);

    SafetensorsHeader takeHeader() { return std::move(m_header); }

    bool null() { return scalar("null"); }
    bool boolean(bool value) { return scalar(value ? "true" : "false"); }
    bool number_integer(number_integer_t value);
    bool number_unsigned(number_unsigned_t value);
    bool number_float(number_float_t, const string_t& text) { return scalar(text); }
    bool string(string_t& value);
    bool binary(binary_t&) { return false; }
    bool start_object(std::size_t);
    bool end_object();
    bool start_array(std::size_t);
    bool end_array();
    bool key(string_t& name);
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&);

private:
    enum class Place { Outside, Header, Metadata, Entry, Shape, Offsets };

    [[noreturn]] void refuse(const std::string& what, const std::string& valid = {}) const;
    [[noreturn]] void refuseTensor(const std::string& what, const std::string& valid = {}) const;
    [[noreturn]] void refuseIncomplete() const;
    bool scalar(const std::string& text);
    void noteKey(const string_t& name);
    std::vector<std::int64_t>& list() { return m_place == Place::Shape ? m_entry.shape : m_offsets; }

    std::string m_where;
    SafetensorsHeader m_header;
    Place m_place = Place::Outside;
    std::string m_name; ///< of the current tensor
    std::string m_key; ///< in its entry, or in the metadata
    std::vector<std::string> m_entryKeys; ///< keys that its entry has had
    SafetensorsEntry m_entry;
    std::vector<std::int64_t> m_offsets;
    bool m_hasMetadata = false;
};

/// A name for a message; very long names are truncated.
std::string shownName(const std::string& name);

} // namespace headroom::tensor
