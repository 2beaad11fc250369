// SPDX-License-Identifier: Apache-2.0
#include "core/weights/SafetensorsJson.h"

#include "core/base/Error.h"

#include <algorithm>

namespace headroom::tensor {
namespace {

constexpr const char* kMetadata = "__metadata__";
constexpr std::size_t kShownCharacters = 200;

} // namespace

std::string shownName(const std::string& name)
{
    std::string shown = name;
    if (shown.size() > kShownCharacters) {
        shown.resize(kShownCharacters);
        shown.append("...");
    }
    return shown;
}

SafetensorsJson::SafetensorsJson(std::string where)
    : m_where(std::move(where))
{
}

void SafetensorsJson::refuse(const std::string& what, const std::string& valid) const
{
    throw FileError(what, m_where, valid);
}

void SafetensorsJson::refuseTensor(const std::string& what, const std::string& valid) const
{
    refuse("tensor \"" + shownName(m_name) + "\": " + what, valid);
}

void SafetensorsJson::refuseIncomplete() const
{
    refuseTensor("its entry is not complete", "an object of dtype, shape and data_offsets");
}

bool SafetensorsJson::parse_error(std::size_t, const std::string&, const nlohmann::json::exception&)
{
    refuse("the header is no JSON");
}

// Anything that is neither a string nor a count.
bool SafetensorsJson::scalar(const std::string& text)
{
    switch (m_place) {
    case Place::Outside:
        refuse("the header is no JSON object");
    case Place::Header:
        if (m_name == kMetadata)
            refuse("__metadata__ is no object", "texts by name");
        refuseIncomplete();
    case Place::Metadata:
        refuse("__metadata__." + shownName(m_key) + " is no text", "texts by name");
    case Place::Entry:
        if (m_key == "dtype")
            refuseIncomplete();
        refuseTensor("shape and data_offsets have to be lists");
    case Place::Shape:
    case Place::Offsets:
        break;
    }
    refuseTensor("found " + text.substr(0, 60) + " in its shape or data_offsets", "integers from 0");
}

bool SafetensorsJson::number_integer(number_integer_t value)
{
    return scalar(std::to_string(value));
}

bool SafetensorsJson::number_unsigned(number_unsigned_t value)
{
    if ((m_place != Place::Shape && m_place != Place::Offsets) || value > INT64_MAX)
        return scalar(std::to_string(value));
    if (list().size() == kMaxSafetensorsExtents)
        refuseTensor("its shape or data_offsets have more than " + std::to_string(kMaxSafetensorsExtents) + " entries");
    list().push_back(static_cast<std::int64_t>(value));
    return true;
}

bool SafetensorsJson::string(string_t& value)
{
    if (m_place == Place::Metadata)
        m_header.metadata.emplace(m_key, std::move(value));
    else if (m_place == Place::Entry && m_key == "dtype")
        m_entry.dtype = std::move(value);
    else
        return scalar("\"" + value + "\"");
    return true;
}

bool SafetensorsJson::start_object(std::size_t)
{
    if (m_place == Place::Outside) {
        m_place = Place::Header;
    } else if (m_place == Place::Header && m_name == kMetadata) {
        m_place = Place::Metadata;
    } else if (m_place == Place::Header) {
        m_place = Place::Entry;
        m_entry = {};
        m_offsets.clear();
        m_entryKeys.clear();
    } else {
        return scalar("an object");
    }
    return true;
}

bool SafetensorsJson::end_object()
{
    if (m_place == Place::Entry) {
        if (m_entryKeys.size() != 3)
            refuseIncomplete();
        if (m_offsets.size() == 2) {
            m_entry.begin = m_offsets[0];
            m_entry.end = m_offsets[1];
        } else {
            m_entry.begin = 1; // invalid order: refused later, with the offsets
            m_entry.end = 0;
        }
        m_header.tensors.emplace(m_name, std::move(m_entry));
    }
    m_place = m_place == Place::Header ? Place::Outside : Place::Header;
    return true;
}

bool SafetensorsJson::start_array(std::size_t)
{
    if (m_place != Place::Entry || m_key == "dtype")
        return scalar("a list");
    m_place = m_key == "shape" ? Place::Shape : Place::Offsets;
    return true;
}

bool SafetensorsJson::end_array()
{
    m_place = Place::Entry;
    return true;
}

// A duplicate name would hide one of the two.
bool SafetensorsJson::key(string_t& name)
{
    if (m_place == Place::Header)
        m_name = name;
    else
        m_key = name;
    noteKey(name);
    return true;
}

void SafetensorsJson::noteKey(const string_t& name)
{
    if (m_place == Place::Header) {
        const bool isMetadata = name == kMetadata;
        if (isMetadata ? std::exchange(m_hasMetadata, true) : m_header.tensors.contains(name))
            refuseTensor("stands twice in the header");
    } else if (m_place == Place::Metadata) {
        if (m_header.metadata.contains(name))
            refuse("__metadata__." + shownName(name) + " stands twice in the header");
    } else {
        if (name != "dtype" && name != "shape" && name != "data_offsets")
            refuseIncomplete();
        if (std::ranges::find(m_entryKeys, name) != m_entryKeys.end())
            refuseTensor("its entry has " + name + " twice");
        m_entryKeys.push_back(name);
    }
}

} // namespace headroom::tensor
