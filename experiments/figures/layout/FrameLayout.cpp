// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/FrameLayout.h"

#include "experiments/figures/layout/ElidedApart.h"
#include "experiments/figures/layout/TextMetrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headroom::figures {
namespace {

// Of ticks.
constexpr double kApart = 14;

// Of the legend.
constexpr double kLegendSide = 8;
constexpr double kLine = 20;
constexpr double kSymbolWidth = 20;
constexpr double kSymbolHeight = 14;
constexpr double kBetween = 14;

// Of the strip.
constexpr double kStripSide = 8;
constexpr double kIndent = 20;
constexpr double kSymbolStep = 16;
constexpr double kLabelShare = 0.4; ///< of the width, at most

bool areCrowded(const Axis& axis, const FigureLayout& layout, const std::vector<Tick>& ticks)
{
    for (std::size_t i = 1; i < ticks.size(); ++i) {
        const double apart = layout.xOf(axis, ticks[i].value) - layout.xOf(axis, ticks[i - 1].value);
        const double words = textWidth(ticks[i].text, kFontPx) + textWidth(ticks[i - 1].text, kFontPx);
        if (apart < words / 2 + kApart)
            return true;
    }
    return false;
}

// "needs 35.4 GiB, 11.7 more than usable; first failed in forward": the first clause alone, where there is no room for
// the rest.
std::string inClauses(const std::string& reason, double room)
{
    const std::string first = reason.substr(0, reason.find("; "));
    return elided(textWidth(reason, kFontPx) <= room ? reason : first, kFontPx, room);
}

template <typename Entry> std::vector<std::string> namesIn(const std::vector<Entry>& entries, std::string Entry::* name)
{
    std::vector<std::string> names;
    for (const Entry& entry : entries)
        names.push_back(entry.*name);
    return names;
}

class StripBuilder {
public:
    StripBuilder(const Figure& figure, double top, FigureLayout& layout, std::size_t mostRows)
        : m_figure(figure)
        , m_layout(layout)
        , m_mostRows(mostRows)
        , m_y(top)
        , m_labelWidth(labelWidth())
        , m_labels(elidedApart(namesIn(figure.strip, &StripEntry::label), kFontPx, m_labelWidth))
    {
    }

    double build()
    {
        m_layout.stripTitle =
            PlacedText{elided(m_figure.stripTitle, kFontPx, m_layout.width - 2 * kStripSide), kStripSide, m_y + 13};
        const double titleTop = std::exchange(m_y, m_y + kLinePx + 4);
        const std::size_t rows = wordedRows();
        for (std::size_t i = 0; i < rows; ++i)
            addRow(m_labels[i], m_figure.strip[i].reason);
        addOthers(rows, titleTop);
        return m_y + 4;
    }

private:
    // A last row for one symbol alone would take as much room as its words.
    std::size_t wordedRows() const
    {
        const std::size_t all = m_figure.strip.size();
        return m_mostRows == kMostStripRows && all == kMostStripRows + 1 ? all : std::min(all, m_mostRows);
    }

    bool isNarrow() const { return m_layout.width < kNarrowWidth; }
    double room() const { return m_layout.width - 2 * kStripSide - kIndent; }

    double labelWidth() const
    {
        double width = 0;
        for (const StripEntry& entry : m_figure.strip)
            width = std::max(width, textWidth(entry.label, kFontPx));
        return isNarrow() ? room() : std::min(width, kLabelShare * m_layout.width);
    }

    void addRow(const std::string& label, const std::string& why)
    {
        const double left = kStripSide + kIndent;
        const PlacedText name{label, left, m_y + 13};
        PlacedText reason{inClauses(why, room()), left, m_y + 13 + kLinePx};
        if (!isNarrow())
            reason = {inClauses(why, room() - m_labelWidth - 12), left + m_labelWidth + 12, m_y + 13};
        m_layout.strip.push_back({{kStripSide + 6, m_y + 9}, name, reason});
        m_y += stripRowHeight(m_layout);
    }

