// SPDX-License-Identifier: Apache-2.0
#include "core/base/XmlWriter.h"

#include "core/base/Xml.h"

#include <fmt/format.h>

#include <utility>

namespace headroom::figures {

XmlValue::XmlValue(double number)
    : m_escaped(pixels(number))
{
}

XmlValue::XmlValue(std::string_view text)
    : m_escaped(xmlText(text))
{
}

XmlValue::XmlValue(const std::string& text)
    : XmlValue(std::string_view(text))
{
}

XmlValue::XmlValue(const char* text)
    : XmlValue(std::string_view(text))
{
}

void XmlWriter::begin(std::string_view element, Attributes attributes)
{
    m_text += fmt::format("<{}", element);
    for (const XmlAttribute& attribute : attributes)
        m_text += fmt::format(" {}=\"{}\"", attribute.name, attribute.value.escaped());
}

void XmlWriter::open(std::string_view element, Attributes attributes)
{
    begin(element, attributes);
    m_text += ">\n";
    m_open.emplace_back(element);
}

void XmlWriter::close()
{
    m_text += fmt::format("</{}>\n", m_open.back());
    m_open.pop_back();
}

void XmlWriter::empty(std::string_view element, Attributes attributes)
{
    begin(element, attributes);
    m_text += "/>\n";
}

void XmlWriter::element(std::string_view element, Attributes attributes, std::string_view text)
{
    begin(element, attributes);
    m_text += fmt::format(">{}</{}>\n", xmlText(text), element);
}

std::string XmlWriter::take()
{
    return std::exchange(m_text, {});
}

std::string pixels(double value)
{
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text == "-0" ? "0" : text;
}

} // namespace headroom::figures
