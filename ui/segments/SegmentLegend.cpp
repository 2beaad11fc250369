// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/SegmentLegend.h"

#include "core/base/Quantities.h"
#include "ui/look/CategoryBrush.h"
#include "ui/segments/SegmentInk.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr double kLegendSwatch = 12;
constexpr double kLegendGap = 5;
constexpr double kLegendBetween = 16;
constexpr int kLegendMargin = 6;

QString legendText(const QString& name, Bytes bytes)
{
    return QStringLiteral("%1 %2").arg(name, QString::fromStdString(sizeText(bytes)));
}

} // namespace

SegmentLegend::SegmentLegend(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("segmentLegend"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    QSizePolicy policy = sizePolicy();
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&theme, &Theme::changed, this, [this] {
        makeEntries();
        update();
    });
}

void SegmentLegend::setMoment(const SegmentMomentPtr& moment)
{
    m_moment = moment;
    makeEntries();
    QStringList words;
    for (const Entry& entry : m_entries)
        words.append(entry.text);
    setAccessibleName(words.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

void SegmentLegend::makeEntries()
{
    m_entries.clear();
    if (!m_moment)
        return;
    std::vector<config::MemoryCategory> order(config::kMemoryCategories.begin(), config::kMemoryCategories.end());
    std::ranges::stable_sort(
        order, std::ranges::greater(), [this](auto category) { return m_moment->categories.of(category); });
    for (const config::MemoryCategory category : order)
        if (const Bytes bytes = m_moment->categories.of(category); bytes > 0) {
            const std::string_view title = config::titleOf(category);
            m_entries.push_back({categoryBrush(m_theme.palette(), static_cast<std::size_t>(category), 2),
                legendText(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())), bytes)});
        }
    const SegmentInk ink(m_theme);
    if (m_moment->sums.pendingBytes > 0)
        m_entries.push_back(
            {ink.pending(), legendText(QStringLiteral("Waiting for a stream"), m_moment->sums.pendingBytes)});
    m_entries.push_back({ink.stuck(), legendText(QStringLiteral("Stuck in gaps"), m_moment->sums.stuckBytes)});
    m_entries.push_back(
        {ink.releasable(), legendText(QStringLiteral("Free segments"), m_moment->sums.releasableBytes)});
}

double SegmentLegend::widthOf(const Entry& entry) const
{
    return kLegendSwatch + kLegendGap + fontMetrics().horizontalAdvance(entry.text);
}

std::vector<QPointF> SegmentLegend::places(int width) const
{
    std::vector<QPointF> places;
    QPointF at(kLegendMargin, 0);
    for (const Entry& entry : m_entries) {
        if (at.x() > kLegendMargin && at.x() + widthOf(entry) > width - kLegendMargin)
            at = {kLegendMargin, at.y() + fontMetrics().lineSpacing() + 2};
        places.push_back(at);
        at.rx() += widthOf(entry) + kLegendBetween;
    }
    return places;
}

int SegmentLegend::heightForWidth(int width) const
{
    const auto all = places(width);
    return static_cast<int>(all.empty() ? 0 : all.back().y()) + fontMetrics().lineSpacing() + 2;
}

QSize SegmentLegend::sizeHint() const
{
    return {40 * fontMetrics().averageCharWidth(), heightForWidth(width())};
}

void SegmentLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto all = places(width());
    const double line = fontMetrics().lineSpacing();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QRectF swatch(all[i] + QPointF(0, (line - kLegendSwatch) / 2), QSizeF(kLegendSwatch, kLegendSwatch));
        painter.fillRect(swatch, m_theme.surface());
        painter.fillRect(swatch, m_entries[i].brush);
        painter.setPen(m_theme.muted());
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRectF(all[i].x() + kLegendSwatch + kLegendGap, all[i].y(), widthOf(m_entries[i]) + 1, line),
            Qt::AlignVCenter | Qt::AlignLeft, m_entries[i].text);
    }
}

} // namespace headroom::ui
