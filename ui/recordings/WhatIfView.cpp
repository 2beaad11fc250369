// SPDX-License-Identifier: Apache-2.0
#include "ui/recordings/WhatIfView.h"

#include "core/base/Quantities.h"
#include "experiments/recordings/WhatIfWords.h"
#include "ui/recordings/WhatIfTableModel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

using experiments::SettingSuggestion;
using experiments::WhatIfAnswer;
using experiments::WhatIfRow;

constexpr int kRestMs = 250; ///< after the last key before it is answered
constexpr int kFormLetters = 58;
constexpr int kSettingLetters = 34;

const QString kWhatIfNothing = QStringLiteral(
    "What would other allocator settings, or another card, have done? Select a trial that has a trace, or open a "
    "recording (File > Open a recording).");

QString servedText(const WhatIfRow& row)
{
    return QStringLiteral("%1 reserved at most, %2 of them unused then (%3)")
        .arg(QString::fromStdString(sizeText(row.outcome.peakReservedBytes)),
            QString::fromStdString(sizeText(row.unusedBytes())),
            QString::fromStdString(shareText(row.unusedBytes(), row.outcome.peakReservedBytes)));
}

// "Fits in 22.1 GiB: 18.2 GiB reserved at most …" or where it ends.
QString verdictOf(const WhatIfRow& row, const recordings::Recording& recording)
{
    const QString room = row.capacityBytes
        ? QStringLiteral(" in %1").arg(QString::fromStdString(sizeText(*row.capacityBytes)))
        : QString();
    const QString setting =
        row.isRecorded ? QStringLiteral("the recorded settings") : QString::fromStdString(row.allocator);
    if (row.fits())
        return QStringLiteral("With %1, everything is served%2: %3.").arg(setting, room, servedText(row));
    return QStringLiteral("With %1, it runs out of memory%2 %3. Until then %4.")
        .arg(setting, room, QString::fromStdString(experiments::whereItFails(row, recording)), servedText(row));
}

QLabel* whatIfLabel(const char* name, const QString& words)
{
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setAccessibleName(words);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

WhatIfView::WhatIfView(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_pages(new QStackedWidget)
    , m_empty(whatIfLabel("whatIfEmpty", QStringLiteral("What if")))
    , m_form(new AllocatorForm)
    , m_sentence(whatIfLabel("whatIfSentence", QStringLiteral("With these settings")))
    , m_suggestion(whatIfLabel("whatIfSuggestion", QStringLiteral("The setting that helps most")))
    , m_copy(new QPushButton(QStringLiteral("Copy the line")))
    , m_progress(new QProgressBar)
    , m_model(new WhatIfTableModel(theme, this))
    , m_table(new QTableView)
    , m_remarks(whatIfLabel("whatIfRemarks", QStringLiteral("What the answers assume")))
    , m_left(nullptr)
{
    setObjectName(QStringLiteral("whatIfView"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(fontMetrics().height());
    auto* shown = new QWidget;
    auto* row = new QHBoxLayout(shown);
    m_left = makeForm();
    row->addWidget(m_left);
    row->addWidget(makeAnswers(), 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(shown);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_pages);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &WhatIfView::ask);
    connect(m_form, &AllocatorForm::edited, &m_rest, qOverload<>(&QTimer::start));
    connectEngine();
    say(kWhatIfNothing);
    setFocusProxy(m_form->findChild<QWidget*>(QStringLiteral("whatIfCard")));
}

WhatIfView::~WhatIfView() = default;

QWidget* WhatIfView::makeForm()
{
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins({});
    column->addWidget(m_form);
    column->addWidget(m_remarks);
    column->addStretch(1);
    m_remarks->setForegroundRole(QPalette::PlaceholderText);
    left->setMaximumWidth(kFormLetters * fontMetrics().averageCharWidth());
    return left;
}

QWidget* WhatIfView::makeAnswers()
{
    m_table->setObjectName(QStringLiteral("whatIfTable"));
    m_table->setAccessibleName(QStringLiteral("How the requests are served under each setting"));
    m_table->setModel(m_model);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().lineSpacing() + 4);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(WhatIfTableModel::Setting, QHeaderView::Interactive);
    m_table->horizontalHeader()->resizeSection(
        WhatIfTableModel::Setting, kSettingLetters * fontMetrics().averageCharWidth());
    m_table->setToolTip(QStringLiteral("Enter, or a double click, puts a row's setting into the form"));
    connect(m_table, &QTableView::activated, this, &WhatIfView::useRow);
    QFont bold = m_sentence->font();
    bold.setBold(true);
    m_sentence->setFont(bold);
    m_copy->setObjectName(QStringLiteral("whatIfCopy"));
    m_progress->setObjectName(QStringLiteral("whatIfProgress"));
    m_progress->setAccessibleName(QStringLiteral("The sensible settings are being tried"));
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(fontMetrics().height() / 3);
    connect(m_copy, &QPushButton::clicked, this, &WhatIfView::copyLine);
    auto* best = new QVBoxLayout; // below each other: a line of settings is one long word
    best->addWidget(m_suggestion);
    best->addWidget(m_copy, 0, Qt::AlignLeft);
    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins({});
    column->addWidget(m_sentence);
    column->addLayout(best);
    column->addWidget(m_progress);
    column->addWidget(m_table, 1);
    return right;
}

void WhatIfView::connectEngine()
{
    connect(&m_engine, &WhatIfEngine::begun, this, &WhatIfView::take);
    connect(&m_engine, &WhatIfEngine::answered, this, &WhatIfView::takeAnswer);
    connect(&m_engine, &WhatIfEngine::tried, m_model, &WhatIfTableModel::addTried);
    connect(&m_engine, &WhatIfEngine::suggested, this, &WhatIfView::takeSuggestion);
    connect(&m_engine, &WhatIfEngine::failed, this, [this](const QString& message) {
        if (!m_start.recording)
            return say(message);
        m_sentence->setText(message);
        m_progress->hide();
        m_isTrying = false;
    });
}

QString WhatIfView::sentence() const
{
    return m_pages->currentWidget() == m_empty ? m_empty->text() : m_sentence->text();
}

QString WhatIfView::suggestion() const
{
    return m_suggestion->text();
}

void WhatIfView::say(const QString& message)
{
    m_empty->setText(message);
    m_pages->setCurrentWidget(m_empty);
}

void WhatIfView::setSubject(const std::optional<WhatIfSubject>& subject)
{
    if (subject == m_subject)
        return;
    m_subject = subject;
    m_engine.end();
    m_start = {};
    m_tried.reset();
    m_isTrying = false;
    m_rest.stop();
    say(kWhatIfNothing);
    if (isVisible())
        begin();
}

void WhatIfView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!m_start.recording)
        begin();
}

