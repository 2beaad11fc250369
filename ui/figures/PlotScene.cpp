// SPDX-License-Identifier: Apache-2.0
#include "ui/figures/PlotScene.h"

#include <algorithm>

namespace headroom::ui {
namespace {

/// `box` between two values of the x axis, cut to the plot.
figures::Box stretched(const PlotScene& scene, figures::Box box, double from, double to)
{
    const figures::Box& plot = scene.layout.plot;
    const double left = std::clamp(scene.xOf(from), plot.x, plot.right());
    box.x = left;
    box.width = std::clamp(scene.xOf(to), plot.x, plot.right()) - left;
    return box;
}

} // namespace

double PlotScene::yAt(double px) const
{
    const double fraction = (px - layout.plot.y) / layout.plot.height;
    return y.value(y.scale == figures::Scale::Category ? fraction : 1 - fraction);
}

double PlotScene::radiusOf(const figures::Mark& mark)
{
    return mark.wish == figures::LabelWish::None ? figures::kMinorRadius : figures::kMarkRadius;
}

double PlotScene::ringRadius(const figures::Mark& mark, std::size_t flag)
{
    return radiusOf(mark) + figures::kRingStep * static_cast<double>(flag + 1);
}

double PlotScene::reachOf(const figures::Mark& mark)
{
    return radiusOf(mark) + figures::kRingStep * static_cast<double>(mark.flags.size());
}

bool PlotScene::namesAreAboveRows() const
{
    return y.scale == figures::Scale::Category && layout.width < figures::kNarrowWidth;
}

figures::Box PlotScene::barBox(std::size_t bar) const
{
    return stretched(*this, layout.bars[bar], whole->bars[bar].from, whole->bars[bar].to);
}

figures::Box PlotScene::spanBox(std::size_t span) const
{
    return stretched(*this, layout.spans[span].box, whole->spans[span].from, whole->spans[span].to);
}

PlotScene sceneOf(FigurePtr figure, const figures::FigureLayout& layout)
{
    return {figure, figure, layout, figure->x, figure->y};
}

} // namespace headroom::ui
