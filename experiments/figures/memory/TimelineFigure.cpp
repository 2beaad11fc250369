// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/TimelineFigure.h"

#include "core/base/Quantities.h"
#include "experiments/figures/CategoryLook.h"
#include "experiments/figures/TrialTerms.h"
#include "experiments/figures/memory/CategoryStack.h"
#include "experiments/figures/memory/PhaseSpans.h"
#include "profiling/trace/PhaseSpan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headroom::figures {
namespace {

constexpr double kRoomForPeakLabel = 1.1;

class TimelineBuilder {
public:
    explicit TimelineBuilder(const TimelineInput& input)
        : m_input(input)
        , m_window(shownWindow(input))
        , m_memory(axisUnitFor(largest(input)))
        , m_time(m_window)
    {
    }

    Figure build()
    {
        m_figure.kind = "timeline";
        m_figure.title = m_input.title;
        m_figure.spans = phaseSpans(m_input.phases, m_window, m_time);
        addAxes();
        addBudget();
        addLoss();
        m_figure.notes.insert(m_figure.notes.end(), m_input.notes.begin(), m_input.notes.end());
        for (std::size_t series = 0; series < m_input.series.size(); ++series)
            addSeries(series);
        addSpreadLegend();
        addStack();
        addPeak();
        describe();
        return std::move(m_figure);
    }

private:
    // Nothing where the series has no values.
    static std::optional<MemoryPeak> peakOf(const MemorySeries& series)
    {
        if (series.peak || series.bins.empty())
            return series.peak;
        const auto peak = std::max_element(
            series.bins.begin(), series.bins.end(), [](const auto& a, const auto& b) { return a.max < b.max; });
        return MemoryPeak{peak->max, peak->beginNs};
    }

    static Bytes largest(const TimelineInput& input)
    {
        Bytes result = 0;
        for (const MemorySeries& series : input.series)
            for (const auto& peak : {peakOf(series), series.largest})
                result = std::max(result, peak ? peak->bytes : 0);
        return result;
    }

    bool isEmpty() const
    {
        return std::all_of(m_input.series.begin(), m_input.series.end(),
            [](const MemorySeries& series) { return series.bins.empty(); });
    }

    Look look(std::size_t series) const { return {series, Shape::TriangleDown, m_input.provenance}; }

    void addAxes()
    {
        const double begin = m_time.of(m_window.beginNs);
        const double end = m_window.lengthNs() > 0 ? m_time.of(m_window.endNs) : begin + 1;
        m_figure.x = {m_time.label(), Scale::Linear, begin, end, {}};
        m_figure.x.ticks = niceTicks(Scale::Linear, begin, end, kUsualTicks);
        std::vector<double> values{m_memory.of(largest(m_input)) * kRoomForPeakLabel};
        if (m_input.budget && !isFarBeyond(*m_input.budget, largest(m_input)))
            values.push_back(m_memory.of(m_input.budget->bytes));
        m_figure.y = axisFromZero(fmt::format("Memory ({})", m_memory.name), values);
    }

    void addBudget()
    {
        if (!m_input.budget || isEmpty())
            return;
        if (isFarBeyond(*m_input.budget, largest(m_input)))
            m_figure.notes.push_back(fmt::format("{} lies beyond the upper edge.", budgetText(*m_input.budget)));
        else
            m_figure.references.push_back(
                {Direction::Horizontal, m_memory.of(m_input.budget->bytes), budgetText(*m_input.budget)});
    }

    void addSeries(std::size_t index)
    {
        const MemorySeries& series = m_input.series[index];
        // Whoever chose a window has chosen how fine it is, too.
        const auto bins = m_input.window ? series.bins : folded(series.bins, m_window.endNs, m_input.mostBins);
        if (bins.empty())
            return;
        Band band{look(index), {}, {}, {}};
        Polyline line{LineRole::Counter, look(index), {}};
        for (const MemoryBin& bin : bins) {
            const double x = m_time.of(std::max(bin.beginNs, m_window.beginNs));
            const double y = m_memory.of(bin.max);
            band.points.push_back({x, m_memory.of(bin.min), y});
            if (!line.points.empty())
                line.points.push_back({x, line.points.back().y});
            line.points.push_back({x, y});
        }
        const double end = m_time.of(m_window.endNs);
        band.points.push_back({end, band.points.back().low, band.points.back().high});
        line.points.push_back({end, line.points.back().y});
        const bool isFirst = m_figure.bands.empty();
        const bool fades = isFirst && !m_input.categories.empty();
        if (hasHeight(band.points))
            band.spread = fades ? Band::Spread::Fade : Band::Spread::Shade;
        if (isFirst && !fades)
            band.below = Band::Below::Shade;
        m_figure.bands.push_back(std::move(band));
        m_figure.lines.push_back(std::move(line));
        m_figure.legend.push_back({Symbol::Counter, look(index), {}, seriesText(series)});
    }

