// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/FigureLayout.h"

#include "core/base/Wording.h"
#include "experiments/figures/layout/FrameLayout.h"
#include "experiments/figures/layout/PlotLabels.h"
#include "experiments/figures/layout/TextMetrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::figures {
namespace {

constexpr double kFigureSide = 8;
constexpr double kRight = 16;
constexpr double kTickGap = 6; ///< between an axis and the words at it
constexpr double kSpanHeight = 18;
constexpr double kRowHeight = 26;
constexpr double kLowestRowHeight = 19; ///< to which rows move together where a room is low
constexpr double kNarrowRowHeight = 42;
constexpr double kBarHeight = 15;
constexpr double kEmptyHeight = 72;
constexpr double kPlotShare = 0.5; ///< of the height of a room, at least, over a strip
constexpr double kGoodPlotShare = 0.6; ///< for which rows of a strip become symbols
constexpr double kBesideNote = 18; ///< between a note and the words in its line
constexpr double kRowNameShare = 0.32; ///< of the width, at most
constexpr double kNarrowestPlotShare = 0.38; ///< of the width: words at bars give way to it
constexpr std::ptrdiff_t kCrowd = 15; ///< labels, of which some usually find no place
constexpr double kTickSpace = 34; ///< px of a y axis for each tick

/// As many of the y axis' ticks as have room above each other.
std::vector<Tick> ticksFor(const Axis& y, double plotHeight)
{
    const auto most = static_cast<std::size_t>(plotHeight / kTickSpace);
    return y.scale == Scale::Category || y.ticks.size() <= most ? y.ticks : niceTicks(y.scale, y.low, y.high, most);
}

double usualPlotHeight(double width)
{
    return std::clamp(width * 0.52, 230.0, 420.0);
}

enum class MarkWords { Placed, LeftOut };

class LayoutBuilder {
public:
    /// What a low room leaves less of.
    struct Extent {
        std::size_t stripRows = kMostStripRows;
        bool hasAside = true;
    };

    /// Without a height of the plot it follows from the width.
    LayoutBuilder(const Figure& figure, double width, std::optional<double> plotHeight, const Extent& extent)
        : m_figure(figure)
        , m_narrow(width < kNarrowWidth)
        , m_empty(!figure.emptyText.empty())
        , m_plotHeight(plotHeight)
        , m_extent(extent)
    {
        m_layout.width = width;
        placeColumns();
        snapColumns();
    }

    FigureLayout build(TitleLines title, MarkWords words = MarkWords::Placed)
    {
        m_words = words;
        if (title == TitleLines::Shown)
            addLines(m_layout.title, m_figure.title, kTitlePx, 20);
        for (const std::string& note : m_figure.notes)
            addLines(m_layout.notes, note, kFontPx, kLinePx);
        if (m_extent.hasAside && !m_figure.aside.empty())
            addLines(m_layout.notes, m_figure.aside, kFontPx, kLinePx);
        if (!m_narrow)
            addLegend();
        addHeads();
        addPlot();
        m_y = layOutStrip(m_figure, m_y, m_layout, m_extent.stripRows);
        if (m_narrow)
            addLegend();
        m_layout.height = m_y + 6;
        return std::move(m_layout);
    }

private:
    bool isCategory() const { return m_figure.y.scale == Scale::Category; }

    // ---- across

    void placeColumns()
    {
        m_layout.plot.x = leftMargin();
        m_layout.plot.width = m_layout.width - m_layout.plot.x - kRight;
        if (!isCategory())
            return;
        const double narrowest = kNarrowestPlotShare * m_layout.width;
        for (const RowText& row : m_figure.rowTexts) {
            const double words = textWidth(row.text, kFontPx) + 2 * kTickGap;
            const double fraction = m_figure.x.fraction(row.at);
            if (const double room = m_layout.width - kFigureSide - m_layout.plot.x - words; fraction > 0)
                m_layout.plot.width = std::clamp(room / fraction, narrowest, m_layout.plot.width);
        }
    }

    // Edges on whole px are sharp, and the same wherever the figure is drawn.
    void snapColumns()
    {
        const double right = std::round(m_layout.plot.right());
        m_layout.plot.x = std::round(m_layout.plot.x);
        m_layout.plot.width = right - m_layout.plot.x;
    }

