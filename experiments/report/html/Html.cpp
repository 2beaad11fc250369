// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/Html.h"

#include "core/base/ShownText.h"
#include "core/base/Xml.h"

#include <algorithm>

namespace headroom::report {
namespace {

std::string escaped(const std::string& text)
{
    return xmlText(config::withoutDirections(text), LineEnds::AsTheyAre);
}

} // namespace

Html text(const std::string& text)
{
    return {escaped(text)};
}

Html name(const std::string& text)
{
    const bool isOfOneDirection =
        std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    const Html shown = report::text(text);
    return isOfOneDirection ? shown : element("bdi", shown);
}

Html sentence(const std::string& sentence)
{
    Html html;
    std::size_t begin = 0;
    for (bool isCode = false; begin <= sentence.size(); isCode = !isCode) {
        const auto end = std::min(sentence.find('`', begin), sentence.size());
        const Html piece = text(sentence.substr(begin, end - begin));
        html += isCode ? element("code", piece) : piece;
        begin = end + 1;
    }
    return html;
}

Html element(const std::string& name, const Attributes& attributes, const Html& content)
{
    std::string tag = "<" + name;
    for (const auto& [key, value] : attributes)
        tag += " " + key + "=\"" + escaped(value) + "\"";
    return {tag + ">" + content.source + "</" + name + ">"};
}

Html element(const std::string& name, const Html& content)
{
    return element(name, {}, content);
}

} // namespace headroom::report