    void addLoss()
    {
        if (!m_input.losses.empty())
            m_figure.notes.push_back(
                fmt::format("Incomplete: peak is a lower bound. {}", fmt::join(m_input.losses, " ")));
    }

    void addStack()
    {
        if (m_input.categories.empty())
            return;
        const auto buckets =
            m_input.window ? m_input.categories : folded(m_input.categories, m_window.endNs, m_input.mostBins);
        m_figure.layers = categoryLayers(buckets, {m_window, m_time, m_memory, m_input.provenance});
        const auto legend = layerLegend(m_figure.layers);
        m_figure.legend.insert(m_figure.legend.end(), legend.begin(), legend.end());
    }

    // Where several values share a bin, the line is the most of them and a shade reaches down to the least.
    void addSpreadLegend()
    {
        for (const Band& band : m_figure.bands)
            if (band.spread != Band::Spread::None) {
                m_figure.legend.push_back(spreadLegend(band));
                return;
            }
    }

    LegendEntry spreadLegend(const Band& band) const
    {
        if (m_input.categories.empty())
            return {Symbol::Spread, band.look, {}, "least to most at that time"};
        return {Symbol::Faded, lookOf(config::MemoryCategory::Temporaries, m_input.provenance), {},
            "paler: held for a part of that time"};
    }

    std::string seriesText(const MemorySeries& series) const
    {
        return m_input.provenance == Provenance::Measured ? series.name
                                                          : series.name + ", " + figures::name(m_input.provenance);
    }

    std::string phaseText(std::int64_t timeNs) const
    {
        const trace::PhaseSpan* phase = trace::phaseAt(m_input.phases, timeNs);
        return phase ? phase->name : std::string();
    }

    std::string peakText(const MemoryPeak& peak) const
    {
        const std::string text = fmt::format("{} at {}", sizeText(peak.bytes), timeText(peak.timeNs));
        const std::string phase = phaseText(peak.timeNs);
        return phase.empty() ? text : fmt::format("{}, {}", text, phase);
    }

    std::string peakLabel(const MemorySeries& series, const MemoryPeak& peak) const
    {
        return fmt::format("peak {} {}{}", series.name, m_input.losses.empty() ? "" : "at least ", peakText(peak));
    }

    bool isShown(const MemoryPeak& peak) const
    {
        return peak.timeNs >= m_window.beginNs && peak.timeNs <= m_window.endNs;
    }

    void addPeak()
    {
        if (m_input.series.empty())
            return;
        const MemorySeries& series = m_input.series.front();
        const auto peak = peakOf(series);
        if (peak && series.largest && series.largest->bytes > peak->bytes
            && sizeText(series.largest->bytes) != sizeText(peak->bytes))
            m_figure.notes.push_back(
                fmt::format("Before the trial's own steps it was more: {}.", peakText(*series.largest)));
        if (!peak || !isShown(*peak))
            return;
        Hover hover{fmt::format("peak {}", series.name), {peakText(*peak)}};
        if (m_input.peakCategories)
            for (const std::string& line : categoryLines(*m_input.peakCategories))
                hover.lines.push_back(line);
        m_figure.marks.push_back({m_input.id, m_time.of(peak->timeNs), m_memory.of(peak->bytes), look(0), {},
            peakLabel(series, *peak), LabelWish::First, std::nullopt, std::move(hover)});
    }

    void describe()
    {
        m_figure.table.header = {"What", "Begin", "End", fmt::format("Memory ({})", m_memory.name)};
        if (isEmpty())
            m_figure.emptyText = "No memory was recorded over time.";
        m_figure.description = describedWindow();
        for (const MemorySeries& series : m_input.series)
            if (const auto peak = peakOf(series)) {
                m_figure.description += fmt::format(" Peak {}: {}.", seriesText(series), peakText(*peak));
                m_figure.table.rows.push_back({"peak " + seriesText(series), timeText(peak->timeNs),
                    phaseText(peak->timeNs), inUnit(peak->bytes, m_memory)});
            }
        addCategoryRows();
        addPhaseRows();
    }

