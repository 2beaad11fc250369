// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/FigureDrawing.h"

#include "experiments/figures/Palette.h"
#include "experiments/figures/SvgShapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace headroom::figures {
namespace {

constexpr double kHaloRadius = 10; ///< what a finger or a pointer finds
constexpr double kLegendRadius = 4.5;

std::string anchorName(TextAnchor anchor)
{
    switch (anchor) {
    case TextAnchor::Start:
        return "start";
    case TextAnchor::Middle:
        return "middle";
    case TextAnchor::End:
        return "end";
    }
    return {};
}

std::string hoverText(const Hover& hover)
{
    std::string text = hover.title;
    for (const std::string& line : hover.lines)
        text += "\n" + line;
    return text;
}

/// "M1 2H3V4": steps need one number each.
class StepPath {
public:
    void to(double x, double y)
    {
        const std::string px = pixels(x);
        const std::string py = pixels(y);
        if (m_path.empty())
            m_path = "M" + px + " " + py;
        else if (px == m_x && py != m_y)
            m_path += "V" + py;
        else if (py == m_y && px != m_x)
            m_path += "H" + px;
        else if (px != m_x)
            m_path += "L" + px + " " + py;
        m_x = px;
        m_y = py;
    }
    const std::string& text() const { return m_path; }
    std::string closed() const { return m_path + "Z"; }

private:
    std::string m_path;
    std::string m_x;
    std::string m_y;
};

} // namespace

FigureDrawing::FigureDrawing(const Figure& figure, const FigureLayout& layout, std::string id, XmlWriter& xml)
    : m_figure(figure)
    , m_layout(layout)
    , m_id(std::move(id))
    , m_xml(xml)
{
}

void FigureDrawing::draw()
{
    drawHatches();
    m_xml.empty("rect", {{"class", "surface"}, {"width", m_layout.width}, {"height", m_layout.height}});
    drawWords();
    drawLegend();
    if (m_figure.emptyText.empty()) {
        drawAxes();
        drawSpans();
        drawBands();
        drawLines();
        drawReferences();
        drawBars();
        drawRowTexts();
        drawMarks();
        drawLabels();
    }
    drawStrip();
}

// One for each colour that is in use: predicted bars are hatched.
void FigureDrawing::drawHatches()
{
    std::set<std::size_t> series;
    for (const BarSegment& bar : m_figure.bars)
        if (bar.look.provenance == Provenance::Predicted)
            series.insert(bar.look.series % kSeriesColours);
    if (series.empty())
        return;
    m_xml.open("defs");
    for (const std::size_t s : series) {
        m_xml.open("pattern",
            {{"id", fmt::format("{}-hatch-{}", m_id, s)}, {"class", fmt::format("s{}", s)}, {"width", 6}, {"height", 6},
                {"patternUnits", "userSpaceOnUse"}, {"patternTransform", "rotate(45)"}});
        m_xml.empty("rect", {{"class", "hatch-ground"}, {"width", 6}, {"height", 6}});
        writeLine(m_xml, "hatch", {{1.5, 0}, {1.5, 6}});
        m_xml.close();
    }
    m_xml.close();
}

void FigureDrawing::drawText(const std::string& cssClass, const PlacedText& text)
{
    m_xml.element("text", {{"class", cssClass}, {"x", text.x}, {"y", text.y}, {"text-anchor", anchorName(text.anchor)}},
        text.text);
}

void FigureDrawing::drawWords()
{
    for (const PlacedText& line : m_layout.title)
        drawText("title", line);
    for (const PlacedText& line : m_layout.notes)
        drawText("note", line);
    if (m_layout.droppedNote)
        drawText("small", *m_layout.droppedNote);
    if (m_figure.emptyText.empty())
        return;
    const Box& plot = m_layout.plot;
    m_xml.empty("rect",
        {{"class", "frame"}, {"x", plot.x}, {"y", plot.y}, {"width", plot.width}, {"height", plot.height}, {"rx", 4}});
    for (const PlacedText& line : m_layout.emptyText)
        drawText("empty", line);
}

