// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/PrintedReport.h"

#include "experiments/figures/Palette.h"
#include "experiments/report/html/Html.h"
#include "ui/printing/FigureObject.h"

#include <QAbstractTextDocumentLayout>
#include <QRegularExpression>
#include <QTextBlock>

#include <cmath>

namespace headroom::ui {

using namespace report;

namespace {

constexpr int kHeading = QTextFormat::UserProperty + 2;
constexpr double kMostFigureWidth = 820; ///< a wider one is as tall as a page
constexpr double kMostSmallWidth = 360;
constexpr std::size_t kMostRows = 500; ///< of a table on paper: nobody reads hundreds of pages of rows
constexpr std::size_t kManyColumns = 6;
constexpr std::size_t kVeryManyColumns = 12;

QString styleSheet()
{
    const figures::Palette colours = figures::lightPalette();
    return QStringLiteral("body, p, li, td, th { color: %1 } .quiet { color: %2 } h1 { font-size: 24px } "
                          "h2 { font-size: 16px } h3 { font-size: 13px } "
                          "code, pre { font-family: monospace; font-size: 10px } th { color: %2 }")
        .arg(QString::fromStdString(colours.ink), QString::fromStdString(colours.muted));
}

QString html(const Html& html)
{
    return QString::fromStdString(html.source);
}

QString worded(const std::string& said, Wording wording)
{
    return html(wording == Wording::Ours ? sentence(said) : text(said));
}

// Keys and names of devices may go on in the next line behind their signs.
QString breakable(const QString& text)
{
    static const QRegularExpression signs(QStringLiteral("([._:@|/-])(?=[\\w])"));
    return QString(text).replace(signs, QStringLiteral("\\1&#8203;"));
}

QString printedCell(const ReportColumn& column, const ReportCell& cell, const char* element)
{
    const bool isMarked = cell.origin != Origin::Plain && cell.text != kUnknownCell;
    return QStringLiteral("<%1 style=\"border-bottom:1px solid %5\" align=\"%2\">%3%4</%1>")
        .arg(QLatin1String(element), column.kind == CellKind::Number ? QStringLiteral("right") : QStringLiteral("left"),
            breakable(html(text(cell.text))),
            isMarked ? QStringLiteral(" <i>%1</i>").arg(QLatin1String(markOf(cell.origin))) : QString(),
            QString::fromStdString(figures::lightPalette().grid));
}

QString printedTable(const ReportTable& table)
{
    const int size = table.columns.size() > kVeryManyColumns ? 8 : table.columns.size() > kManyColumns ? 9 : 11;
    QString rows = QStringLiteral("<thead><tr>");
    for (const ReportColumn& column : table.columns)
        rows += printedCell(column, {column.title}, "th");
    rows += QStringLiteral("</tr></thead>");
    for (const ReportRow& row : table.rows) {
        rows += QStringLiteral("<tr>");
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            rows += printedCell(table.columns[i], row.cells[i], "td");
        rows += QStringLiteral("</tr>");
    }
    QString printed = QStringLiteral("<table border=\"0\" cellspacing=\"0\" cellpadding=\"4\" width=\"100%\" "
                                     "style=\"border-collapse:collapse;font-size:%1px\">%2</table>")
                          .arg(size)
                          .arg(rows);
    for (const Origin origin : table.markedOrigins())
        printed += QStringLiteral("<p class=\"quiet\">%1: %2</p>")
                       .arg(QLatin1String(markOf(origin)), QLatin1String(meaningOf(origin)));
    return printed;
}

} // namespace

PrintedReport::PrintedReport(
    const ReportContent& content, const Comparison& comparison, const QSizeF& page, QTextOption::WrapMode wrapMode)
    : m_cursor(&m_document)
    , m_page(page)
{
    auto* figureObject = new FigureObject(&m_document);
    figureObject->setObjectName(QStringLiteral("figures"));
    m_document.documentLayout()->registerHandler(FigureObject::kType, figureObject);
    QFont font;
    font.setPixelSize(12);
    m_document.setDefaultFont(font);
    m_document.setDefaultStyleSheet(styleSheet());
    m_document.setDocumentMargin(0);
    // Before there is any text: a document that is laid out anew needs the event loop of a QThread.
    QTextOption option = m_document.defaultTextOption();
    option.setWrapMode(wrapMode);
    m_document.setDefaultTextOption(option);
    m_document.setPageSize(page);
    const ReportDocument report =
        documentOf(content, comparison, {.rows = kMostRows, .timelines = ReportBounds::Timelines::InFullOnly});
    addHead(report);
    addSections(report);
    add(Paragraph{report.closing, Paragraph::Look::Note});
    keepHeadingsWithTheirText();
}

bool PrintedReport::isWiderThanThePage() const
{
    return m_document.size().width() > m_page.width() + 1;
}

void PrintedReport::addHead(const ReportDocument& document)
{
    QString head = QStringLiteral("<h1>%1</h1>").arg(html(text(document.name)));
    for (const std::string& words : {document.title, document.description})
        if (!words.empty())
            head += QStringLiteral("<p>%1</p>").arg(html(text(words)));
    QStringList facts;
    for (const Badge& badge : document.badges)
        facts.append(QStringLiteral("<b>%1</b>").arg(html(text(badge.text))));
    for (const std::string& fact : document.facts)
        facts.append(html(text(fact)));
    addHtml(head + QStringLiteral("<p class=\"quiet\">%1</p>").arg(facts.join(QStringLiteral(", "))));
}

void PrintedReport::addSections(const ReportDocument& document)
{
    for (const Section& section : document.sections)
        if (const Blocks blocks = section.blocks(); !blocks.empty()) {
            add(Heading{section.title, 2});
            addBlocks(blocks);
        }
}

void PrintedReport::addBlocks(const Blocks& blocks)
{
    for (const Block& block : blocks)
        std::visit([this](const auto& one) { add(one); }, static_cast<const AnyBlock&>(block));
}

void PrintedReport::add(const Paragraph& paragraph)
{
    addHtml(QStringLiteral("<p class=\"%1\">%2</p>")
            .arg(paragraph.look == Paragraph::Look::Note ? QStringLiteral("quiet") : QString(),
                worded(paragraph.text, paragraph.wording)));
}

void PrintedReport::add(const Heading& heading)
{
    const bool isOfSection = heading.level == 2;
    QTextBlockFormat block;
    block.setTopMargin(isOfSection ? 20 : 12);
    block.setBottomMargin(6);
    block.setProperty(kHeading, true);
    block.setHeadingLevel(heading.level);
    QTextCharFormat letters;
    QFont font = m_document.defaultFont();
    font.setPixelSize(isOfSection ? 17 : 13);
    font.setWeight(QFont::DemiBold);
    letters.setFont(font);
    m_cursor.insertBlock(block, letters);
    m_cursor.insertText(QString::fromStdString(heading.text));
}

void PrintedReport::add(const Bullets& bullets)
{
    QString items;
    for (const std::string& words : bullets.sentences)
        items += QStringLiteral("<li>%1</li>").arg(worded(words, bullets.wording));
    addHtml(QStringLiteral("<ul>%1</ul>").arg(items));
}

void PrintedReport::add(const TableBlock& block)
{
    if (!block.table.rows.empty())
        addHtml(printedTable(block.table));
}

void PrintedReport::add(const FigureBlock& block)
{
    auto* figures = m_document.findChild<FigureObject*>(QStringLiteral("figures"));
    const double most = block.size == FigureBlock::Size::Small ? kMostSmallWidth : kMostFigureWidth;
    m_cursor.insertBlock(QTextBlockFormat(), QTextCharFormat());
    m_cursor.insertText(
        QString(QChar::ObjectReplacementCharacter), figures->add(block.figure, std::min(m_page.width(), most)));
    if (!block.figure.description.empty())
        addHtml(QStringLiteral("<p class=\"quiet\">%1</p>").arg(html(text(block.figure.description))));
}

void PrintedReport::add(const TreeBlock& block)
{
    addHtml(printedTable(block.largest));
}

void PrintedReport::add(const CodeBlock& block)
{
    addHtml(QStringLiteral("<pre style=\"white-space:pre-wrap\">%1</pre>").arg(html(text(block.source))));
}

void PrintedReport::add(const TermsBlock& block)
{
    QStringList terms;
    for (const Facet& facet : block.terms)
        terms.append(html(text(facet.key + " = " + facet.value)));
    addHtml(QStringLiteral("<p class=\"quiet\">%1</p>").arg(terms.join(QStringLiteral(", "))));
}

void PrintedReport::add(const Folded& folded)
{
    add(Heading{folded.summary});
    addBlocks(folded.blocks);
}

void PrintedReport::add(const Group& group)
{
    addBlocks(group.blocks);
}

void PrintedReport::addHtml(const QString& html)
{
    m_cursor.insertBlock(QTextBlockFormat(), QTextCharFormat());
    m_cursor.insertHtml(html);
    m_cursor.movePosition(QTextCursor::End);
}

// Of the next block that has any: the one before a table has none.
double PrintedReport::endOfFirstLine(QTextBlock block) const
{
    while (block.next().isValid() && (block.length() <= 1 || block.layout()->lineCount() == 0))
        block = block.next();
    if (block.layout()->lineCount() == 0)
        return 0;
    const QTextLine line = block.layout()->lineAt(0);
    return m_document.documentLayout()->blockBoundingRect(block).top() + line.y() + line.height() - 1;
}

int PrintedReport::pageOf(double height) const
{
    return static_cast<int>(std::floor(height / m_page.height()));
}

// A heading at the foot of a page goes to the next one, with what it is about.
void PrintedReport::keepHeadingsWithTheirText()
{
    for (QTextBlock block = m_document.begin(); block.isValid(); block = block.next()) {
        if (!block.blockFormat().boolProperty(kHeading) || !block.next().isValid()
            || pageOf(endOfFirstLine(block)) == pageOf(endOfFirstLine(block.next())))
            continue;
        QTextBlockFormat format = block.blockFormat();
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCursor(block).setBlockFormat(format);
    }
}

} // namespace headroom::ui
