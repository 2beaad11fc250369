// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/ReportTable.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextOption>

#include <vector>

namespace headroom::ui {

/// A report as a document of pages: words and tables as rich text, figures as objects of it that a painter draws.
class PrintedReport {
public:
    /// Of a page between its margins, in px of which a figure's text is 12 high.
    PrintedReport(const report::ReportContent& content, const report::Comparison& comparison, const QSizeF& page,
        QTextOption::WrapMode wrapMode);

    const QTextDocument& document() const { return m_document; }
    /// A table has too many columns for whole words.
    bool isWiderThanThePage() const;
    int pageCount() const { return m_document.pageCount(); }

private:
    void addHead(const report::ReportContent& content);
    void addResults(const report::ReportContent& content, const report::Comparison& comparison);
    void addTimelines(const report::ReportContent& content, const report::Comparison& comparison);
    void addDetails(const report::ReportContent& content, const report::Comparison& comparison);
    void addReplay(const report::ReportContent& content);
    void addHeading(const QString& title);
    void addHtml(const QString& html);
    void addTable(const QString& title, const report::ReportTable& table);
    void addFigure(const figures::Figure& figure);
    void keepHeadingsWithTheirText();
    double endOfFirstLine(QTextBlock block) const;
    int pageOf(double height) const;

    QTextDocument m_document;
    QTextCursor m_cursor;
    QSizeF m_page;
};

} // namespace headroom::ui
