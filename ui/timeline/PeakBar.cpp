// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/PeakBar.h"

#include "ui/look/CategoryBrush.h"
#include "ui/timeline/PeakPartsModel.h"

#include <QPainter>

#include <algorithm>
#include <string_view>

namespace headroom::ui {

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

} // namespace headroom::ui
