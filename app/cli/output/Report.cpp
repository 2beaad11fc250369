// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Report.h"

#include "core/base/ShownText.h"

namespace headroom::cli {

using experiments::OrderedJson;

namespace {

void printParagraph(const std::string& text, std::ostream& out)
{
    if (!text.empty())
        out << config::shownText(text) << "\n\n";
}

void printSections(const Report& report, OutputFormat format, std::ostream& out)
{
    const bool isMarkdown = format == OutputFormat::Markdown;
    for (std::size_t i = 0; i < report.sections.size(); ++i) {
        const Section& section = report.sections[i];
        if (i > 0)
            out << '\n';
        printParagraph(section.title.empty() || !isMarkdown ? section.title : "## " + section.title, out);
        printParagraph(section.before, out);
        if (!section.table.columns().empty())
            out << (isMarkdown ? section.table.markdown() : section.table.text());
        if (!section.after.empty())
            out << '\n' << config::shownText(section.after) << '\n';
    }
}

} // namespace

std::string jsonLine(const OrderedJson& json)
{
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

void print(const Report& report, OutputFormat format, std::ostream& out)
{
    const EachRecord records = report.eachRecord ? report.eachRecord : eachOf(report.records);
    switch (format) {
    case OutputFormat::Table:
    case OutputFormat::Markdown:
        printSections(report, format, out);
        return;
    case OutputFormat::Csv:
        writeCsv(records, out);
        return;
    case OutputFormat::Json:
        if (report.writeDocument)
            report.writeDocument(out);
        else
            out << report.document.dump(2, ' ', false, OrderedJson::error_handler_t::replace);
        out << '\n';
        return;
    case OutputFormat::JsonLines:
        records([&](const OrderedJson& record) { out << jsonLine(record) << '\n'; });
        return;
    }
}

} // namespace headroom::cli
