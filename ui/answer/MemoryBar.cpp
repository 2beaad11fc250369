// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/MemoryBar.h"

#include "core/base/Quantities.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace headroom::ui {
namespace {

using experiments::FitVerdict;

constexpr double kDimmedOpacity = 0.45;
constexpr double kRoomBeyond = 1.04; ///< times what is shown: keeps the limit and the need off the very edge
constexpr double kUnknownExcess = 1.15; ///< drawn if the trial is known not to fit, but not by how much
constexpr double kCornerRadius = 3;
constexpr double kLimitWidth = 2;
constexpr int kThinHeight = 12; ///< px, with the ends of the limit's line

QString amount(Bytes bytes)
{
    return QString::fromStdString(sizeText(bytes));
}

QColor withAlpha(QColor colour, double alpha)
{
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

} // namespace

MemoryBar::MemoryBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setAccessibleName(QStringLiteral("Predicted memory against the card's usable memory"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MemoryBar::setVerdict(const FitVerdict& verdict)
{
    m_verdict = verdict;
    m_age = Age::Current;
    setAccessibleDescription(description());
    setToolTip(description());
    update();
}

void MemoryBar::setAge(Age age)
{
    m_age = age;
    update();
}

void MemoryBar::setShape(Shape shape)
{
    m_shape = shape;
    updateGeometry();
    update();
}

void MemoryBar::clear()
{
    m_verdict.reset();
    setAccessibleDescription({});
    setToolTip({});
    update();
}

QFont MemoryBar::legendFont() const
{
    QFont smaller = font();
    smaller.setPointSizeF(font().pointSizeF() * 0.9);
    return smaller;
}

QSize MemoryBar::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(QLatin1Char('0')) * 60, minimumSizeHint().height()};
}

QSize MemoryBar::minimumSizeHint() const
{
    const int height =
        m_shape == Shape::Thin ? kThinHeight : fontMetrics().height() + 4 + QFontMetrics(legendFont()).height() + 2;
    return {fontMetrics().horizontalAdvance(QLatin1Char('0')) * 20, height};
}

QRectF MemoryBar::barRect() const
{
    return {0.5, 2.5, width() - 1.0, (m_shape == Shape::Thin ? kThinHeight - 2.0 : fontMetrics().height()) - 3.0};
}

double MemoryBar::shownBytes() const
{
    const auto usable = static_cast<double>(m_verdict->usableBytes);
    const bool isUnknownExcess = m_verdict->kind == FitVerdict::Kind::DoesNotFit && !m_verdict->neededBytes();
    const double needed =
        isUnknownExcess ? usable * kUnknownExcess : static_cast<double>(m_verdict->neededBytes().value_or(0));
    return std::max({usable, needed, 1.0}) * kRoomBeyond;
}

double MemoryBar::positionOf(Bytes bytes) const
{
    const QRectF bar = barRect();
    return m_verdict ? bar.left() + bar.width() * static_cast<double>(bytes) / shownBytes() : bar.left();
}

std::vector<MemoryBar::Part> MemoryBar::parts() const
{
    const Bytes reserved = m_verdict->reservedBytes.value_or(0);
    const Bytes allocated = std::min(reserved, m_verdict->allocatedBytes.value_or(reserved));
    return {{QStringLiteral("driver"), m_verdict->contextBytes, m_theme.muted()},
        {QStringLiteral("allocated"), allocated, m_theme.accent()},
        {QStringLiteral("also reserved"), reserved - allocated, withAlpha(m_theme.accent(), 0.4)}};
}

void MemoryBar::paintParts(QPainter& painter) const
{
    Bytes begin = 0;
    for (const Part& part : parts()) {
        const QRectF bar = barRect();
        const double left = positionOf(begin);
        painter.fillRect(QRectF(left, bar.top(), positionOf(begin + part.bytes) - left, bar.height()), part.brush);
        begin += part.bytes;
    }
}

void MemoryBar::paintExcess(QPainter& painter) const
{
    if (m_verdict->kind != FitVerdict::Kind::DoesNotFit)
        return;
    const QRectF bar = barRect();
    const double end = m_verdict->neededBytes() ? positionOf(*m_verdict->neededBytes()) : bar.right();
    const double limit = positionOf(m_verdict->usableBytes);
    const QRectF excess(limit, bar.top(), std::max(2.0, end - limit), bar.height());
    painter.fillRect(excess, m_theme.surface());
    painter.fillRect(excess, withAlpha(m_theme.alarm(), 0.25));
    painter.fillRect(excess, QBrush(m_theme.alarm(), Qt::BDiagPattern));
}

void MemoryBar::paintLimit(QPainter& painter) const
{
    const QRectF bar = barRect();
    const double limit = positionOf(m_verdict->usableBytes);
    const double margin = positionOf(m_verdict->usableBytes - m_verdict->marginBytes);
    painter.fillRect(
        QRectF(margin, bar.top(), limit - margin, bar.height()), QBrush(m_theme.warning(), Qt::Dense4Pattern));
    painter.setPen(QPen(m_theme.ink(), kLimitWidth));
    painter.drawLine(QPointF(limit, bar.top() - 2), QPointF(limit, bar.bottom() + 2));
}

void MemoryBar::paintLegend(QPainter& painter) const
{
    const QFontMetrics metrics(legendFont());
    const QRectF bar = barRect();
    const double top = bar.bottom() + 4;
    const int side = metrics.ascent() - 2;
    const int gap = metrics.horizontalAdvance(QLatin1Char('0'));
    painter.setFont(legendFont());
    double left = bar.left();
    const auto entry = [&](const QString& text, double signWidth, const QBrush& brush) {
        const double wide = signWidth + gap / 2.0 + metrics.horizontalAdvance(text);
        if (left + wide > bar.right())
            return;
        const QRectF sign(left, top + (metrics.height() - side) / 2.0, signWidth, side);
        painter.fillRect(sign, brush);
        painter.setPen(m_theme.ink());
        painter.drawText(QPointF(left + signWidth + gap / 2.0, top + metrics.ascent()), text);
        left += wide + 1.5 * gap;
    };
    for (const Part& part : parts())
        if (part.bytes > 0)
            entry(part.name + QLatin1Char(' ') + amount(part.bytes), side, part.brush);
    entry(QStringLiteral("usable %1").arg(amount(m_verdict->usableBytes)), kLimitWidth, m_theme.ink());
    entry(QStringLiteral("tight zone %1").arg(amount(m_verdict->marginBytes)), side,
        QBrush(m_theme.warning(), Qt::Dense4Pattern));
}

void MemoryBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath outline;
    outline.addRoundedRect(barRect(), kCornerRadius, kCornerRadius);
    painter.fillPath(outline, m_theme.surface());
    if (m_verdict && m_verdict->usableBytes > 0) {
        painter.setOpacity(m_age == Age::Current ? 1 : kDimmedOpacity);
        painter.setClipPath(outline);
        paintParts(painter);
        paintExcess(painter);
        painter.setClipping(false);
        painter.setRenderHint(QPainter::Antialiasing, false);
        paintLimit(painter);
        if (m_shape == Shape::WithLegend)
            paintLegend(painter);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.strokePath(outline, QPen(m_theme.muted(), 1));
}

QString MemoryBar::description() const
{
    QStringList texts;
    for (const Part& part : parts())
        if (part.bytes > 0)
            texts.append(part.name + QLatin1Char(' ') + amount(part.bytes));
    return QStringLiteral(
        "Predicted: %1; usable %2. Less than %3 free counts as tight, as predictions have an error and other "
        "programs take memory, too.")
        .arg(texts.join(QStringLiteral(", ")), amount(m_verdict->usableBytes), amount(m_verdict->marginBytes));
}

} // namespace headroom::ui
