// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/PeakPanel.h"

#include "experiments/figures/memory/PhaseSpans.h"
#include "ui/look/CategoryBrush.h"
#include "ui/timeline/PeakPartsModel.h"

#include <QHeaderView>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <string_view>

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

PeakBar::PeakBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("peakBar"));
    setAccessibleName(QStringLiteral("What the peak consists of, as a bar; the table below has its numbers"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void PeakBar::setContents(std::optional<PeakContents> contents)
{
    m_contents = std::move(contents);
    update();
}

QSize PeakBar::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 30, fontMetrics().height() * 2};
}

void PeakBar::paintEvent(QPaintEvent*)
{
    if (!m_contents || m_contents->total() <= 0)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF whole = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    double left = whole.left();
    for (const Piece& piece : pieces()) {
        const double width = whole.width() * static_cast<double>(std::max<Bytes>(piece.bytes, 0))
            / static_cast<double>(m_contents->total());
        if (width > 0)
            paintPiece(painter, {left, whole.top(), width, whole.height()}, piece);
        left += width;
    }
}

// Categories if they are known, else the parts by origin; last, what is reserved but not allocated.
std::vector<PeakBar::Piece> PeakBar::pieces() const
{
    std::vector<Piece> pieces;
    if (m_contents->trees)
        for (const config::MemoryCategory category : config::kMemoryCategories)
            pieces.push_back({m_contents->trees->categories.of(category), Piece::Kind::Category,
                static_cast<std::size_t>(category)});
    else
        for (std::size_t i = 0; i < m_contents->parts.size(); ++i)
            pieces.push_back({m_contents->parts[i].bytes, Piece::Kind::Part, i});
    pieces.push_back({m_contents->reservedNotAllocated(), Piece::Kind::Room, m_contents->parts.size()});
    return pieces;
}

void PeakBar::paintPiece(QPainter& painter, const QRectF& box, const Piece& piece)
{
    if (piece.kind == Piece::Kind::Category)
        paintCategory(painter, box, piece.number);
    else
        paintPart(painter, box, piece);
}

void PeakBar::paintCategory(QPainter& painter, const QRectF& box, std::size_t category)
{
    painter.setPen(QPen(m_theme.surface(), 1));
    painter.setBrush(categoryBrush(m_theme.palette(), category, devicePixelRatioF()));
    painter.drawRect(box);
    const std::string_view title = config::titleOf(config::kMemoryCategories.at(category));
    const QString name = QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
    if (box.width() < fontMetrics().horizontalAdvance(name) + 8)
        return;
    const QRect words = fontMetrics().boundingRect(box.toRect(), Qt::AlignCenter, name);
    painter.fillRect(words.adjusted(-2, 0, 2, 0), Theme::colour(m_theme.palette().categories.at(category)));
    painter.setPen(Theme::colour(m_theme.palette().onCategory));
    painter.drawText(box, Qt::AlignCenter, name);
}

// Memory that is not allocated is only hatched: it is free space, not content.
void PeakBar::paintPart(QPainter& painter, const QRectF& box, const Piece& piece)
{
    const bool isRoom = piece.kind == Piece::Kind::Room;
    const QColor colour = isRoom && m_contents->trees ? m_theme.muted() : partColour(m_theme, piece.number);
    QColor fill = colour;
    fill.setAlphaF(isRoom ? 1.0F : 0.35F);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(isRoom ? QBrush(fill, Qt::BDiagPattern) : QBrush(fill));
    painter.drawRect(box);
    const QString number = QString::number(piece.number + 1);
    if (m_contents->trees || box.width() < fontMetrics().horizontalAdvance(number) + 6)
        return;
    painter.setPen(m_theme.ink());
    painter.drawText(box, Qt::AlignCenter, number);
}

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
