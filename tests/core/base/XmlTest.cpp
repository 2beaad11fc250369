// SPDX-License-Identifier: Apache-2.0
#include "core/base/Xml.h"

#include "core/base/XmlWriter.h"

#include <gtest/gtest.h>

namespace headroom::figures {
namespace {

TEST(XmlTextTest, markupIsEscaped)
{
    EXPECT_EQ(xmlText("<a href=\"x\">&'</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
}

TEST(XmlTextTest, lineEndsAndTabsStay)
{
    EXPECT_EQ(xmlText("a\n\tb\r"), "a&#10;&#9;b&#13;");
    EXPECT_EQ(xmlText("a\n\tb\r<", LineEnds::AsTheyAre), "a\n\tb\r&lt;");
}

TEST(XmlTextTest, whatXmlCannotHoldIsReplaced)
{
    for (const LineEnds lineEnds : {LineEnds::AsReferences, LineEnds::AsTheyAre})
        EXPECT_EQ(xmlText(std::string_view("a\0b\x1b\x7f", 5), lineEnds), "a\uFFFDb\uFFFD\x7f");
    EXPECT_EQ(xmlText("\xEF\xBF\xBE\xEF\xBF\xBF"), "\uFFFD\uFFFD"); // U+FFFE, U+FFFF
}

TEST(XmlTextTest, invalidUtf8IsReplaced)
{
    EXPECT_EQ(xmlText("a\xff\xfe\xE2\x82"), "a\uFFFD\uFFFD\uFFFD");
}

TEST(XmlTextTest, whatIsAllowedStays)
{
    const std::string text = "µ ü – 漢 😀 gr\xC3\xBC\xC3\x9F";
    EXPECT_EQ(xmlText(text), text);
    EXPECT_EQ(xmlText("a\x7f b"), "a\x7f b");
}

TEST(XmlTextTest, elementsNestAndAttributesAreEscaped)
{
    XmlWriter xml;
    xml.open("g", {{"class", "a\"b"}});
    xml.empty("line", {{"x1", 1.0}, {"y1", -0.001}, {"x2", 2.345678}, {"y2", 1e9}});
    xml.element("text", {}, "<");
    xml.close();
    EXPECT_EQ(xml.take(),
        "<g class=\"a&quot;b\">\n<line x1=\"1\" y1=\"0\" x2=\"2.35\" y2=\"1000000000\"/>\n"
        "<text>&lt;</text>\n</g>\n");
}

} // namespace
} // namespace headroom::figures
