// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::figures {

/// An attribute's value; numbers are written with at most two decimals.
class XmlValue {
public:
    XmlValue(double number); // NOLINT(google-explicit-constructor): read as the attributes themselves
    XmlValue(std::string_view text); // NOLINT(google-explicit-constructor)
    XmlValue(const std::string& text); // NOLINT(google-explicit-constructor)
    XmlValue(const char* text); // NOLINT(google-explicit-constructor)

    const std::string& escaped() const { return m_escaped; }

private:
    std::string m_escaped;
};

struct XmlAttribute {
    std::string_view name;
    XmlValue value;
};

/// Writes elements one after the other; open elements are closed in reverse order.
class XmlWriter {
public:
    using Attributes = std::initializer_list<XmlAttribute>;

    void open(std::string_view element, Attributes attributes = {});
    void close();
    void empty(std::string_view element, Attributes attributes);
    void element(std::string_view element, Attributes attributes, std::string_view text);
    /// Appends text unescaped: for our own style sheets.
    void raw(std::string_view text) { m_text += text; }

    /// Returns what was written; every element must be closed.
    std::string take();

private:
    void begin(std::string_view element, Attributes attributes);

    std::string m_text;
    std::vector<std::string> m_open;
};

/// "12.5": at most two decimals, no exponent, the same in every locale.
std::string pixels(double value);

} // namespace headroom::figures
