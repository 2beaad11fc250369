// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/LayerHighlight.h"

#include "ui/figures/LayerPainter.h"
#include "ui/plot/PlotLayer.h"

#include <QMouseEvent>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr float kVeil = 0.75F; ///< how much of the surface covers what does not stand out

} // namespace

LayerHighlight::LayerHighlight(FigureCanvas& canvas, Theme& theme)
    : QObject(&canvas)
    , m_canvas(canvas)
    , m_theme(theme)
{
    canvas.installEventFilter(this);
    new PlotLayer(canvas, QStringLiteral("overlay"), [this](QPainter& painter) { paint(painter); });
}

void LayerHighlight::setKept(const Categories& categories)
{
    if (categories == m_kept)
        return;
    m_kept = categories;
    m_canvas.layer(QStringLiteral("overlay"))->replot();
}

std::optional<config::MemoryCategory> LayerHighlight::at(const QPointF& place) const
{
    const PlotScene& scene = m_canvas.scene();
    if (scene.isEmpty() || !scene.layout.plot.holds(figures::Pixel{place.x(), place.y()}))
        return std::nullopt;
    const double x = scene.xAt(place.x());
    const double y = scene.yAt(place.y());
    for (const figures::Layer& layer : scene.whole->layers) {
        const auto after = std::ranges::upper_bound(layer.points, x, {}, &figures::BandPoint::x);
        if (after == layer.points.begin())
            continue;
        const figures::BandPoint& held = *std::prev(after);
        if (y >= held.low && y < held.high)
            return config::kMemoryCategories.at(layer.look.series);
    }
    return std::nullopt;
}

bool LayerHighlight::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseMove) {
        const auto category = at(static_cast<QMouseEvent*>(event)->position());
        point(category ? Categories{*category} : Categories());
    } else if (event->type() == QEvent::Leave) {
        point({});
    }
    return QObject::eventFilter(watched, event);
}

void LayerHighlight::point(const Categories& categories)
{
    if (categories == m_pointed)
        return;
    m_pointed = categories;
    Q_EMIT pointed(categories);
}

void LayerHighlight::paint(QPainter& painter)
{
    if (m_kept.empty())
        return;
    std::set<std::size_t> kept;
    for (const config::MemoryCategory category : m_kept)
        kept.insert(static_cast<std::size_t>(category));
    QColor veil = m_theme.surface();
    veil.setAlphaF(kVeil);
    LayerPainter(m_canvas.scene(), m_canvas.ink(), painter).paintVeil(kept, veil);
}

} // namespace headroom::ui
