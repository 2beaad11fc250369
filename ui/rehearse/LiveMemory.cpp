// SPDX-License-Identifier: Apache-2.0
#include "ui/rehearse/LiveMemory.h"

#include "core/base/Quantities.h"
#include "ui/look/DrawingRole.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr double kFewestSeconds = 10; ///< that the axis has
constexpr double kRoomAbove = 1.08;

QString amount(Bytes bytes)
{
    return QString::fromStdString(sizeText(bytes));
}

} // namespace

QPointF LiveMemory::Axes::at(double second, Bytes size) const
{
    return {area.left() + area.width() * second / seconds,
        area.bottom() - area.height() * static_cast<double>(size) / bytes};
}

LiveMemory::LiveMemory(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    speakAsDrawing(staticMetaObject);
    setObjectName(QStringLiteral("liveMemory"));
    setAccessibleName(QStringLiteral("Memory of the card over time"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void LiveMemory::begin(Bytes usable)
{
    m_usable = usable;
    m_points.clear();
    m_secondRun = -1;
    m_most = 0;
    setAccessibleDescription({});
    update();
}

void LiveMemory::add(const ScriptMoment& moment)
{
    const bool isSecond = moment.isUnlimited && m_secondRun < 0;
    if (isSecond)
        m_secondRun = m_points.empty() ? 0 : m_points.back().seconds;
    m_points.push_back({moment.seconds + std::max(m_secondRun, 0.0), moment});
    m_most = std::max({m_most, moment.taken, moment.reserved.value_or(0)});
    setAccessibleDescription(description());
    update();
}

QSize LiveMemory::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 16};
}

QSize LiveMemory::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 30, fontMetrics().height() * 7};
}

LiveMemory::Axes LiveMemory::axes() const
{
    const int line = fontMetrics().height();
    const int left = fontMetrics().horizontalAdvance(QStringLiteral("100 GiB ")) + line / 2;
    const double last = m_points.empty() ? 0 : m_points.back().seconds;
    return {QRectF(left, 1.8 * line, width() - left - line, height() - 3.6 * line), std::max(kFewestSeconds, last),
        static_cast<double>(std::max<Bytes>({m_usable, m_most, 1})) * kRoomAbove};
}

void LiveMemory::paintTaken(QPainter& painter, const Axes& axes) const
{
    if (m_points.empty())
        return;
    QPolygonF area{axes.at(m_points.front().seconds, 0)};
    for (const Point& point : m_points) {
        area.append(QPointF(axes.at(point.seconds, 0).x(), area.last().y()));
        area.append(axes.at(point.seconds, point.moment.taken));
    }
    area.append(axes.at(m_points.back().seconds, 0));
    QColor fill = m_theme.accent();
    fill.setAlphaF(0.25F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(area);
}

void LiveMemory::paintHeld(
    QPainter& painter, const Axes& axes, std::optional<Bytes> ScriptMoment::* held, const QColor& colour) const
{
    QPolygonF line;
    for (const Point& point : m_points) {
        if (!(point.moment.*held))
            continue;
        const QPointF next = axes.at(point.seconds, *(point.moment.*held));
        if (!line.isEmpty())
            line.append(QPointF(next.x(), line.last().y()));
        line.append(next);
    }
    painter.setPen(QPen(colour, 1.5));
    painter.drawPolyline(line);
}

void LiveMemory::paintLimit(QPainter& painter, const Axes& axes) const
{
    if (m_usable <= 0)
        return;
    const double y = axes.at(0, m_usable).y();
    painter.setPen(QPen(m_theme.alarm(), 1.5, Qt::DashLine));
    painter.drawLine(QPointF(axes.area.left(), y), QPointF(axes.area.right(), y));
}

void LiveMemory::paintSecondRun(QPainter& painter, const Axes& axes) const
{
    if (m_secondRun < 0)
        return;
    const double x = axes.at(m_secondRun, 0).x();
    painter.setPen(QPen(m_theme.muted(), 1, Qt::DotLine));
    painter.drawLine(QPointF(x, axes.area.top()), QPointF(x, axes.area.bottom()));
    painter.drawText(QPointF(x + fontMetrics().averageCharWidth(), axes.area.top() + fontMetrics().ascent()),
        QStringLiteral("again, without the limit"));
}

void LiveMemory::paintScale(QPainter& painter, const Axes& axes) const
{
    const QFontMetrics metrics = fontMetrics();
    const SizeUnit unit = axisUnitFor(static_cast<Bytes>(axes.bytes));
    painter.setPen(m_theme.muted());
    for (int i = 0; i <= 4; ++i) {
        const auto bytes = static_cast<Bytes>(axes.bytes / kRoomAbove * i / 4);
        const double y = axes.at(0, bytes).y();
        const QString text =
            QStringLiteral("%1 %2").arg(unit.of(bytes), 0, 'f', 1).arg(QString::fromStdString(unit.name));
        painter.drawText(
            QRectF(0, y - metrics.height() / 2.0, axes.area.left() - metrics.averageCharWidth(), metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, text);
        painter.setPen(m_theme.grid());
        painter.drawLine(QPointF(axes.area.left(), y), QPointF(axes.area.right(), y));
        painter.setPen(m_theme.muted());
    }
    const QRectF below(axes.area.left(), axes.area.bottom() + 2, axes.area.width(), metrics.height());
    painter.drawText(below, Qt::AlignLeft, QStringLiteral("0 s"));
    painter.drawText(below, Qt::AlignRight, QStringLiteral("%1 s").arg(axes.seconds, 0, 'f', 0));
}

void LiveMemory::paintLegend(QPainter& painter, const Axes& axes) const
{
    double left = axes.area.left();
    const auto entry = [&](const QString& text, const QColor& colour) {
        painter.setPen(QPen(colour, 3));
        const double middle = fontMetrics().height() * 0.8;
        painter.drawLine(QPointF(left, middle), QPointF(left + fontMetrics().height(), middle));
        left += 1.4 * fontMetrics().height();
        painter.setPen(m_theme.ink());
        painter.drawText(QPointF(left, fontMetrics().ascent() + fontMetrics().height() * 0.3), text);
        left += fontMetrics().horizontalAdvance(text) + fontMetrics().height();
    };
    QColor taken = m_theme.accent();
    taken.setAlphaF(0.4F);
    entry(QStringLiteral("taken of the card"), taken);
    entry(QStringLiteral("reserved"), m_theme.accent());
    entry(QStringLiteral("allocated"), m_theme.warning());
    entry(QStringLiteral("usable %1").arg(amount(m_usable)), m_theme.alarm());
}

void LiveMemory::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), m_theme.surface());
    const Axes shown = axes();
    paintScale(painter, shown);
    paintTaken(painter, shown);
    paintHeld(painter, shown, &ScriptMoment::reserved, m_theme.accent());
    paintHeld(painter, shown, &ScriptMoment::allocated, m_theme.warning());
    paintLimit(painter, shown);
    paintSecondRun(painter, shown);
    paintLegend(painter, shown);
}

QString LiveMemory::description() const
{
    const ScriptMoment& last = m_points.back().moment;
    return QStringLiteral("%1 taken of %2, %3 steps finished, most so far %4")
        .arg(amount(last.taken), amount(m_usable))
        .arg(last.steps)
        .arg(amount(m_most));
}

} // namespace headroom::ui
