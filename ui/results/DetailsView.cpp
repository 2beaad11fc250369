// SPDX-License-Identifier: Apache-2.0
#include "ui/results/DetailsView.h"

#include "core/base/Xml.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QToolBar>
#include <QVBoxLayout>

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

// Predicted numbers are marked as such in place.
QString detailCell(const report::ReportCell& cell, const Theme& theme)
{
    const QString text = escaped(cell.text);
    if (cell.origin == report::Origin::Plain || cell.text == report::kUnknownCell)
        return text;
    return QStringLiteral("<i>%1</i> %2")
        .arg(text,
            coloured(theme.muted(),
                cell.origin == report::Origin::Predicted ? QStringLiteral("predicted") : QStringLiteral("rehearsed")));
}

QString detailTable(const report::ReportTable& table, const Theme& theme)
{
    QString text = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"3\" width=\"100%\">");
    if (table.columns.size() > 2) { // two columns need no header
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

// The details as rich text in the subset of HTML that QTextDocument supports.
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

} // namespace

DetailsView::DetailsView(Theme& theme, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_selection(selection)
    , m_browser(new QTextBrowser)
    , m_emptyText(new QLabel)
    , m_pages(new QStackedWidget)
    , m_copyAll(new QAction(QStringLiteral("Copy details"), this))
    , m_copySpec(new QAction(QStringLiteral("Copy spec of this trial"), this))
{
    setObjectName(QStringLiteral("detailsView"));
    m_copyAll->setObjectName(QStringLiteral("copyDetails"));
    m_copyAll->setToolTip(QStringLiteral("Copies everything below as Markdown"));
    m_copySpec->setObjectName(QStringLiteral("copyTrialSpec"));
    m_copySpec->setToolTip(QStringLiteral("The TOML file that runs this trial alone"));
    connect(m_copyAll, &QAction::triggered, this,
        [this] { QGuiApplication::clipboard()->setText(QString::fromStdString(markdownOf(*m_details))); });
    connect(m_copySpec, &QAction::triggered, this,
        [this] { QGuiApplication::clipboard()->setText(QString::fromStdString(m_details->spec)); });
    layOut();
    connect(&selection, &Selection::changed, this, &DetailsView::showTrial);
    connect(&theme, &Theme::changed, this, &DetailsView::showDetails);
    showTrial();
}

void DetailsView::layOut()
{
    m_browser->setObjectName(QStringLiteral("detailsText"));
    m_browser->setAccessibleName(QStringLiteral("Details of the selected trial"));
    m_browser->setOpenLinks(false);
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_emptyText->setObjectName(QStringLiteral("detailsEmptyText"));
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);
    m_emptyText->setMargin(fontMetrics().height());
    m_emptyText->setText(
        QStringLiteral("<b>No trial is selected</b><br>Choose a row of the table or a mark of the plot: its "
                       "settings, figures and environment are shown here."));
    auto* details = new QWidget;
    auto* bar = new QToolBar;
    bar->addAction(m_copyAll);
    bar->addAction(m_copySpec);
    auto* layout = new QVBoxLayout(details);
    layout->setContentsMargins({});
    layout->addWidget(bar);
    layout->addWidget(m_browser, 1);
    m_pages->addWidget(details);
    m_pages->addWidget(m_emptyText);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins({});
    outer->addWidget(m_pages);
    setFocusProxy(m_browser);
}

void DetailsView::setResults(const Results& results)
{
    m_results = results;
    showTrial();
}

void DetailsView::showTrial()
{
    const report::ReportTrial* trial = m_results ? m_results->find(m_selection.current().toStdString()) : nullptr;
    m_details.reset();
    if (trial != nullptr)
        m_details = trialDetails(*m_results, *trial);
    showDetails();
}

// If the text is the same, its scroll position and selection are kept.
void DetailsView::showDetails()
{
    m_pages->setCurrentIndex(m_details ? 0 : 1);
    m_copyAll->setEnabled(m_details.has_value());
    m_copySpec->setEnabled(m_details && !m_details->spec.empty());
    const QString html = m_details ? detailsPage(*m_details, m_theme) : QString();
    if (html == m_html)
        return;
    m_html = html;
    m_browser->setHtml(html);
}

QString DetailsView::text() const
{
    return m_details ? m_browser->toPlainText() : QString();
}

} // namespace headroom::ui
