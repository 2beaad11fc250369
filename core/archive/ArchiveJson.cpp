// SPDX-License-Identifier: Apache-2.0
#include "core/archive/ArchiveJson.h"

#include "core/base/Error.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headroom::archive {
namespace {

constexpr const char* kWritten = "what torch.export.save wrote";

// A value takes up to a hundred times its text in memory; the largest model that was seen, of 25,617 nodes, has two
// million.
constexpr std::int64_t kMostValues = 5'000'000;

void requireFewValues(const std::string& text, const std::string& where)
{
    if (std::ranges::count_if(text, [](char c) { return c == ',' || c == '[' || c == '{'; }) > kMostValues)
        throw FileError("has more than " + std::to_string(kMostValues) + " values", where, kWritten);
}

/// Receives nlohmann's events, and keeps what is wanted.
class Builder {
public:
    Builder(const std::string& where, const LeftOut& leftOut)
        : m_where(where)
        , m_leftOut(leftOut)
    {
    }

    Json take() { return std::move(m_root); }

    bool null() { return put(Json()); }
    bool boolean(bool value) { return put(value); }
    bool number_integer(Json::number_integer_t value) { return put(value); }
    bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
    bool number_float(Json::number_float_t value, const std::string&) { return put(value); }
    bool string(std::string& value) { return isLeftOut() || put(Json(std::move(value))); }
    bool binary(Json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name)
    {
        if (m_depthLeftOut == 0) {
            m_isNextLeftOut = isLeftOutByName(name);
            m_key = std::move(name);
        }
        return true;
    }

    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error)
    {
        constexpr int kNumberOverflow = 406;
        if (error.id == kNumberOverflow)
            throw FileError("has a number beyond every 64-bit float", m_where, kWritten);
        throw FileError("is no JSON: byte " + std::to_string(byte), m_where, kWritten);
    }

private:
    bool isLeftOutByName(const std::string& name) const
    {
        const auto found = m_leftOut.find(name);
        if (found == m_leftOut.end() || m_open.empty())
            return false;
        const auto& object = m_open.back()->get_ref<const Json::object_t&>();
        const auto before = object.find(std::string(found->second));
        return before != object.end() && before->second.is_primitive();
    }

    bool isLeftOut()
    {
        if (m_depthLeftOut > 0)
            return true;
        return std::exchange(m_isNextLeftOut, false);
    }

    bool put(Json value)
    {
        if (!isLeftOut())
            place(std::move(value));
        return true;
    }

    // A name that comes twice has its last value.
    Json& place(Json value)
    {
        if (m_open.empty())
            return m_root = std::move(value);
        if (m_open.back()->is_object())
            return m_open.back()->get_ref<Json::object_t&>()[std::move(m_key)] = std::move(value);
        auto& list = m_open.back()->get_ref<Json::array_t&>();
        list.push_back(std::move(value));
        return list.back();
    }

    bool open(Json value)
    {
        if (isLeftOut())
            ++m_depthLeftOut;
        else
            m_open.push_back(&place(std::move(value)));
        return true;
    }

    bool close()
    {
        if (m_depthLeftOut > 0)
            --m_depthLeftOut;
        else
            m_open.pop_back();
        return true;
    }

    const std::string& m_where;
    const LeftOut& m_leftOut;
    Json m_root;
    std::vector<Json*> m_open; ///< objects and lists around the next value, the innermost last
    std::string m_key;
    bool m_isNextLeftOut = false;
    std::size_t m_depthLeftOut = 0; ///< of objects and lists within one that is left out, itself included
};

} // namespace

Json parseJson(const std::string& text, const std::string& where, const LeftOut& leftOut)
{
    requireFewValues(text, where);
    Builder builder(where, leftOut);
    Json::sax_parse(text, &builder);
    return builder.take();
}

} // namespace headroom::archive
