// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/PeakPanel.h"

#include "experiments/figures/memory/PhaseSpans.h"

#include <QHeaderView>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

constexpr int kUsualLetters = 42; ///< width: the names of categories, and two columns of numbers
constexpr int kLeastLetters = 28;

QString peakSize(Bytes bytes)
{
    return QString::fromStdString(sizeText(bytes));
}

QLabel* wrapped(const char* name)
{
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

PeakPanel::PeakPanel(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_heading(new QLabel(QStringLiteral("At the peak")))
    , m_sentence(wrapped("peakSentence"))
    , m_bar(new PeakBar(theme))
    , m_model(new PeakPartsModel(theme, this))
    , m_table(new QTableView)
    , m_tree(new PeakTreeView(theme))
    , m_pages(new QStackedWidget)
    , m_note(wrapped("peakNote"))
{
    setObjectName(QStringLiteral("peakPanel"));
    QFont bold = m_heading->font();
    bold.setBold(true);
    m_heading->setFont(bold);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_table->setObjectName(QStringLiteral("peakTable"));
    m_table->setAccessibleName(QStringLiteral("What the peak consists of"));
    m_table->setModel(m_model);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setWordWrap(true);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(PeakPartsModel::Part, QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    setMinimumWidth(kLeastLetters * fontMetrics().averageCharWidth());
    auto* layout = new QVBoxLayout(this);
    const int margin = fontMetrics().averageCharWidth() / 2;
    layout->setContentsMargins(margin, 0, margin, 0);
    for (QWidget* widget :
        {static_cast<QWidget*>(m_heading), static_cast<QWidget*>(m_sentence), static_cast<QWidget*>(m_bar)})
        layout->addWidget(widget);
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_tree);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_note);
}

// Wide enough for the names of the parts and two columns of numbers.
QSize PeakPanel::sizeHint() const
{
    const int letter = fontMetrics().averageCharWidth();
    return {kUsualLetters * letter, kLeastLetters * letter};
}

void PeakPanel::show(const TimelineSlot* slot)
{
    const bool isKnown = slot != nullptr && slot->hasTrace() && slot->summary;
    for (QWidget* widget :
        {static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_pages), static_cast<QWidget*>(m_note)})
        widget->setVisible(isKnown);
    const PeakTreesPtr trees = isKnown ? slot->summary->peak.trees : nullptr;
    if (trees != m_trees)
        m_tree->setTrees(trees);
    m_trees = trees;
    m_pages->setCurrentWidget(trees ? static_cast<QWidget*>(m_tree) : m_table);
    m_model->setContents(isKnown ? std::optional(slot->summary->peak) : std::nullopt);
    m_bar->setContents(isKnown ? std::optional(slot->summary->peak) : std::nullopt);
    if (isKnown)
        describe(*slot->summary);
    else
        m_sentence->setText(slot != nullptr && slot->hasTrace()
                ? QStringLiteral("Looking at what is held at the peak…")
                : QStringLiteral("Shown for trials that have a timeline."));
}

void PeakPanel::describe(const TimelineSummary& summary)
{
    const PeakContents& peak = summary.peak;
    QString sentence = QStringLiteral("%1 allocated at %2")
                           .arg(peakSize(peak.peak.bytes), QString::fromStdString(timeText(peak.peak.timeNs)));
    if (peak.phase)
        sentence += QStringLiteral(", in %1").arg(QString::fromStdString(figures::phaseTitle(*peak.phase)));
    if (summary.provenance != config::Provenance::Measured)
        sentence += QStringLiteral(" (%1)").arg(QString::fromUtf8(config::toText(summary.provenance)));
    m_sentence->setText(sentence + QLatin1Char('.'));
    QStringList notes;
    if (!peak.trees)
        notes.append(QStringLiteral("Each part is what was still held of that which was allocated then."));
    else if (peak.reservedNotAllocated() > 0)
        notes.append(
            QStringLiteral("%1 more were reserved, not allocated.").arg(peakSize(peak.reservedNotAllocated())));
    if (peak.savedForBackward)
        notes.append(
            QStringLiteral("%1 were saved for backward when the forward ended.").arg(peakSize(*peak.savedForBackward)));
    m_note->setText(notes.join(QLatin1Char(' ')));
}

} // namespace headroom::ui