    // Beside the title, where they take no height, or below the rows.
    void addOthers(std::size_t from, double titleTop)
    {
        const std::size_t others = m_figure.strip.size() - from;
        if (others == 0)
            return;
        const std::string note = fmt::format("+{} more, named in the table", others);
        const double begin = kStripSide + boldTextWidth(m_layout.stripTitle->text, kFontPx) + kBetween;
        const double symbols = static_cast<double>(others) * kSymbolStep;
        if (begin + symbols + textWidth(note, kFontPx) > m_layout.width - kStripSide)
            return addSymbols(from, note);
        for (std::size_t i = 0; i < others; ++i)
            m_layout.strip.push_back({{begin + 6 + static_cast<double>(i) * kSymbolStep, titleTop + 9}, {}, {}});
        m_layout.stripNote = PlacedText{note, begin + symbols, titleTop + 13};
    }

    void addSymbols(std::size_t from, const std::string& note)
    {
        double x = kStripSide + 6;
        for (std::size_t i = from; i < m_figure.strip.size(); ++i, x += kSymbolStep) {
            if (x > m_layout.width - kStripSide - 6) {
                x = kStripSide + 6;
                m_y += kSymbolStep;
            }
            m_layout.strip.push_back({{x, m_y + 9}, {}, {}});
        }
        m_y += kSymbolStep + 2;
        m_layout.stripNote = PlacedText{note, kStripSide, m_y + 13};
        m_y += kLinePx + 2;
    }

    const Figure& m_figure;
    FigureLayout& m_layout;
    std::size_t m_mostRows;
    double m_y;
    double m_labelWidth;
    std::vector<std::string> m_labels;
};

} // namespace

std::vector<PlacedTick> layOutXTicks(const Axis& axis, const FigureLayout& layout)
{
    std::vector<Tick> ticks = axis.ticks;
    for (std::size_t most = ticks.size(); most > 2 && areCrowded(axis, layout, ticks); --most)
        ticks = niceTicks(axis.scale, axis.low, axis.high, most - 1);
    std::vector<PlacedTick> placed;
    for (const Tick& tick : ticks) {
        const double x = layout.xOf(axis, tick.value);
        placed.push_back({x, {tick.text, x, layout.plot.bottom() + kLinePx, TextAnchor::Middle}});
    }
    return placed;
}

std::vector<Tick> namesCut(std::vector<Tick> ticks, double room)
{
    const std::vector<std::string> names = elidedApart(namesIn(ticks, &Tick::text), kFontPx, room);
    for (std::size_t i = 0; i < ticks.size(); ++i)
        ticks[i].text = names[i];
    return ticks;
}

double layOutLegend(const Figure& figure, double top, FigureLayout& layout)
{
    double x = kLegendSide;
    double y = top;
    const double room = layout.width - 2 * kLegendSide - kSymbolWidth - 4;
    for (const std::string& text : elidedApart(namesIn(figure.legend, &LegendEntry::text), kFontPx, room)) {
        const double width = kSymbolWidth + 4 + textWidth(text, kFontPx);
        if (x > kLegendSide && x + width > layout.width - kLegendSide) {
            x = kLegendSide;
            y += kLine;
        }
        layout.legend.push_back({{x, y + 3, kSymbolWidth, kSymbolHeight}, {text, x + kSymbolWidth + 4, y + 14}});
        x += width + kBetween;
    }
    return figure.legend.empty() ? top : y + kLine;
}

double layOutStrip(const Figure& figure, double top, FigureLayout& layout, std::size_t mostRows)
{
    return figure.strip.empty() ? top : StripBuilder(figure, top + 6, layout, mostRows).build();
}

double stripRowHeight(const FigureLayout& layout)
{
    return layout.width < kNarrowWidth ? 2 * kLinePx + 4 : kLinePx + 2;
}

} // namespace headroom::figures
