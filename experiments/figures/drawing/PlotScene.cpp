// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/drawing/PlotScene.h"

#include <algorithm>

namespace headroom::figures {
namespace {

/// `box` between two values of the x axis, cut to the plot.
Box stretched(const PlotScene& scene, Box box, double from, double to)
{
    const Box& plot = scene.layout.plot;
    const double left = std::clamp(scene.xOf(from), plot.x, plot.right());
    box.x = left;
    box.width = std::clamp(scene.xOf(to), plot.x, plot.right()) - left;
    return box;
}

} // namespace

double PlotScene::yAt(double px) const
{
    const double fraction = (px - layout.plot.y) / layout.plot.height;
    return y.value(y.scale == Scale::Category ? fraction : 1 - fraction);
}

double PlotScene::radiusOf(const Mark& mark)
{
    return mark.wish == LabelWish::None ? kMinorRadius : kMarkRadius;
}

double PlotScene::ringRadius(const Mark& mark, std::size_t flag)
{
    return radiusOf(mark) + kRingStep * static_cast<double>(flag + 1);
}

double PlotScene::reachOf(const Mark& mark)
{
    return radiusOf(mark) + kRingStep * static_cast<double>(mark.flags.size());
}

bool PlotScene::namesAreAboveRows() const
{
    return y.scale == Scale::Category && layout.width < kNarrowWidth;
}

Box PlotScene::barBox(std::size_t bar) const
{
    return stretched(*this, layout.bars[bar], whole->bars[bar].from, whole->bars[bar].to);
}

Box PlotScene::spanBox(std::size_t span) const
{
    return stretched(*this, layout.spans[span].box, whole->spans[span].from, whole->spans[span].to);
}

PlotScene sceneOf(FigurePtr figure, const FigureLayout& layout)
{
    return {figure, figure, layout, figure->x, figure->y};
}

PlotScene sceneOf(const Figure& figure, const FigureLayout& layout)
{
    return sceneOf(FigurePtr(FigurePtr(), &figure), layout);
}

} // namespace headroom::figures
