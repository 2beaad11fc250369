// SPDX-License-Identifier: Apache-2.0
#include "ui/results/DetailsPage.h"

#include "core/base/Xml.h"

namespace headroom::ui {
namespace {

QString escaped(const std::string& text)
{
    return QString::fromStdString(xmlText(text, LineEnds::AsTheyAre));
}

QString paragraph(const QString& content, const QString& style)
{
    return QStringLiteral("<p style=\"%1\">%2</p>").arg(style, content);
}

QString coloured(const QColor& colour, const QString& content)
{
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colour.name(), content);
}

// A number that is predicted says so where it stands.
QString detailCell(const report::ReportCell& cell, const Theme& theme)
{
    const QString text = escaped(cell.text);
    if (cell.origin != report::Origin::Predicted || cell.text == report::kUnknownCell)
        return text;
    return QStringLiteral("<i>%1</i> %2").arg(text, coloured(theme.muted(), QStringLiteral("predicted")));
}

QString detailTable(const report::ReportTable& table, const Theme& theme)
{
    QString text = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"3\" width=\"100%\">");
    if (table.columns.size() > 2) { // two columns explain themselves
        text += QStringLiteral("<tr>");
        for (const report::ReportColumn& column : table.columns)
            text += QStringLiteral("<td>%1</td>").arg(coloured(theme.muted(), escaped(column.title)));
        text += QStringLiteral("</tr>");
    }
    for (const report::ReportRow& row : table.rows) {
        text += QStringLiteral("<tr>");
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            text += i == 0
                ? QStringLiteral("<td width=\"45%\">%1</td>").arg(coloured(theme.muted(), escaped(row.cells[i].text)))
                : QStringLiteral("<td>%1</td>").arg(detailCell(row.cells[i], theme));
        text += QStringLiteral("</tr>");
    }
    return text + QStringLiteral("</table>");
}

QString detailCode(const std::string& code)
{
    return QStringLiteral("<pre style=\"white-space:pre-wrap\">%1</pre>").arg(escaped(code));
}

QString sectionText(const DetailSection& section, const Theme& theme)
{
    QString text;
    if (!section.title.empty())
        text += paragraph(QStringLiteral("<b>%1</b>").arg(escaped(section.title)),
            QStringLiteral("margin-top:14px;margin-bottom:2px"));
    for (const std::string& sentence : section.sentences)
        text += paragraph(escaped(sentence), QStringLiteral("margin-top:2px;margin-bottom:2px"));
    if (!section.table.rows.empty())
        text += detailTable(section.table, theme);
    if (!section.code.empty())
        text += detailCode(section.code);
    return text;
}

QColor outcomeColour(const TrialDetails& details, const Theme& theme)
{
    if (details.outcomeWord == "completed")
        return details.outcome.find(';') == std::string::npos ? theme.good() : theme.warning();
    const bool isBad =
        details.outcomeWord == "failed" || details.outcomeWord == "timed_out" || details.outcomeWord == "out_of_memory";
    return isBad ? theme.alarm() : theme.muted();
}

} // namespace

QString detailsPage(const TrialDetails& details, const Theme& theme)
{
    QString text =
        paragraph(QStringLiteral("<span style=\"font-size:large\"><b>%1</b></span>").arg(escaped(details.title)),
            QStringLiteral("margin-bottom:2px"));
    text += paragraph(escaped(details.subtitle), QStringLiteral("margin-top:0;margin-bottom:2px"));
    text +=
        paragraph(QStringLiteral("<b>%1</b>").arg(coloured(outcomeColour(details, theme), escaped(details.outcome))),
            QStringLiteral("margin-top:0"));
    for (const DetailSection& section : details.sections)
        text += sectionText(section, theme);
    return text;
}

} // namespace headroom::ui