    void addCategoryRows()
    {
        if (!m_input.peakCategories)
            return;
        const auto lines = categoryLines(*m_input.peakCategories);
        if (!lines.empty())
            m_figure.description += fmt::format(" At the peak: {}.", fmt::join(lines, ", "));
        for (const config::MemoryCategory category : config::kMemoryCategories)
            if (const Bytes bytes = m_input.peakCategories->of(category); bytes != 0)
                m_figure.table.rows.push_back(
                    {fmt::format("of the peak: {}", config::titleOf(category)), "", "", inUnit(bytes, m_memory)});
    }

    std::string describedWindow() const
    {
        if (!m_input.window)
            return fmt::format("Memory over {}.", timeText(m_window.endNs));
        return fmt::format("Memory over {}, from {} to {} of the trace.", timeText(m_window.lengthNs()),
            timeText(m_window.beginNs), timeText(m_window.endNs));
    }

    // All of them for a reader of the whole trace; of a window those that it shows.
    void addPhaseRows()
    {
        const PhaseFolding folding(m_window);
        std::optional<PhaseRun> run;
        std::optional<Bytes> most;
        for (std::size_t i = 0; i < m_input.phases.size(); ++i) {
            const trace::PhaseSpan& phase = m_input.phases[i];
            if (m_input.window && !folding.isShown(phase))
                continue;
            if (m_input.window && run && folding.join(*run, phase)) {
                most = std::max(most, mostOf(i)); // nothing is less than any
                continue;
            }
            addPhaseRow(run, most);
            run = PhaseRun{.first = &phase, .endNs = phase.endNs};
            most = mostOf(i);
        }
        addPhaseRow(run, most);
    }

    void addPhaseRow(const std::optional<PhaseRun>& run, std::optional<Bytes> most)
    {
        if (run)
            m_figure.table.rows.push_back({runTitle(*run), timeText(run->first->beginNs), timeText(run->endNs),
                most ? inUnit(*most, m_memory) : kUnknownCell});
    }

    std::optional<Bytes> mostOf(std::size_t index) const
    {
        return index < m_input.phasePeaks.size() ? m_input.phasePeaks[index] : mostDuring(m_input.phases[index]);
    }

    // What was held when the phase began counts: the bin before it reaches into it.
    std::optional<Bytes> mostDuring(const trace::PhaseSpan& phase) const
    {
        const auto* bins = m_input.series.empty() ? nullptr : &m_input.series.front().bins;
        if (!bins || bins->empty())
            return std::nullopt;
        const auto begins = [](std::int64_t ns, const MemoryBin& bin) { return ns < bin.beginNs; };
        auto bin = std::upper_bound(bins->begin(), bins->end(), phase.beginNs, begins);
        std::optional<Bytes> most;
        if (bin != bins->begin())
            most = std::prev(bin)->max;
        for (; bin != bins->end() && bin->beginNs < phase.endNs; ++bin)
            most = std::max(most.value_or(0), bin->max);
        return most;
    }

    const TimelineInput& m_input;
    TimeWindow m_window;
    SizeUnit m_memory;
    TimeAxis m_time;
    Figure m_figure;
};

} // namespace

TimeWindow shownWindow(const TimelineInput& input)
{
    if (input.window)
        return *input.window;
    std::int64_t end = input.endNs;
    for (const MemorySeries& series : input.series)
        if (!series.bins.empty())
            end = std::max(end, series.bins.back().beginNs);
    for (const trace::PhaseSpan& phase : input.phases)
        end = std::max(end, phase.endNs);
    return {0, end};
}

Figure timelineFigure(const TimelineInput& input)
{
    return TimelineBuilder(input).build();
}

std::vector<MemoryBin> folded(const std::vector<MemoryBin>& bins, std::int64_t endNs, std::size_t most)
{
    if (bins.size() <= most)
        return bins;
    const std::int64_t beginNs = bins.front().beginNs;
    const std::int64_t spanNs = std::max<std::int64_t>(endNs - beginNs, 1);
    const std::int64_t widthNs = spanNs / static_cast<std::int64_t>(most) + 1;
    std::vector<MemoryBin> result;
    std::size_t next = 0;
    for (std::int64_t at = beginNs; at < beginNs + spanNs; at += widthNs) {
        // The value carried in from the bin before holds until the first one that begins here.
        const MemoryBin& carried = bins[next > 0 && (next == bins.size() || bins[next].beginNs > at) ? next - 1 : next];
        MemoryBin fold{at, carried.min, carried.max};
        for (; next < bins.size() && bins[next].beginNs < at + widthNs; ++next) {
            fold.min = std::min(fold.min, bins[next].min);
            fold.max = std::max(fold.max, bins[next].max);
        }
        result.push_back(fold);
    }
    return result;
}

} // namespace headroom::figures
