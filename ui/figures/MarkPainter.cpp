// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/MarkPainter.h"

#include "ui/figures/ShapePainter.h"

#include <QPaintDevice>

#include <cmath>
#include <unordered_set>

namespace headroom::ui {
namespace {

constexpr std::size_t kMostShapes = 300; ///< more are painted as pictures
constexpr int kPictureSize = 20; ///< px, of the largest mark with its outline

bool isMinor(const figures::Mark& mark)
{
    return mark.wish == figures::LabelWish::None;
}

Outline outlineOf(const figures::Mark& mark, const std::string& kind)
{
    if (kind == "timeline")
        return Outline::Solid;
    return isMinor(mark) ? Outline::Minor : Outline::Usual;
}

} // namespace

const QPixmap& MarkPictures::picture(
    const FigureInk& ink, const figures::Mark& mark, const std::string& figureKind, double ratio)
{
    const Key key{
        mark.look.series % figures::kSeriesColours, mark.look.shape, mark.look.provenance, isMinor(mark), ratio};
    const auto found = m_pictures.find(key);
    if (found != m_pictures.end())
        return found->second;
    QPixmap picture(QSize(kPictureSize, kPictureSize) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    paintShape(painter, ink, mark.look, {kPictureSize / 2.0, kPictureSize / 2.0}, PlotScene::radiusOf(mark),
        outlineOf(mark, figureKind));
    painter.end();
    return m_pictures.emplace(key, std::move(picture)).first->second;
}

MarkPainter::MarkPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter, MarkPictures* pictures)
    : m_scene(scene)
    , m_ink(ink)
    , m_painter(painter)
    , m_pictures(pictures)
{
    const figures::Box plot = scene.layout.plot.grown(0.01);
    for (std::size_t i = 0; i < scene.whole->marks.size(); ++i)
        if (const figures::Pixel at = scene.at(scene.whole->marks[i]); plot.holds(at))
            m_seen.emplace_back(i, at);
    if (m_seen.size() <= kMostShapes)
        m_pictures = nullptr;
}

void MarkPainter::paint()
{
    paintErrors();
    for (const Weight weight : {Weight::Minor, Weight::Major})
        if (m_pictures != nullptr)
            paintPictures(weight);
        else
            paintShapes(weight);
}

void MarkPainter::paintErrors()
{
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing, m_pictures == nullptr);
    m_painter.setClipRect(rectF(m_scene.layout.plot.grown(1)), Qt::IntersectClip);
    for (const auto& [index, at] : m_seen)
        if (const figures::Mark& mark = m_scene.whole->marks[index]; mark.error)
            paintErrorBar(m_painter, m_ink.series(mark.look.series), at.x, m_scene.yOf(mark.error->high),
                m_scene.yOf(mark.error->low));
    m_painter.restore();
}

void MarkPainter::paintShapes(Weight weight)
{
    for (const auto& [index, at] : m_seen) {
        const figures::Mark& mark = m_scene.whole->marks[index];
        if (isMinor(mark) != (weight == Weight::Minor))
            continue;
        paintShape(m_painter, m_ink, mark.look, at, PlotScene::radiusOf(mark), outlineOf(mark, m_scene.whole->kind));
        paintRings(mark, at);
    }
}

void MarkPainter::paintPictures(Weight weight)
{
    const double ratio = m_painter.device()->devicePixelRatioF();
    std::unordered_set<std::uint64_t> taken;
    for (const auto& [index, at] : m_seen) {
        const figures::Mark& mark = m_scene.whole->marks[index];
        if (isMinor(mark) != (weight == Weight::Minor))
            continue;
        const auto px = static_cast<std::uint64_t>(std::lround(at.x * ratio));
        const auto py = static_cast<std::uint64_t>(std::lround(at.y * ratio));
        const auto look = mark.look.series * 16 + static_cast<std::size_t>(mark.look.shape) * 2
            + static_cast<std::size_t>(mark.look.provenance);
        if (!taken.insert((look << 40U) | (px << 20U) | py).second)
            continue;
        const QPixmap& picture = m_pictures->picture(m_ink, mark, m_scene.whole->kind, ratio);
        m_painter.drawPixmap(pointF(at) - QPointF(kPictureSize, kPictureSize) / 2, picture);
        paintRings(mark, at);
    }
}

void MarkPainter::paintRings(const figures::Mark& mark, const figures::Pixel& at)
{
    for (std::size_t i = 0; i < mark.flags.size(); ++i)
        paintFlagRing(m_painter, m_ink, mark.flags[i], at,
            PlotScene::radiusOf(mark) + figures::kRingStep * static_cast<double>(i + 1));
}

} // namespace headroom::ui
