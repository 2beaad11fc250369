// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlReport.h"

#include "core/base/Error.h"
#include "core/base/Sha256.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "experiments/figures/svg/SvgWriter.h"
#include "experiments/report/html/HtmlSections.h"
#include "experiments/report/html/HtmlTree.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

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

std::string stateText(const ReportContent& content)
{
    switch (content.state) {
    case RunState::Finished:
        return content.notRun() == 0 ? "" : "stopped early";
    case RunState::Interrupted:
        return "interrupted";
    case RunState::Open:
        return content.notRun() == 0 ? "" : "not at its end";
    }
    return {};
}

// The word that no reader of the page may miss.
std::string provenanceText(const ReportContent& content)
{
    std::set<config::Provenance> found;
    for (const ReportTrial& trial : content.trials)
        found.insert(trial.provenance());
    if (found.size() <= 1)
        return config::statementOf(found.empty() ? config::Provenance::Predicted : *found.begin());
    return "partly " + std::string(config::toText(*found.rbegin()));
}

Html pageHeader(const ReportContent& content)
{
    Html badges = element("span", {{"class", "pill badge"}}, text(provenanceText(content)));
    if (const std::string state = stateText(content); !state.empty())
        badges += element("span", {{"class", "pill warn badge"}}, text(state));
    Html html = element("p", {{"class", "eyebrow"}}, text("Headroom report"));
    html += element("h1", name(content.experiment));
    if (!content.title.empty())
        html += element("p", {{"class", "subtitle"}}, name(content.title));
    if (!content.description.empty())
        html += element("p", {{"class", "description"}}, name(content.description));
    Html facts = badges;
    facts += element("span", text(counted(std::ssize(content.trials), "trial")));
    facts += element("span", text(content.startedAt));
    facts += element("span", text("Headroom " + content.headroomVersion));
    html += element("p", {{"class", "facts"}}, facts);
    return element("header", html);
}

Html navigation(const std::vector<HtmlSection>& sections)
{
    Html links;
    for (const HtmlSection& section : sections)
        if (!section.body.empty())
            links += element("li", element("a", {{"href", "#" + section.id}}, text(section.title)));
    return element("nav", {{"aria-label", "Parts of the report"}}, element("ul", links));
}

Html mainPart(const ReportContent& content, const std::vector<HtmlSection>& sections)
{
    Html html;
    for (const HtmlSection& section : sections) {
        if (section.body.empty())
            continue;
        Html body = element("h2", text(section.title));
        body += section.body;
        html += element("section", {{"id", section.id}}, body);
        html.source += "\n";
    }
    return element("main", {{"data-many", content.trials.size() > kManyTrials ? "yes" : "no"}}, html);
}

Html footer(const ReportContent& content)
{
    return element("footer",
        element("p",
            text("Peaks are what the allocator held after warm-up. 1 GiB is 1,073,741,824 bytes. Predictions come from "
                 "a "
                 "simulated allocator and a cost model: run the trials on the device itself before you rely on them. "
                + predictionNotes(content))));
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
    const std::vector<HtmlSection> sections = htmlSections(content, comparison, trialsFile);
    Html body{figures::pagePatterns()};
    body += pageHeader(content);
    body += navigation(sections);
    body += mainPart(content, sections);
    body += footer(content);
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n" + head(content, styleSheet, script) + "</head>\n<body>\n"
        + body.source + "\n<script>" + script + "</script>\n</body>\n</html>\n";
}

} // namespace headroom::report
