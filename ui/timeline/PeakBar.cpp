// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/PeakBar.h"

#include "ui/timeline/PeakPartsModel.h"

#include <QPainter>

#include <algorithm>

namespace headroom::ui {

PeakBar::PeakBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("peakBar"));
    setAccessibleName(tr("What the peak consists of, as a bar; the table below has its numbers"));
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
    std::vector<Bytes> parts;
    for (const PeakPart& part : m_contents->parts)
        parts.push_back(part.bytes);
    parts.push_back(m_contents->reservedNotAllocated());
    double left = whole.left();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double width = whole.width() * static_cast<double>(std::max<Bytes>(parts[i], 0))
            / static_cast<double>(m_contents->total());
        if (width > 0)
            paintPart(painter, {left, whole.top(), width, whole.height()}, i);
        left += width;
    }
}

// What is not allocated is only hatched: it is room, not content.
void PeakBar::paintPart(QPainter& painter, const QRectF& box, std::size_t part)
{
    const QColor colour = partColour(m_theme, part);
    const bool isRoom = part == m_contents->parts.size();
    QColor fill = colour;
    fill.setAlphaF(isRoom ? 1.0F : 0.35F);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(isRoom ? QBrush(fill, Qt::BDiagPattern) : QBrush(fill));
    painter.drawRect(box);
    const QString number = QString::number(part + 1);
    if (box.width() < fontMetrics().horizontalAdvance(number) + 6)
        return;
    painter.setPen(m_theme.ink());
    painter.drawText(box, Qt::AlignCenter, number);
}

} // namespace headroom::ui
