// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/values/JsonReader.h"

#include <nlohmann/json.hpp>

#include <iterator>
#include <stdexcept>

namespace headroom::recordings {
namespace {

/// The bytes of an input as the parser wants them.
class InputIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    InputIterator() = default;
    /// `valueBegin`: where the value that is being read begins.
    InputIterator(ByteInput& input, const std::uint64_t& valueBegin)
        : m_input(&input)
        , m_valueBegin(&valueBegin)
    {
        ++*this;
    }

    char operator*() const { return m_byte; }
    InputIterator& operator++()
    {
        if (m_input != nullptr && m_input->atEnd())
            m_input = nullptr;
        else if (m_input != nullptr)
            m_byte = static_cast<char>(m_input->next());
        if (m_input != nullptr && m_input->offset() - *m_valueBegin > ByteInput::kMostBytes)
            m_input->fail("the JSON has a text of more than " + std::to_string(ByteInput::kMostBytes) + " bytes");
        return *this;
    }
    InputIterator operator++(int)
    {
        InputIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const InputIterator& other) const { return m_input == other.m_input; }
    bool operator!=(const InputIterator& other) const { return m_input != other.m_input; }

private:
    ByteInput* m_input = nullptr;
    const std::uint64_t* m_valueBegin = nullptr;
    char m_byte = 0;
};

/// Builds the values as the parser tells of them. On the stack of the objects lies what is open: a dictionary with the
/// key that waits for its value, or a list.
class JsonEvents : public nlohmann::json_sax<nlohmann::json> {
public:
    JsonEvents(ByteInput& input, Objects& objects, const Progress& progress)
        : m_input(input)
        , m_objects(objects)
        , m_progress(progress)
    {
    }

    bool null() override
    {
        return scalar([&] { m_objects.push({}); });
    }
    bool boolean(bool value) override
    {
        return scalar([&] { m_objects.push(Value::ofBool(value)); });
    }
    bool number_integer(std::int64_t value) override
    {
        return scalar([&] { m_objects.push(Value::ofInteger(value)); });
    }
    bool number_unsigned(std::uint64_t value) override
    {
        return scalar([&] { m_objects.push({Value::Kind::Unsigned, 0, value}); });
    }
    bool number_float(double value, const std::string&) override
    {
        return scalar([&] { m_objects.push(Value::ofReal(value)); });
    }
    bool string(std::string& text) override
    {
        return scalar([&] { m_objects.pushText(text); });
    }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(false); }
    bool start_array(std::size_t) override { return open(true); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(std::string& text) override
    {
        m_valueBegin = m_input.offset();
        m_objects.pushText(text);
        return true;
    }

    // What the parser had read last, which it ends with a quotation mark.
    static std::string found(std::string text)
    {
        if (text.ends_with('\''))
            text.pop_back();
        return text;
    }

    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override
    {
        const std::string text = error.what();
        const std::size_t colon = text.rfind(": ");
        m_input.fail("it is no JSON: found "
            + (colon == std::string::npos ? text : "\"" + found(text.substr(colon + 2)) + "\""));
    }

    const std::uint64_t& valueBegin() const { return m_valueBegin; }

private:
    template <typename Push> bool scalar(const Push& push)
    {
        push();
        completed();
        return true;
    }

    bool open(bool isList)
    {
        if (m_open.size() == Objects::kMostDepth)
            throw std::length_error(
                "containers in containers, more than " + std::to_string(Objects::kMostDepth) + " deep");
        m_open.push_back(isList);
        isList ? m_objects.pushList() : m_objects.pushDict();
        return true;
    }

    bool close()
    {
        m_open.pop_back();
        completed();
        return true;
    }

    void completed()
    {
        m_valueBegin = m_input.offset();
        if (m_open.empty())
            return;
        m_open.back() ? m_objects.append() : m_objects.setItem();
        if ((++m_count & 0xF'FFFFU) == 0 && m_progress)
            m_progress(m_input.progress());
    }

    ByteInput& m_input;
    Objects& m_objects;
    const Progress& m_progress;
    std::vector<bool> m_open; ///< whether it is a list
    std::uint64_t m_count = 0;
    std::uint64_t m_valueBegin = 0;
};

} // namespace

Value readJson(ByteInput& input, Objects& objects, const Progress& progress)
{
    JsonEvents events(input, objects, progress);
    try {
        nlohmann::json::sax_parse(InputIterator(input, events.valueBegin()), InputIterator(), &events,
            nlohmann::json::input_format_t::json, false);
        return objects.takeResult();
    } catch (const std::length_error& error) {
        input.fail(std::string("the JSON has ") + error.what());
    } catch (const std::invalid_argument& error) {
        input.fail(std::string("the JSON is damaged: ") + error.what());
    }
}

} // namespace headroom::recordings