    double leftMargin() const
    {
        if (m_empty || (isCategory() && m_narrow))
            return kFigureSide + 1;
        double widest = 0;
        for (const Tick& tick : yTicks())
            widest = std::max(widest, textWidth(tick.text, kFontPx));
        return kFigureSide + kTickGap + std::min(widest, kRowNameShare * m_layout.width);
    }

    std::vector<Tick> yTicks() const { return ticksFor(m_figure.y, plotHeight()); }

    // ---- downward

    double rowHeight() const
    {
        if (m_narrow)
            return kNarrowRowHeight;
        const auto rows = static_cast<double>(std::max<std::size_t>(m_figure.y.ticks.size(), 1));
        return m_plotHeight ? std::clamp(std::floor(*m_plotHeight / rows), kLowestRowHeight, kRowHeight) : kRowHeight;
    }

    double plotHeight() const
    {
        if (m_empty)
            return std::floor(std::max(m_plotHeight.value_or(0), kEmptyHeight));
        if (isCategory())
            return rowHeight() * static_cast<double>(m_figure.y.ticks.size());
        return std::floor(m_plotHeight ? std::max(*m_plotHeight, kLowestPlot) : usualPlotHeight(m_layout.width));
    }

    void addLines(std::vector<PlacedText>& lines, const std::string& text, double fontPx, double linePx)
    {
        const double bold = fontPx > kFontPx ? boldTextWidth("n", 1) / textWidth("n", 1) : 1;
        for (const std::string& line : wrapped(text, fontPx * bold, m_layout.width - 2 * kFigureSide)) {
            lines.push_back({line, kFigureSide, m_y + fontPx});
            m_y += linePx;
        }
    }

    void addLegend() { m_y = layOutLegend(m_figure, m_y + 2, m_layout); }

    // What stands above the plot: the phases, the name of the y axis, the names of vertical lines.
    void addHeads()
    {
        m_y += 6;
        addSpans();
        if (!m_empty && !m_figure.y.label.empty())
            m_layout.yLabel = PlacedText{m_figure.y.label, kFigureSide, m_y + kFontPx};
        std::optional<Box> last;
        if (m_layout.yLabel)
            last = m_layout.yLabel->box();
        for (const ReferenceLine& line : m_figure.references)
            addReferenceLabel(line, last);
        m_y += last ? kLinePx + 4 : 0;
    }

    void addReferenceLabel(const ReferenceLine& line, std::optional<Box>& last)
    {
        PlacedText text{elided(line.label, kFontPx, m_layout.width - 2 * kFigureSide), 0, 0, TextAnchor::Middle};
        if (line.direction == Direction::Vertical) {
            const double half = boldTextWidth(text.text, kFontPx) / 2;
            text.x =
                std::clamp(m_layout.xOf(m_figure.x, line.at), kFigureSide + half, m_layout.width - kFigureSide - half);
            text.y = m_y + kFontPx;
            if (last && overlap(text.box(), last->grown(4)))
                text.y = (m_y += kLinePx) + kFontPx;
            last = text.box();
        }
        m_layout.referenceLabels.push_back(std::move(text));
    }

    void addSpans()
    {
        std::size_t levels = 0;
        for (const Span& span : m_figure.spans) {
            const double from = m_layout.xOf(m_figure.x, std::min(span.from, m_figure.x.high));
            const double to = m_layout.xOf(m_figure.x, std::min(span.to, m_figure.x.high));
            const Box box{from, m_y + static_cast<double>(span.level) * kSpanHeight, to - from, kSpanHeight - 2};
            PlacedSpan placed{box, {}};
            if (textWidth(span.name, kFontPx) + 6 <= box.width)
                placed.text = PlacedText{span.name, box.centre().x, box.y + 12, TextAnchor::Middle};
            m_layout.spans.push_back(std::move(placed));
            levels = std::max(levels, span.level + 1);
        }
        m_y += static_cast<double>(levels) * kSpanHeight + (levels > 0 ? 4 : 0);
    }

    void addPlot()
    {
        m_layout.plot.y = m_y;
        m_layout.plot.height = plotHeight();
        m_y = m_layout.plot.bottom();
        if (m_empty)
            return addEmptyText();
        addYTicks();
        placeBars();
        placeMarks();
        placeHorizontalReferences();
        addXAxis();
        if (m_words == MarkWords::LeftOut)
            return;
        const std::size_t dropped = layOutMarkLabels(m_figure, m_layout);
        layOutLayerLabels(m_figure, m_layout);
        if (dropped > 0)
            addDroppedNote(dropped);
    }