void FigureDrawing::drawLegend()
{
    m_xml.open("g", {{"class", "legend"}});
    for (std::size_t i = 0; i < m_figure.legend.size(); ++i) {
        m_xml.open("g", {{"class", classes(m_figure.legend[i].look)}});
        drawSymbol(m_figure.legend[i], m_layout.legend[i].symbol);
        drawText("legend-label", m_layout.legend[i].text);
        m_xml.close();
    }
    m_xml.close();
}

void FigureDrawing::drawSymbol(const LegendEntry& entry, const Box& box)
{
    const Pixel middle = box.centre();
    const Segment across{{box.x, middle.y}, {box.right(), middle.y}};
    switch (entry.symbol) {
    case Symbol::Mark:
        return writeShape(m_xml, entry.look.shape, middle, kMarkRadius);
    case Symbol::Error:
        return writeErrorBar(m_xml, "error plain", middle.x, box.y, box.bottom());
    case Symbol::Front:
        return writeLine(m_xml, "front " + name(entry.look.provenance), across);
    case Symbol::Counter:
        return writeLine(m_xml, "counter", across);
    case Symbol::Reference:
        return writeLine(m_xml, "reference", across);
    case Symbol::Bar:
        return drawBar(box, entry.look);
    case Symbol::Flag:
        return writeFlagRing(m_xml, *entry.flag, middle, kLegendRadius + 1.5);
    }
}

void FigureDrawing::drawAxes()
{
    const Box& plot = m_layout.plot;
    m_xml.open("g", {{"class", "axes"}});
    for (const PlacedTick& tick : m_layout.xTicks) {
        writeLine(m_xml, "grid", {{tick.at, plot.y}, {tick.at, plot.bottom()}});
        drawText("tick-label", tick.text);
    }
    for (const PlacedTick& tick : m_layout.yTicks) {
        if (m_figure.y.scale != Scale::Category)
            writeLine(m_xml, "grid", {{plot.x, tick.at}, {plot.right(), tick.at}});
        drawText(m_figure.y.scale == Scale::Category ? "row-name" : "tick-label", tick.text);
    }
    const Pixel corner{plot.x, plot.bottom()};
    writeLine(m_xml, "axis", {corner, {plot.right(), plot.bottom()}});
    writeLine(m_xml, "axis", {corner, {plot.x, plot.y}});
    if (m_layout.xLabel)
        drawText("axis-label", *m_layout.xLabel);
    if (m_layout.yLabel)
        drawText("axis-label", *m_layout.yLabel);
    m_xml.close();
}

void FigureDrawing::openFocusable(const std::string& cssClass, const std::string& id, const Hover& hover)
{
    m_xml.open("g", {{"class", cssClass}, {"data-trial", id}, {"tabindex", "0"}});
    m_xml.element("title", {}, hoverText(hover));
}

void FigureDrawing::drawSpans()
{
    for (std::size_t i = 0; i < m_figure.spans.size(); ++i) {
        const Span& span = m_figure.spans[i];
        const Box& box = m_layout.spans[i].box;
        m_xml.open("g", {{"class", fmt::format("span s{}", span.series % kSeriesColours)}, {"data-phase", span.name}});
        m_xml.element("title", {}, hoverText(span.hover));
        m_xml.empty("rect", {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}});
        if (m_layout.spans[i].text)
            drawText("span-label", *m_layout.spans[i].text);
        m_xml.close();
    }
}

// Below a counter lightly, between its least and its most more strongly.
void FigureDrawing::drawBands()
{
    for (const Band& band : m_figure.bands) {
        StepPath most;
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
        StepPath under = most;
        under.to(x(band.points.back().x), m_layout.plot.bottom());
        under.to(x(band.points.front().x), m_layout.plot.bottom());
        m_xml.open("g", {{"class", classes(band.look)}});
        m_xml.empty("path", {{"class", "under"}, {"d", under.closed()}});
        m_xml.empty("path", {{"class", "spread"}, {"d", spread.closed()}});
        m_xml.close();
    }
}

void FigureDrawing::drawLines()
{
    for (const Polyline& line : m_figure.lines) {
        StepPath path;
        for (const Point& point : line.points)
            path.to(x(point.x), y(point.y));
        const bool front = line.role == LineRole::Front;
        m_xml.open("g", {{"class", classes(line.look)}});
        m_xml.empty("path", {{"class", front ? "front " + name(line.look.provenance) : "counter"}, {"d", path.text()}});
        m_xml.close();
    }
}

