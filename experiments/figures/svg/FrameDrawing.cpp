// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/svg/FrameDrawing.h"

#include "experiments/figures/layout/FigureLayout.h"
#include "experiments/figures/svg/SvgElements.h"
#include "experiments/figures/svg/SvgShapes.h"

namespace headroom::figures {
namespace {

constexpr double kLegendRadius = 4.5;

} // namespace

FrameDrawing::FrameDrawing(const Figure& figure, const FigureLayout& layout, std::string patterns, XmlWriter& xml)
    : m_figure(figure)
    , m_layout(layout)
    , m_patterns(std::move(patterns))
    , m_xml(xml)
{
}

void FrameDrawing::draw()
{
    m_xml.empty("rect", {{"class", "surface"}, {"width", m_layout.width}, {"height", m_layout.height}});
    drawWords();
    drawLegend();
    if (m_figure.emptyText.empty())
        drawAxes();
}

void FrameDrawing::drawWords()
{
    for (const PlacedText& line : m_layout.title)
        writeText(m_xml, "title", line);
    for (const PlacedText& line : m_layout.notes)
        writeText(m_xml, "note", line);
    if (m_layout.droppedNote)
        writeText(m_xml, "small", *m_layout.droppedNote);
    if (m_figure.emptyText.empty())
        return;
    const Box& plot = m_layout.plot;
    m_xml.empty("rect",
        {{"class", "frame"}, {"x", plot.x}, {"y", plot.y}, {"width", plot.width}, {"height", plot.height}, {"rx", 4}});
    for (const PlacedText& line : m_layout.emptyText)
        writeText(m_xml, "empty", line);
}

void FrameDrawing::drawLegend()
{
    m_xml.open("g", {{"class", "legend"}});
    for (std::size_t i = 0; i < m_figure.legend.size(); ++i) {
        m_xml.open("g", {{"class", classes(m_figure.legend[i].look)}});
        drawSymbol(m_figure.legend[i], m_layout.legend[i].symbol);
        writeText(m_xml, "legend-label", m_layout.legend[i].text);
        m_xml.close();
    }
    m_xml.close();
}

void FrameDrawing::drawSymbol(const LegendEntry& entry, const Box& box)
{
    const Pixel middle = box.centre();
    const Segment across{{box.x, middle.y}, {box.right(), middle.y}};
    switch (entry.symbol) {
    case Symbol::Mark:
        return writeShape(m_xml, entry.look.shape, middle, kMarkRadius);
    case Symbol::Error:
        return writeErrorBar(m_xml, "error plain", middle.x, box.y, box.bottom());
    case Symbol::Front:
        return writeLine(m_xml, "front " + styleClass(entry.look.provenance), across);
    case Symbol::Counter:
        return writeLine(m_xml, "counter", across);
    case Symbol::Spread:
        return m_xml.empty(
            "rect", {{"class", "spread"}, {"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}});
    case Symbol::Faded:
        writeBar(m_xml, m_patterns, box, entry.look);
        return m_xml.empty("rect",
            {{"class", "faded"}, {"x", middle.x}, {"y", box.y}, {"width", box.width / 2}, {"height", box.height}});
    case Symbol::Bar:
        return writeBar(m_xml, m_patterns, box, entry.look);
    case Symbol::Flag:
        return writeFlagRing(m_xml, *entry.flag, middle, kLegendRadius + 1.5);
    }
}

void FrameDrawing::drawAxes()
{
    const Box& plot = m_layout.plot;
    m_xml.open("g", {{"class", "axes"}});
    for (const PlacedTick& tick : m_layout.xTicks) {
        writeLine(m_xml, "grid", {{tick.at, plot.y}, {tick.at, plot.bottom()}});
        writeText(m_xml, "tick-label", tick.text);
    }
    for (const PlacedTick& tick : m_layout.yTicks) {
        if (m_figure.y.scale == Scale::Category)
            continue;
        writeLine(m_xml, "grid", {{plot.x, tick.at}, {plot.right(), tick.at}});
        writeText(m_xml, "tick-label", tick.text);
    }
    const Pixel corner{plot.x, plot.bottom()};
    writeLine(m_xml, "axis", {corner, {plot.right(), plot.bottom()}});
    if (m_figure.y.scale != Scale::Category || m_layout.width >= kNarrowWidth) // row names stand on it otherwise
        writeLine(m_xml, "axis", {corner, {plot.x, plot.y}});
    if (m_layout.xLabel)
        writeText(m_xml, "axis-label", *m_layout.xLabel);
    if (m_layout.yLabel)
        writeText(m_xml, "axis-label", *m_layout.yLabel);
    m_xml.close();
}

void FrameDrawing::drawStrip()
{
    if (m_layout.stripTitle)
        writeText(m_xml, "strip-title", *m_layout.stripTitle);
    for (std::size_t i = 0; i < m_figure.strip.size(); ++i) {
        const StripEntry& entry = m_figure.strip[i];
        const PlacedStripEntry& placed = m_layout.strip[i];
        openFocusable(m_xml, "mark " + classes(entry.look), entry.id, entry.hover);
        m_xml.empty("circle", {{"class", "halo"}, {"cx", placed.symbol.x}, {"cy", placed.symbol.y}, {"r", 8}});
        writeShape(m_xml, entry.look.shape, placed.symbol, kMarkRadius);
        if (placed.label)
            writeText(m_xml, "strip-label", *placed.label);
        if (placed.reason)
            writeText(m_xml, "reason", *placed.reason);
        m_xml.close();
    }
    if (m_layout.stripNote)
        writeText(m_xml, "small", *m_layout.stripNote);
}

} // namespace headroom::figures