    void addEmptyText()
    {
        const auto lines = wrapped(m_figure.emptyText, kFontPx, m_layout.plot.width - 2 * kFigureSide);
        const Pixel middle = m_layout.plot.centre();
        double y = middle.y + 4 - kLinePx * static_cast<double>(lines.size() - 1) / 2;
        for (const std::string& line : lines) {
            m_layout.emptyText.push_back({line, middle.x, y, TextAnchor::Middle});
            y += kLinePx;
        }
        m_y += 6;
    }

    void addYTicks()
    {
        const double room = m_narrow ? m_layout.width - 2 * kFigureSide : kRowNameShare * m_layout.width;
        for (const Tick& tick : isCategory() ? namesCut(yTicks(), room) : yTicks()) {
            const double y = m_layout.yOf(m_figure.y, tick.value);
            PlacedText text{tick.text, m_layout.plot.x - kTickGap, y + 4, TextAnchor::End};
            if (isCategory() && m_narrow)
                text = {tick.text, kFigureSide, barTop(tick.value) - 4};
            m_layout.yTicks.push_back({y, std::move(text)});
        }
    }

    double barTop(double row) const
    {
        const double middle = m_layout.yOf(m_figure.y, row);
        return m_narrow ? middle + rowHeight() / 2 - kBarHeight - 5 : middle - kBarHeight / 2;
    }

    void placeBars()
    {
        for (const BarSegment& bar : m_figure.bars) {
            const double from = m_layout.xOf(m_figure.x, bar.from);
            m_layout.bars.push_back(
                {from, barTop(static_cast<double>(bar.row)), m_layout.xOf(m_figure.x, bar.to) - from, kBarHeight});
        }
        for (const RowText& row : m_figure.rowTexts) {
            const double x = m_layout.xOf(m_figure.x, row.at) + kTickGap;
            m_layout.rowTexts.push_back({elided(row.text, kFontPx, m_layout.width - kFigureSide - x), x,
                barTop(static_cast<double>(row.row)) + 12});
        }
    }

    void placeMarks()
    {
        for (const Mark& mark : m_figure.marks) {
            const double own = mark.wish == LabelWish::None ? kMinorRadius : kMarkRadius;
            m_layout.marks.push_back({{m_layout.xOf(m_figure.x, mark.x), m_layout.yOf(m_figure.y, mark.y)},
                own + kRingStep * static_cast<double>(mark.flags.size())});
        }
    }

    // At the right end above the line, or under it where there is no room above.
    void placeHorizontalReferences()
    {
        for (std::size_t i = 0; i < m_figure.references.size(); ++i) {
            if (m_figure.references[i].direction != Direction::Horizontal)
                continue;
            const double y = m_layout.yOf(m_figure.y, m_figure.references[i].at);
            PlacedText& text = m_layout.referenceLabels[i];
            text.anchor = TextAnchor::End;
            text.x = m_layout.plot.right() - 2;
            text.y = y - kLinePx > m_layout.plot.y ? y - 5 : y + kLinePx - 2;
        }
    }

    void addXAxis()
    {
        m_layout.xTicks = layOutXTicks(m_figure.x, m_layout);
        m_y += kLinePx + 4;
        if (m_figure.x.label.empty())
            return;
        m_layout.xLabel = PlacedText{elided(m_figure.x.label, kFontPx, m_layout.width - 2 * kFigureSide),
            m_layout.plot.right(), m_y + kFontPx, TextAnchor::End};
        if (m_layout.xLabel->box().x < kFigureSide)
            m_layout.xLabel->x = kFigureSide + m_layout.xLabel->box().width;
        m_y += kLinePx + 4;
    }

    void addDroppedNote(std::size_t dropped)
    {
        const std::string note = fmt::format("+{}: on hover and in the table", counted(dropped, "more label"));
        const double end = kFigureSide + textWidth(note, kFontPx) + kBesideNote;
        const bool isBeside = m_layout.xLabel && end < m_layout.xLabel->box().x;
        m_layout.droppedNote = PlacedText{note, kFigureSide, isBeside ? m_layout.xLabel->y : m_y + kFontPx};
        m_y += isBeside ? 0 : kLinePx + 4;
    }

