// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/svg/DataDrawing.h"

#include "experiments/figures/Palette.h"
#include "experiments/figures/svg/SvgElements.h"
#include "experiments/figures/svg/SvgShapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headroom::figures {
namespace {

/// The path of a step line, "M1 2h3v4": a step needs one number, and a short one, as it counts from the one before.
/// Places are whole steps of the grid, so that nothing adds up; what moves by less than half of one is left out.
class StepPath {
public:
    /// `grid` is in px.
    explicit StepPath(double grid)
        : m_grid(grid)
    {
    }

    void to(double x, double y);

    std::string text() const { return m_path + pending(); }
    std::string closed() const { return text() + "z"; }

private:
    std::string px(std::int64_t steps) const;
    std::string pending() const;
    void moveBy(std::int64_t right, std::int64_t down);

    double m_grid;
    std::string m_path;
    std::int64_t m_x = 0; ///< in steps of the grid
    std::int64_t m_y = 0;
    std::int64_t m_right = 0; ///< not written yet: what goes on in the same direction is one step
    std::int64_t m_down = 0;
};

// "-.5": a number needs no zero before its point.
std::string StepPath::px(std::int64_t steps) const
{
    std::string text = pixels(static_cast<double>(steps) * m_grid);
    if (const auto zero = text.find("0."); zero == 0 || (zero == 1 && text.front() == '-'))
        text.erase(zero, 1);
    return text;
}

std::string StepPath::pending() const
{
    if (m_right != 0 && m_down != 0)
        return "l" + px(m_right) + " " + px(m_down);
    if (m_right != 0)
        return "h" + px(m_right);
    return m_down != 0 ? "v" + px(m_down) : std::string();
}

void StepPath::to(double x, double y)
{
    const auto column = static_cast<std::int64_t>(std::llround(x / m_grid));
    const auto row = static_cast<std::int64_t>(std::llround(y / m_grid));
    if (m_path.empty())
        m_path = "M" + px(column) + " " + px(row);
    else
        moveBy(column - m_x, row - m_y);
    m_x = column;
    m_y = row;
}

void StepPath::moveBy(std::int64_t right, std::int64_t down)
{
    const bool goesOnRight = m_down == 0 && down == 0 && m_right * right >= 0;
    const bool goesOnDown = m_right == 0 && right == 0 && m_down * down >= 0;
    if (!goesOnRight && !goesOnDown) {
        m_path += pending();
        m_right = 0;
        m_down = 0;
    }
    m_right += right;
    m_down += down;
}

constexpr double kLeastPartPx = 0.2; ///< of a bar: less is not seen; the table has it
constexpr double kHaloRadius = 10; ///< what a finger or a pointer finds

} // namespace

DataDrawing::DataDrawing(const Figure& figure, const FigureLayout& layout, DrawingTerms terms, XmlWriter& xml)
    : m_figure(figure)
    , m_layout(layout)
    , m_terms(std::move(terms))
    , m_xml(xml)
{
}

void DataDrawing::draw()
{
    drawSpans();
    drawLayers();
    drawBands();
    drawLines();
    drawLayerLabels();
    drawReferences();
    drawBars();
    drawRowTexts();
    drawMarks();
    drawLabels();
}

void DataDrawing::drawSpans()
{
    for (std::size_t i = 0; i < m_figure.spans.size(); ++i) {
        const Span& span = m_figure.spans[i];
        const Box& box = m_layout.spans[i].box;
        m_xml.open("g", {{"class", fmt::format("span s{}", span.series % kSeriesColours)}, {"data-phase", span.name}});
        writeHover(m_xml, span.hover);
        m_xml.empty("rect", {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}});
        if (m_layout.spans[i].text)
            writeText(m_xml, "span-label", *m_layout.spans[i].text);
        m_xml.close();
    }
}

// Each down to the axis and the upper ones first: so there is one edge for two layers, and no gap between them.
void DataDrawing::drawLayers()
{
    for (auto layer = m_figure.layers.rbegin(); layer != m_figure.layers.rend(); ++layer) {
        StepPath path(m_terms.gridPx);
        for (std::size_t i = 0; i < layer->points.size(); ++i) {
            if (i > 0)
                path.to(x(layer->points[i].x), y(layer->points[i - 1].high));
            path.to(x(layer->points[i].x), y(layer->points[i].high));
        }
        path.to(x(layer->points.back().x), m_layout.plot.bottom());
        path.to(x(layer->points.front().x), m_layout.plot.bottom());
        m_xml.open("g", {{"class", classes(layer->look)}, {"data-layer", layer->name}});
        m_xml.empty("path",
            {{"class", groundClass("layer", layer->look)}, {"fill", groundOf(m_terms.patterns, layer->look)},
                {"d", path.closed()}});
        m_xml.close();
    }
}

void DataDrawing::drawLayerLabels()
{
    for (const LayerLabel& label : m_layout.layerLabels) {
        m_xml.open("g", {{"class", classes(m_figure.layers[label.layer].look)}});
        writeText(m_xml, "layer-label", label.text);
        m_xml.close();
    }
}

void DataDrawing::drawBands()
{
    for (const Band& band : m_figure.bands) {
        m_xml.open("g", {{"class", classes(band.look)}});
        drawBand(band);
        m_xml.close();
    }
}

