// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlReport.h"

#include "core/base/Error.h"
#include "core/base/Sha256.h"
#include "core/config/Installation.h"
#include "experiments/figures/svg/SvgWriter.h"
#include "experiments/report/document/ReportDocument.h"
#include "experiments/report/html/HtmlBlocks.h"
#include "experiments/report/html/HtmlTree.h"

#include <fstream>
#include <iterator>

namespace headroom::report {
namespace {

// Trials whose table is worth a field to search in.
constexpr std::size_t kManyTrials = 12;

std::string contents(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(stream), {});
    if (!stream || text.empty())
        throw FileError("a part of the report page cannot be read", file.string(), "the resources of an installation");
    return text;
}

std::string allowed(const std::string& source)
{
    return "'sha256-" + sha256Base64(source) + "'";
}

// Nothing may be loaded or sent; only our own style sheet and script count, by their hashes.
std::string securityPolicy(const std::string& styleSheet, const std::string& script)
{
    return "default-src 'none'; img-src data:; style-src " + allowed(styleSheet) + "; script-src " + allowed(script)
        + "; base-uri 'none'; form-action 'none'";
}

std::string head(const ReportContent& content, const std::string& styleSheet, const std::string& script)
{
    const auto meta = [](const std::string& name, const std::string& value) {
        return "<meta name=\"" + name + "\" content=\"" + text(value).source + "\">\n";
    };
    return "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\""
        + securityPolicy(styleSheet, script) + "\">\n" + meta("viewport", "width=device-width, initial-scale=1")
        + meta("color-scheme", "light dark") + meta("generator", "Headroom " + config::version())
        + meta("referrer", "no-referrer") + "<link rel=\"icon\" href=\"data:,\">\n"
        + element("title", text(content.experiment + " | Headroom")).source + "\n<style>" + styleSheet + "</style>\n";
}

Html pageHeader(const ReportDocument& document)
{
    Html facts;
    for (const Badge& badge : document.badges)
        facts += element(
            "span", {{"class", badge.tone == Badge::Tone::Plain ? "pill badge" : "pill warn badge"}}, text(badge.text));
    for (const std::string& fact : document.facts)
        facts += element("span", text(fact));
    Html html = element("p", {{"class", "eyebrow"}}, text("Headroom report"));
    html += element("h1", name(document.name));
    if (!document.title.empty())
        html += element("p", {{"class", "subtitle"}}, name(document.title));
    if (!document.description.empty())
        html += element("p", {{"class", "description"}}, name(document.description));
    html += element("p", {{"class", "facts"}}, facts);
    return element("header", html);
}

/// Sections one by one, and the links that lead to them.
struct PageSections {
    Html links;
    Html sections;
};

PageSections sectionsOf(const ReportDocument& document)
{
    PageSections page;
    for (const Section& section : document.sections) {
        const Html blocks = htmlOf(section.blocks());
        if (blocks.empty())
            continue;
        page.links += element("li", element("a", {{"href", "#" + section.id}}, text(section.title)));
        Html body = element("h2", text(section.title));
        body += blocks;
        page.sections += element("section", {{"id", section.id}}, body);
        page.sections.source += "\n";
    }
    return page;
}

} // namespace

PageParts loadPageParts(const std::filesystem::path& resources)
{
    return {contents(resources / "report" / "report.css"), contents(resources / "report" / "report.js")};
}

std::string htmlReport(
    const ReportContent& content, const Comparison& comparison, const PageParts& parts, const std::string& trialsFile)
{
    const std::string styleSheet = "\n" + figures::pageStyleSheet() + treeStyleSheet() + parts.styleSheet;
    const std::string script = "\n" + parts.script;
    const ReportDocument document = documentOf(content, comparison, {kMostRows, trialsFile});
    const PageSections page = sectionsOf(document);
    Html body{figures::pagePatterns()};
    body += pageHeader(document);
    body += element("nav", {{"aria-label", "Parts of the report"}}, element("ul", page.links));
    body += element("main", {{"data-many", content.trials.size() > kManyTrials ? "yes" : "no"}}, page.sections);
    body += element("footer", element("p", text(document.closing)));
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n" + head(content, styleSheet, script) + "</head>\n<body>\n"
        + body.source + "\n<script>" + script + "</script>\n</body>\n</html>\n";
}

} // namespace headroom::report