void FigureDrawing::drawReferences()
{
    const Box& plot = m_layout.plot;
    for (std::size_t i = 0; i < m_figure.references.size(); ++i) {
        const ReferenceLine& line = m_figure.references[i];
        if (line.direction == Direction::Vertical)
            writeLine(m_xml, "reference", {{x(line.at), plot.y - 2}, {x(line.at), plot.bottom()}});
        else
            writeLine(m_xml, "reference", {{plot.x, y(line.at)}, {plot.right(), y(line.at)}});
        drawText("reference-label", m_layout.referenceLabels[i]);
    }
}

void FigureDrawing::drawBars()
{
    for (std::size_t i = 0; i < m_figure.bars.size(); ++i) {
        const BarSegment& bar = m_figure.bars[i];
        openFocusable("mark " + classes(bar.look), bar.id, bar.hover);
        drawBar(m_layout.bars[i], bar.look);
        m_xml.close();
    }
}

void FigureDrawing::drawBar(const Box& box, const Look& look)
{
    if (look.provenance == Provenance::Predicted)
        m_xml.empty("rect",
            {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height},
                {"fill", fmt::format("url(#{}-hatch-{})", m_id, look.series % kSeriesColours)}});
    m_xml.empty("rect", {{"class", "bar"}, {"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}});
}

void FigureDrawing::drawRowTexts()
{
    for (std::size_t i = 0; i < m_figure.rowTexts.size(); ++i) {
        const RowText& row = m_figure.rowTexts[i];
        if (row.hover == Hover{}) {
            drawText("row-text", m_layout.rowTexts[i]);
            continue;
        }
        openFocusable("mark", row.id, row.hover);
        drawText("row-text", m_layout.rowTexts[i]);
        m_xml.close();
    }
}

// Those that want no label lie behind those that have one.
void FigureDrawing::drawMarks()
{
    for (const bool minor : {true, false})
        for (std::size_t i = 0; i < m_figure.marks.size(); ++i)
            if ((m_figure.marks[i].wish == LabelWish::None) == minor)
                drawMark(m_figure.marks[i], m_layout.marks[i]);
}

void FigureDrawing::drawMark(const Mark& mark, const PlacedMark& placed)
{
    const double radius = placed.radius - kRingStep * static_cast<double>(mark.flags.size());
    openFocusable("mark " + classes(mark.look), mark.id, mark.hover);
    m_xml.empty("circle",
        {{"class", "halo"}, {"cx", placed.at.x}, {"cy", placed.at.y}, {"r", std::max(kHaloRadius, placed.radius + 3)}});
    if (mark.error)
        writeErrorBar(m_xml, "error", placed.at.x, y(mark.error->high), y(mark.error->low));
    writeShape(m_xml, mark.look.shape, placed.at, radius);
    for (std::size_t i = 0; i < mark.flags.size(); ++i)
        writeFlagRing(m_xml, mark.flags[i], placed.at, radius + kRingStep * static_cast<double>(i + 1));
    m_xml.close();
}

void FigureDrawing::drawLabels()
{
    for (const MarkLabel& label : m_layout.labels) {
        if (label.leader)
            writeLine(m_xml, "leader", *label.leader);
        drawText("label", label.text);
    }
}

void FigureDrawing::drawStrip()
{
    if (m_layout.stripTitle)
        drawText("strip-title", *m_layout.stripTitle);
    for (std::size_t i = 0; i < m_figure.strip.size(); ++i) {
        const StripEntry& entry = m_figure.strip[i];
        const PlacedStripEntry& placed = m_layout.strip[i];
        openFocusable("mark " + classes(entry.look), entry.id, entry.hover);
        m_xml.empty("circle", {{"class", "halo"}, {"cx", placed.symbol.x}, {"cy", placed.symbol.y}, {"r", 8}});
        writeShape(m_xml, entry.look.shape, placed.symbol, kMarkRadius);
        if (placed.label)
            drawText("strip-label", *placed.label);
        if (placed.reason)
            drawText("reason", *placed.reason);
        m_xml.close();
    }
    if (m_layout.stripNote)
        drawText("small", *m_layout.stripNote);
}

} // namespace headroom::figures