void DataDrawing::drawBand(const Band& band)
{
    StepPath most(m_terms.gridPx);
    for (std::size_t i = 0; i < band.points.size(); ++i) {
        if (i > 0)
            most.to(x(band.points[i].x), y(band.points[i - 1].high));
        most.to(x(band.points[i].x), y(band.points[i].high));
    }
    StepPath spread = most;
    for (std::size_t i = band.points.size(); i-- > 0;) {
        spread.to(x(band.points[i].x), y(band.points[i].low));
        if (i > 0)
            spread.to(x(band.points[i].x), y(band.points[i - 1].low));
    }
    most.to(x(band.points.back().x), m_layout.plot.bottom());
    most.to(x(band.points.front().x), m_layout.plot.bottom());
    if (band.below == Band::Below::Shade)
        m_xml.empty("path", {{"class", "under"}, {"d", most.closed()}});
    if (band.spread != Band::Spread::None)
        m_xml.empty(
            "path", {{"class", band.spread == Band::Spread::Fade ? "faded" : "spread"}, {"d", spread.closed()}});
}

void DataDrawing::drawLines()
{
    for (const Polyline& line : m_figure.lines) {
        StepPath path(m_terms.gridPx);
        for (const Point& point : line.points)
            path.to(x(point.x), y(point.y));
        const bool front = line.role == LineRole::Front;
        m_xml.open("g", {{"class", classes(line.look)}});
        m_xml.empty(
            "path", {{"class", front ? "front " + styleClass(line.look.provenance) : "counter"}, {"d", path.text()}});
        m_xml.close();
    }
}

void DataDrawing::drawReferences()
{
    const Box& plot = m_layout.plot;
    for (std::size_t i = 0; i < m_figure.references.size(); ++i) {
        const ReferenceLine& line = m_figure.references[i];
        if (line.direction == Direction::Vertical)
            writeLine(m_xml, "reference", {{x(line.at), plot.y - 2}, {x(line.at), plot.bottom()}});
        else
            writeLine(m_xml, "reference", {{plot.x, y(line.at)}, {plot.right(), y(line.at)}});
        writeText(m_xml, "reference-label", m_layout.referenceLabels[i]);
    }
}

void DataDrawing::drawBars()
{
    for (std::size_t i = 0; i < m_figure.bars.size(); ++i) {
        const BarSegment& bar = m_figure.bars[i];
        if (bar.look.hues == Hues::Categories && m_layout.bars[i].width < kLeastPartPx)
            continue;
        openFocusable(m_xml, "mark " + classes(bar.look), bar.id, bar.hover);
        writeBar(m_xml, m_terms.patterns, m_layout.bars[i], bar.look);
        m_xml.close();
    }
}

void DataDrawing::drawRowTexts()
{
    if (m_figure.y.scale == Scale::Category)
        for (const PlacedTick& tick : m_layout.yTicks)
            writeGroundedText(m_xml, "row-name", tick.text);
    for (std::size_t i = 0; i < m_figure.rowTexts.size(); ++i) {
        const RowText& row = m_figure.rowTexts[i];
        if (row.hover == Hover{}) {
            writeGroundedText(m_xml, "row-text", m_layout.rowTexts[i]);
            continue;
        }
        openFocusable(m_xml, "mark", row.id, row.hover);
        writeGroundedText(m_xml, "row-text", m_layout.rowTexts[i]);
        m_xml.close();
    }
}

// Those that want no label lie behind those that have one.
void DataDrawing::drawMarks()
{
    for (const bool minor : {true, false})
        for (std::size_t i = 0; i < m_figure.marks.size(); ++i)
            if ((m_figure.marks[i].wish == LabelWish::None) == minor)
                drawMark(m_figure.marks[i], m_layout.marks[i]);
}

void DataDrawing::drawMark(const Mark& mark, const PlacedMark& placed)
{
    const double radius = placed.radius - kRingStep * static_cast<double>(mark.flags.size());
    const std::string weight = mark.wish == LabelWish::None ? " minor" : "";
    openFocusable(m_xml, "mark " + classes(mark.look) + weight, mark.id, mark.hover);
    m_xml.empty("circle",
        {{"class", "halo"}, {"cx", placed.at.x}, {"cy", placed.at.y}, {"r", std::max(kHaloRadius, placed.radius + 3)}});
    if (mark.error)
        writeErrorBar(m_xml, "error", placed.at.x, y(mark.error->high), y(mark.error->low));
    writeShape(m_xml, mark.look.shape, placed.at, radius);
    for (std::size_t i = 0; i < mark.flags.size(); ++i)
        writeFlagRing(m_xml, mark.flags[i], placed.at, radius + kRingStep * static_cast<double>(i + 1));
    m_xml.close();
}

void DataDrawing::drawLabels()
{
    for (const MarkLabel& label : m_layout.labels) {
        if (label.leader)
            writeLine(m_xml, "leader", *label.leader);
        if (label.onLine)
            writeGroundedText(m_xml, "label", label.text);
        else
            writeText(m_xml, "label", label.text);
    }
}

} // namespace headroom::figures