    const Figure& m_figure;
    bool m_narrow;
    bool m_empty;
    std::optional<double> m_plotHeight;
    Extent m_extent;
    MarkWords m_words = MarkWords::Placed;
    double m_y = 6;
    FigureLayout m_layout;
};

// So many that the plot has its share of a room that is lower than the figure by itself, and at least one.
std::size_t stripRowsIn(const Room& room, const FigureLayout& frame, double ownHeight)
{
    if (room.height >= ownHeight)
        return kMostStripRows;
    const double lacking = kGoodPlotShare * room.height - (room.height - (frame.height - frame.plot.height));
    const auto worded = static_cast<std::size_t>(
        std::ranges::count_if(frame.strip, [](const PlacedStripEntry& entry) { return entry.label.has_value(); }));
    if (lacking <= 0 || worded == 0)
        return kMostStripRows;
    const auto fewer = static_cast<std::size_t>(std::ceil(lacking / stripRowHeight(frame)));
    return worded > fewer ? worded - fewer : 1;
}

} // namespace

Box PlacedText::box() const
{
    const double width = textWidth(text, kFontPx);
    const double left = anchor == TextAnchor::Start ? x : anchor == TextAnchor::Middle ? x - width / 2 : x - width;
    return {left, y - kFontPx * 0.85, width, kFontPx * 1.15};
}

double FigureLayout::yOf(const Axis& axis, double value) const
{
    const double fraction = axis.fraction(value);
    return plot.y + plot.height * (axis.scale == Scale::Category ? fraction : 1 - fraction);
}

void layOutTicks(const Axis& x, const Axis& y, FigureLayout& layout)
{
    layout.xTicks = layOutXTicks(x, layout);
    if (y.scale == Scale::Category)
        return;
    layout.yTicks.clear();
    for (const Tick& tick : ticksFor(y, layout.plot.height)) {
        const double at = layout.yOf(y, tick.value);
        layout.yTicks.push_back({at, {tick.text, layout.plot.x - kTickGap, at + 4, TextAnchor::End}});
    }
}

FigureLayout layOut(const Figure& figure, double width, TitleLines title)
{
    return LayoutBuilder(figure, std::max(width, kSmallestWidth), {}, {}).build(title);
}

FigureLayout layOut(const Figure& figure, const Room& room, TitleLines title)
{
    const double width = std::max(room.width, kSmallestWidth);
    const double ownHeight = LayoutBuilder(figure, width, {}, {}).build(title, MarkWords::LeftOut).height;
    // In the height that it has by itself a figure is the same, with its line about labels that found no place.
    if (const double spare = room.height - ownHeight; spare >= 0 && spare <= kLinePx + 5)
        if (FigureLayout own = LayoutBuilder(figure, width, {}, {}).build(title);
            std::abs(own.height - room.height) < 1)
            return own;
    LayoutBuilder::Extent extent{.hasAside = room.height >= ownHeight};
    FigureLayout frame = LayoutBuilder(figure, width, room.height, extent).build(title, MarkWords::LeftOut);
    extent.stripRows = stripRowsIn(room, frame, ownHeight);
    if (extent.stripRows < kMostStripRows)
        frame = LayoutBuilder(figure, width, room.height, extent).build(title, MarkWords::LeftOut);
    const auto wanted = std::count_if(
        figure.marks.begin(), figure.marks.end(), [](const Mark& mark) { return mark.wish != LabelWish::None; });
    const double reserve = wanted > kCrowd && width < kNarrowWidth ? kLinePx + 4 : 0;
    // Under a long strip the plot keeps its half of the room: the strip is what one scrolls to.
    const double least = figure.strip.empty() ? 0 : std::min(room.height * kPlotShare, usualPlotHeight(width));
    const double plotHeight = std::max(room.height - (frame.height - frame.plot.height) - reserve, least);
    FigureLayout layout = LayoutBuilder(figure, width, plotHeight, extent).build(title);
    // A line about labels that found no place comes on top, where it was not reckoned with.
    if (const double over = layout.height - room.height; over > 0 && layout.plot.height > std::max(kLowestPlot, least))
        layout = LayoutBuilder(figure, width, layout.plot.height - over, extent).build(title);
    return layout;
}

} // namespace headroom::figures