void WhatIfView::begin()
{
    if (!m_subject)
        return;
    say(QStringLiteral("Reading the requests of %1…").arg(QString::fromStdString(m_subject->title)));
    m_engine.begin(*m_subject);
}

void WhatIfView::take(const WhatIfStart& start)
{
    if (start.subject != m_subject)
        return;
    m_start = start;
    m_model->clear(start.recording);
    if (!start.missing.isEmpty())
        return say(start.missing);
    m_form->setStart(start);
    m_sentence->setText(QStringLiteral("Serving the requests again…"));
    m_pages->setCurrentIndex(1);
    ask();
}

void WhatIfView::ask()
{
    if (!m_start.recording || !m_start.missing.isEmpty())
        return;
    const WhatIfTerms terms = m_form->terms();
    m_engine.ask(terms);
    WhatIfTerms memory = terms; // which settings help depends on the memory alone
    memory.allocator.clear();
    if (memory == m_tried)
        return;
    m_tried = memory;
    m_model->clearTried();
    m_suggestion->setText(QStringLiteral("Trying the settings that may help…"));
    m_copy->hide();
    m_progress->show();
    m_isTrying = true;
    m_engine.suggest(memory);
}

void WhatIfView::takeAnswer(const WhatIfTerms& terms, const WhatIfAnswer& answer)
{
    if (terms != m_form->terms())
        return; // a newer one is on its way
    m_model->setAsked(answer.rows);
    m_sentence->setText(verdictOf(answer.rows.back(), *m_start.recording));
    QStringList remarks;
    for (const std::string& remark : answer.remarks)
        remarks.append(QString::fromStdString(remark));
    m_remarks->setText(remarks.join(QStringLiteral("\n\n")));
    fitSettings();
}

void WhatIfView::takeSuggestion(const std::optional<SettingSuggestion>& suggestion)
{
    m_isTrying = false;
    m_progress->hide();
    m_copy->setVisible(suggestion.has_value());
    m_line = suggestion ? QString::fromStdString(suggestion->line) : QString();
    m_suggestion->setText(suggestion ? QString::fromStdString(suggestion->text) + QLatin1Char('\n') + m_line
                                     : QStringLiteral("None of the settings that were tried helps."));
    m_model->setBest(suggestion ? suggestion->allocator : std::string());
    fitSettings();
}

void WhatIfView::copyLine()
{
    QGuiApplication::clipboard()->setText(m_line);
    Q_EMIT said(QStringLiteral("Copied: %1").arg(m_line));
}

void WhatIfView::useRow()
{
    if (!m_table->currentIndex().isValid())
        return;
    const std::string& allocator = m_model->row(m_table->currentIndex().row()).allocator;
    m_form->setAllocator(allocator == "default" ? QString() : QString::fromStdString(allocator));
    m_rest.start();
}

void WhatIfView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_left->setMaximumWidth(std::min(kFormLetters * fontMetrics().averageCharWidth(), width() * 3 / 8));
    fitSettings();
}

// Whole where the other columns leave room for that.
void WhatIfView::fitSettings()
{
    QHeaderView& header = *m_table->horizontalHeader();
    int room = m_table->viewport()->width();
    for (int column = 0; column < header.count(); ++column)
        room -= column == WhatIfTableModel::Setting ? 0 : header.sectionSize(column);
    const int whole = static_cast<const QAbstractItemView*>(m_table)->sizeHintForColumn(WhatIfTableModel::Setting);
    const int least = kSettingLetters * fontMetrics().averageCharWidth();
    header.resizeSection(WhatIfTableModel::Setting, std::max(least, std::min(whole, room)));
}

} // namespace headroom::ui
