// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/MarkdownReport.h"

#include "core/base/ShownText.h"
#include "core/base/Wording.h"
#include "experiments/report/ReportFigures.h"
#include "experiments/report/document/ReportDocument.h"

namespace headroom::report {
namespace {

// A sentence of ours, whose backquotes are meant; only names in it may hold what Markdown or HTML would take as its
// own.
std::string sentenceText(const std::string& sentence)
{
    std::string text;
    bool isCode = false;
    for (const char c : config::shownLine(sentence)) {
        isCode = c == '`' ? !isCode : isCode;
        if (!isCode && (c == '<' || c == '|' || c == '*' || c == '['))
            text += '\\';
        text += c;
    }
    return text;
}

// A fence longer than any inside.
std::string codeBlock(const std::string& language, const std::string& text)
{
    const std::string code = config::shownText(text);
    std::string fence = "```";
    while (code.find(fence) != std::string::npos)
        fence += '`';
    return fence + language + "\n" + code + (code.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string worded(const std::string& said, Wording wording)
{
    return wording == Wording::Ours ? sentenceText(said) : markdownText(said);
}

std::string markdownOf(const Blocks& blocks);

// Sites that show Markdown fold it; elsewhere it reads as a summary and what follows.
std::string opened(const std::string& summary, const std::string& content)
{
    return "<details>\n<summary>" + markdownText(summary) + "</summary>\n\n" + content + "\n</details>\n";
}

class BlockWriter {
public:
    std::string operator()(const Paragraph& paragraph) const
    {
        return worded(paragraph.text, paragraph.wording) + "\n";
    }
    std::string operator()(const Heading& heading) const { return "**" + markdownText(heading.text) + "**\n"; }

    std::string operator()(const Bullets& bullets) const
    {
        std::string text;
        for (const std::string& sentence : bullets.sentences)
            text += "- " + worded(sentence, bullets.wording) + "\n";
        return text;
    }

    std::string operator()(const TableBlock& block) const { return markdownTable(block.table); }

    std::string operator()(const FigureBlock& block) const
    {
        const std::string words = block.figure.description.empty() ? block.figure.title : block.figure.description;
        return markdownText(words) + "\n\n"
            + opened("The figure as a table", markdownTable(asReportTable(block.figure.table)));
    }

    std::string operator()(const TreeBlock& block) const { return markdownTable(block.largest); }
    std::string operator()(const CodeBlock& block) const { return codeBlock(block.language, block.source); }

    std::string operator()(const TermsBlock& block) const
    {
        std::string text;
        for (const Facet& facet : block.terms)
            text += (text.empty() ? "" : ", ") + markdownText(facet.key) + " = " + markdownText(facet.value);
        return text + "\n";
    }

    std::string operator()(const Folded& folded) const { return opened(folded.summary, markdownOf(folded.blocks)); }
    std::string operator()(const Group& group) const { return markdownOf(group.blocks); }
};

std::string markdownOf(const Blocks& blocks)
{
    std::string text;
    for (const Block& block : blocks)
        if (const std::string words = std::visit(BlockWriter(), static_cast<const AnyBlock&>(block)); !words.empty())
            text += (text.empty() ? "" : "\n") + words;
    return text;
}

std::string headText(const ReportDocument& document)
{
    std::string text = "# " + markdownText(document.name) + "\n";
    for (const std::string& words : {document.title, document.description})
        if (!words.empty())
            text += "\n" + markdownText(words) + "\n";
    std::vector<std::string> facts;
    for (const Badge& badge : document.badges)
        facts.push_back("**" + markdownText(badge.text) + "**");
    for (const std::string& fact : document.facts)
        facts.push_back(markdownText(fact));
    return text + "\n" + joined(facts) + "\n";
}

} // namespace

std::string markdownText(const std::string& text)
{
    std::string result;
    for (const char c : config::shownLine(text)) {
        if (std::string("\\|`*<[").find(c) != std::string::npos)
            result += '\\';
        result += c;
    }
    return result;
}

std::string markdownTable(const ReportTable& table)
{
    if (table.rows.empty())
        return {};
    std::string text = "|";
    std::string rule = "|";
    for (const ReportColumn& column : table.columns) {
        text += " " + markdownText(column.title) + " |";
        rule += column.kind == CellKind::Number ? " ---: |" : " --- |";
    }
    text += "\n" + rule + "\n";
    for (const ReportRow& row : table.rows) {
        text += "|";
        for (const ReportCell& cell : row.cells)
            text += " " + markdownText(cell.text)
                + (cell.origin == Origin::Plain ? "" : std::string(" ") + markOf(cell.origin)) + " |";
        text += "\n";
    }
    for (const Origin origin : table.markedOrigins())
        text += std::string("\n") + markOf(origin) + ": " + meaningOf(origin) + ".\n";
    return text;
}

std::string markdownReport(const ReportContent& content, const Comparison& comparison)
{
    const ReportDocument document = documentOf(content, comparison, {});
    std::string text = headText(document);
    for (const Section& section : document.sections)
        if (const std::string body = markdownOf(section.blocks()); !body.empty())
            text += "\n## " + section.title + "\n\n" + body;
    return text + "\n---\n\n" + markdownText(document.closing) + "\n";
}

} // namespace headroom::report
