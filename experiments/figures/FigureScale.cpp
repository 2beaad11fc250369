// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/FigureScale.h"

#include <algorithm>
#include <string_view>

namespace headroom::figures {
namespace {

constexpr std::string_view kAlone = " (log scale)";
constexpr std::string_view kBehindUnit = ", log scale)";

bool endsWith(const std::string& text, std::string_view end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

void addY(const Figure& figure, std::vector<double>& values)
{
    for (const Mark& mark : figure.marks) {
        values.push_back(mark.y);
        if (mark.error)
            values.insert(values.end(), {mark.error->low, mark.error->high});
    }
    for (const Polyline& line : figure.lines)
        for (const Point& point : line.points)
            values.push_back(point.y);
    for (const Layer& layer : figure.layers)
        for (const BandPoint& point : layer.points)
            values.insert(values.end(), {point.low, point.high});
    for (const Band& band : figure.bands)
        for (const BandPoint& point : band.points)
            values.insert(values.end(), {point.low, point.high});
}

void addX(const Figure& figure, std::vector<double>& values)
{
    for (const Mark& mark : figure.marks)
        values.push_back(mark.x);
    for (const Polyline& line : figure.lines)
        for (const Point& point : line.points)
            values.push_back(point.x);
    for (const BarSegment& bar : figure.bars)
        values.insert(values.end(), {bar.from, bar.to});
    for (const Span& span : figure.spans)
        values.insert(values.end(), {span.from, span.to});
}

std::vector<double> valuesAlong(const Figure& figure, AxisName axis)
{
    std::vector<double> values;
    if (axis == AxisName::X)
        addX(figure, values);
    else
        addY(figure, values);
    const Direction across = axis == AxisName::X ? Direction::Vertical : Direction::Horizontal;
    for (const ReferenceLine& line : figure.references)
        if (line.direction == across)
            values.push_back(line.at);
    return values;
}

} // namespace

bool canBeLogarithmic(const Figure& figure, AxisName axis)
{
    if ((axis == AxisName::X ? figure.x : figure.y).scale == Scale::Category || !figure.emptyText.empty())
        return false;
    const auto values = valuesAlong(figure, axis);
    return !values.empty() && std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

Figure scaled(Figure figure, AxisName name, Scale scale)
{
    Axis& axis = name == AxisName::X ? figure.x : figure.y;
    if (axis.scale == scale || axis.scale == Scale::Category
        || (scale == Scale::Logarithmic && !canBeLogarithmic(figure, name)))
        return figure;
    axis = axisFor(labelFor(scale, axis.label), scale, valuesAlong(figure, name));
    return figure;
}

std::string labelFor(Scale scale, const std::string& label)
{
    std::string plain = label;
    if (endsWith(plain, kAlone))
        plain.resize(plain.size() - kAlone.size());
    else if (endsWith(plain, kBehindUnit))
        plain.replace(plain.size() - kBehindUnit.size(), kBehindUnit.size(), ")");
    if (scale != Scale::Logarithmic)
        return plain;
    if (!endsWith(plain, ")"))
        return plain.append(kAlone);
    plain.pop_back();
    return plain.append(kBehindUnit);
}

} // namespace headroom::figures
