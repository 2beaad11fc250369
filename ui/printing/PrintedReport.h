// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/document/ReportDocument.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextOption>

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
    void addHead(const report::ReportDocument& document);
    void addSections(const report::ReportDocument& document);
    void addBlocks(const report::Blocks& blocks);
    void add(const report::Paragraph& paragraph);
    void add(const report::Heading& heading);
    void add(const report::Bullets& bullets);
    void add(const report::TableBlock& block);
    void add(const report::FigureBlock& block);
    void add(const report::TreeBlock& block);
    void add(const report::CodeBlock& block);
    void add(const report::TermsBlock& block);
    void add(const report::Folded& folded);
    void add(const report::Group& group);
    void addHtml(const QString& html);
    void keepHeadingsWithTheirText();
    double endOfFirstLine(QTextBlock block) const;
    int pageOf(double height) const;

    QTextDocument m_document;
    QTextCursor m_cursor;
    QSizeF m_page;
};

} // namespace headroom::ui
