// SPDX-License-Identifier: Apache-2.0
#include "ui/results/DetailsView.h"

#include "ui/results/DetailsPage.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QToolBar>
#include <QVBoxLayout>

namespace headroom::ui {

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
    m_copyAll->setToolTip(QStringLiteral("Everything below, as Markdown"));
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
                       "settings, figures and environment stand here then."));
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

// A text that stays the same keeps its place and what is selected in it.
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
