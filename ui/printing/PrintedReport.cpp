// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/PrintedReport.h"

#include "core/base/Wording.h"
#include "experiments/figures/Palette.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/EngagementTables.h"
#include "experiments/report/GroupFront.h"
#include "experiments/report/ReplayText.h"
#include "experiments/report/ReportFigures.h"
#include "experiments/report/TrialTable.h"
#include "experiments/report/Verdict.h"
#include "experiments/report/html/Html.h"
#include "ui/printing/FigureObject.h"

#include <QAbstractTextDocumentLayout>
#include <QRegularExpression>
#include <QTextBlock>

#include <cmath>
#include <ranges>

namespace headroom::ui {

using namespace report;

namespace {

constexpr int kHeading = QTextFormat::UserProperty + 2;
constexpr double kMostFigureWidth = 820; ///< a wider one is as tall as a page
constexpr std::size_t kMostRows = 500; ///< of a table on paper: nobody reads hundreds of pages of rows
constexpr std::size_t kMostTimelines = 8;
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

QString list(const std::vector<std::string>& sentences)
{
    QString items;
    for (const std::string& words : sentences)
        items += QStringLiteral("<li>%1</li>").arg(html(sentence(words)));
    return items.isEmpty() ? QString() : QStringLiteral("<ul>%1</ul>").arg(items);
}

QString verdictText(const Verdict& verdict)
{
    QString text_ = QStringLiteral("<p>");
    for (const std::string& words : verdict.lead)
        text_ += html(sentence(words)) + QLatin1Char(' ');
    text_ += QStringLiteral("</p>") + list(verdict.across);
    for (const GroupVerdict& group : verdict.groups)
        text_ += (group.title.empty() ? QString() : QStringLiteral("<h3>%1</h3>").arg(html(text(group.title))))
            + list(group.sentences);
    return text_ + list(verdict.cautions);
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
    for (const ReportRow& row : table.rows | std::views::take(kMostRows)) {
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

QString printedCode(const std::string& code)
{
    return QStringLiteral("<pre style=\"white-space:pre-wrap\">%1</pre>").arg(html(text(code)));
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
    addHead(content);
    addResults(content, comparison);
    addDetails(content, comparison);
    addReplay(content);
    keepHeadingsWithTheirText();
}

bool PrintedReport::isWiderThanThePage() const
{
    return m_document.size().width() > m_page.width() + 1;
}

void PrintedReport::addHead(const ReportContent& content)
{
    QString head = QStringLiteral("<h1>%1</h1>").arg(html(text(content.experiment)));
    for (const std::string& words : {content.title, content.description})
        if (!words.empty())
            head += QStringLiteral("<p>%1</p>").arg(html(text(words)));
    head += QStringLiteral("<p class=\"quiet\">%1, started on %2 by Headroom %3</p>")
                .arg(html(text(counted(std::ssize(content.trials), "trial"))), html(text(content.startedAt)),
                    html(text(content.headroomVersion)));
    addHtml(head);
}

void PrintedReport::addResults(const ReportContent& content, const Comparison& comparison)
{
    addHeading(QStringLiteral("Verdict"));
    addHtml(verdictText(verdictOf(content, comparison)));
    const std::vector<Panel> panels = panelsOf(content, comparison);
    for (const Panel& panel : panels) {
        addHeading(panel.title.empty() ? QStringLiteral("Memory against speed") : QString::fromStdString(panel.title));
        addFigure(panel.tradeoff);
    }
    addTable(QStringLiteral("Results"), marked(trialTable(content, comparison), comparison));
    for (const Panel& panel : panels) {
        addHeading(panel.title.empty() ? QStringLiteral("Peak memory")
                                       : QStringLiteral("Peak memory: ") + QString::fromStdString(panel.title));
        addFigure(panel.peaks);
    }
    addTimelines(content, comparison);
}

// Of many trials those that a page shows in full.
void PrintedReport::addTimelines(const ReportContent& content, const Comparison& comparison)
{
    const auto inFull = trialsInFull(comparison, kMostTimelines);
    const std::vector<figures::Figure> timelines = timelinesOf(content, comparison);
    std::size_t left = 0;
    if (!timelines.empty())
        addHeading(QStringLiteral("Memory over time"));
    for (std::size_t i = 0; i < timelines.size(); ++i)
        if (timelines.size() <= kMostTimelines || inFull.contains(content.timelines[i].id))
            addFigure(timelines[i]);
        else
            ++left;
    if (left > 0)
        addHtml(QStringLiteral("<p class=\"quiet\">%1 of trials that others beat are on the web page.</p>")
                .arg(QString::fromStdString(counted(static_cast<std::int64_t>(left), "timeline"))));
}

void PrintedReport::addDetails(const ReportContent& content, const Comparison& comparison)
{
    addTable(QStringLiteral("Not completed"), marked(endingTable(content, comparison), comparison));
    addTable(QStringLiteral("Flagged"), marked(flagTable(content, comparison), comparison));
    addTable(QStringLiteral("What differs"), differenceTable(content));
    QStringList shared;
    for (const Facet& facet : sharedSettings(content))
        shared.append(html(text(facet.key + " = " + facet.value)));
    if (!shared.isEmpty())
        addHtml(
            QStringLiteral("<p class=\"quiet\">The same in all trials: %1</p>").arg(shared.join(QStringLiteral(", "))));
    addTable(QStringLiteral("What the settings came to"), settingTable(content));
    for (const EngagementTable& engagement : engagementTables(content, comparison))
        addTable(QStringLiteral("What %1 did").arg(QString::fromStdString(engagement.technique)),
            marked(engagement.table, comparison));
    addTable(QStringLiteral("Remarks of the run"), remarkTable(content));
    addTable(QStringLiteral("Environment"), environmentTable(content));
}

void PrintedReport::addReplay(const ReportContent& content)
{
    addHeading(QStringLiteral("Run it again"));
    if (!content.commandLine.empty())
        addHtml(QStringLiteral("<p>It was started as</p>") + printedCode(content.commandLine));
    addHtml(QStringLiteral("<p>To run it again, save the spec below as %1 and run</p>")
                .arg(html(text(specFileName(content))))
        + printedCode(replayCommand(content))
        + QStringLiteral("<p class=\"quiet\">%1</p>").arg(html(sentence(replayNote(content))))
        + printedCode(content.replay.toml));
}

void PrintedReport::addHeading(const QString& title)
{
    QTextBlockFormat block;
    block.setTopMargin(20);
    block.setBottomMargin(6);
    block.setProperty(kHeading, true);
    block.setHeadingLevel(2);
    QTextCharFormat letters;
    QFont font = m_document.defaultFont();
    font.setPixelSize(17);
    font.setWeight(QFont::DemiBold);
    letters.setFont(font);
    m_cursor.insertBlock(block, letters);
    m_cursor.insertText(title);
}

void PrintedReport::addHtml(const QString& html)
{
    m_cursor.insertBlock(QTextBlockFormat(), QTextCharFormat());
    m_cursor.insertHtml(html);
    m_cursor.movePosition(QTextCursor::End);
}

void PrintedReport::addTable(const QString& title, const ReportTable& table)
{
    if (table.rows.empty())
        return;
    addHeading(title);
    addHtml(printedTable(table));
    if (table.rows.size() > kMostRows)
        addHtml(QStringLiteral("<p>These are the first %1 of %2 rows; the web page and the CSV have all.</p>")
                .arg(kMostRows)
                .arg(table.rows.size()));
}

void PrintedReport::addFigure(const figures::Figure& figure)
{
    auto* figures = m_document.findChild<FigureObject*>(QStringLiteral("figures"));
    m_cursor.insertBlock(QTextBlockFormat(), QTextCharFormat());
    m_cursor.insertText(
        QString(QChar::ObjectReplacementCharacter), figures->add(figure, std::min(m_page.width(), kMostFigureWidth)));
    addHtml(QStringLiteral("<p class=\"quiet\">%1</p>").arg(html(text(figure.description))));
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
