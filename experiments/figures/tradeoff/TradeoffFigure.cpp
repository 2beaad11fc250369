// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/tradeoff/TradeoffFigure.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/figures/TrialTerms.h"
#include "experiments/figures/tradeoff/TradeoffFronts.h"
#include "experiments/figures/tradeoff/TradeoffLooks.h"
#include "experiments/figures/tradeoff/TradeoffTable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace headroom::figures {
namespace {

constexpr std::size_t kMostLabelled = 15; ///< of more trials only those on a front have labels

Bytes largestPeak(const TradeoffInput& input, const TradeoffFronts& fronts)
{
    Bytes largest = 0;
    for (const std::size_t i : fronts.plotted())
        largest = std::max(largest, *input.trials[i].peak);
    return largest > 0 || !input.budget ? largest : input.budget->bytes;
}

class TradeoffBuilder {
public:
    explicit TradeoffBuilder(const TradeoffInput& input)
        : m_input(input)
        , m_fronts(input)
        , m_looks(input)
        , m_unit(axisUnitFor(largestPeak()))
    {
    }

    Figure build()
    {
        m_figure.kind = "tradeoff";
        m_figure.title = m_input.title;
        addAxes();
        addBudget();
        addUsable();
        addMarks();
        addFronts();
        addStrip();
        addLegend();
        describe();
        m_figure.table = tradeoffTable(m_input, m_fronts, m_unit);
        return std::move(m_figure);
    }

private:
    const TradeoffTrial& trial(std::size_t index) const { return m_input.trials[index]; }

    Look look(std::size_t index) const { return m_looks.look(index); }

    Bytes largestPeak() const { return figures::largestPeak(m_input, m_fronts); }

    void addAxes()
    {
        std::vector<double> peaks;
        std::vector<double> speeds;
        for (const std::size_t i : m_fronts.plotted()) {
            peaks.push_back(m_unit.of(*trial(i).peak));
            speeds.push_back(*trial(i).perSecond);
            if (const auto error = errorBar(i))
                speeds.insert(speeds.end(), {error->low, error->high});
        }
        const Scale scale = suitableScale(peaks);
        for (const auto& line : {m_input.budget, m_input.usable})
            if (line && !isFarBeyond(*line, largestPeak()) && (scale == Scale::Linear || line->bytes > 0))
                peaks.push_back(m_unit.of(line->bytes));
        m_figure.x = axisFor(axisLabel(peakTitle(m_input.memory), m_unit.name, scale), scale, peaks);
        m_figure.y = axisFor(
            axisLabel("Speed", speedUnitName(m_input.unit), suitableScale(speeds)), suitableScale(speeds), speeds);
    }

    static std::string axisLabel(const std::string& text, const std::string& unit, Scale scale)
    {
        std::vector<std::string> said;
        if (!unit.empty())
            said.push_back(unit);
        if (scale == Scale::Logarithmic)
            said.emplace_back("log scale");
        return said.empty() ? text : fmt::format("{} ({})", text, fmt::join(said, ", "));
    }

    std::optional<ErrorBar> errorBar(std::size_t index) const
    {
        const auto& interval = trial(index).interval;
        if (!interval || trial(index).provenance != Provenance::Measured || !(interval->low > 0)
            || !(interval->low <= interval->high) || !std::isfinite(interval->high))
            return std::nullopt;
        return ErrorBar{interval->low, interval->high};
    }

    void addBudget()
    {
        if (!m_input.budget)
            return;
        if (!m_fronts.plotted().empty() && !isFarBeyond(*m_input.budget, largestPeak()))
            m_figure.references.push_back(
                {Direction::Vertical, m_unit.of(m_input.budget->bytes), budgetText(*m_input.budget)});
        addBest();
        if (m_fronts.plotted().empty())
            m_figure.notes.push_back("Limit: " + budgetText(*m_input.budget));
        else if (m_fronts.best().empty())
            m_figure.notes.push_back(fmt::format("No trial fits within {}.", budgetText(*m_input.budget)));
        else if (isFarBeyond(*m_input.budget, largestPeak()))
            m_figure.notes.push_back(fmt::format("{} lies beyond the right edge.", budgetText(*m_input.budget)));
    }

    void addUsable()
    {
        const auto& usable = m_input.usable;
        const bool isBudget = usable && m_input.budget && m_input.budget->bytes == usable->bytes;
        if (!usable || isBudget || m_fronts.plotted().empty())
            return;
        if (isFarBeyond(*usable, largestPeak()))
            m_figure.notes.push_back(fmt::format("{} lies beyond the right edge.", budgetText(*usable)));
        else
            m_figure.references.push_back({Direction::Vertical, m_unit.of(usable->bytes), budgetText(*usable)});
    }

    void addBest()
    {
        const auto& best = m_fronts.best();
        const std::string within = fmt::format("Best within {}:", budgetText(*m_input.budget));
        if (best.size() == 1)
            m_figure.notes.push_back(fmt::format("{} {}", within, inShort(best.front())));
        if (best.size() < 2)
            return;
        m_figure.notes.push_back(within);
        for (const std::size_t i : best)
            m_figure.notes.push_back("• " + inShort(i));
    }

    std::string inShort(std::size_t index) const
    {
        const TradeoffTrial& it = trial(index);
        std::string text =
            fmt::format("{}, {}, {}", it.label, sizeText(*it.peak), speedText(*it.perSecond, m_input.unit));
        if (m_fronts.groups().size() > 1)
            text += ", " + it.group;
        return it.provenance == Provenance::Measured ? text
                                                     : fmt::format("{} ({})", text, figures::name(it.provenance));
    }

    LabelWish wish(std::size_t index) const
    {
        if (m_fronts.isBest(index))
            return LabelWish::First;
        if (m_fronts.onFront(index))
            return LabelWish::High;
        return m_fronts.plotted().size() > kMostLabelled ? LabelWish::None : LabelWish::Low;
    }

    void addMarks()
    {
        for (const std::size_t i : m_fronts.plotted())
            m_figure.marks.push_back({trial(i).id, m_unit.of(*trial(i).peak), *trial(i).perSecond, look(i),
                trial(i).flags, trial(i).label, wish(i), errorBar(i), tradeoffHover(m_input, m_fronts, i)});
        const auto unlabelled = std::count_if(m_figure.marks.begin(), m_figure.marks.end(),
            [](const Mark& mark) { return mark.wish == LabelWish::None; });
        if (unlabelled > 0)
            m_figure.aside = "Labelled: the trials on a front. The others: on hover and in the table.";
    }

    void addFronts()
    {
        if (m_input.front == FrontLines::Hidden)
            return;
        for (const auto& front : m_fronts.fronts()) {
            Polyline line{LineRole::Front, m_looks.frontLook(front.front()), {}};
            for (const std::size_t i : front) {
                const Point point{m_unit.of(*trial(i).peak), *trial(i).perSecond};
                if (!line.points.empty() && point.y != line.points.back().y)
                    line.points.push_back({point.x, line.points.back().y});
                line.points.push_back(point);
            }
            if (line.points.front() != line.points.back())
                m_figure.lines.push_back(std::move(line));
        }
    }

    std::string nameOf(std::size_t index) const
    {
        const TradeoffTrial& it = trial(index);
        return m_fronts.groups().size() > 1 && !it.group.empty() ? fmt::format("{} · {}", it.label, it.group)
                                                                 : it.label;
    }

    void addStrip()
    {
        for (const std::size_t i : m_fronts.left()) {
            Look crossed = look(i);
            crossed.shape = Shape::Cross;
            m_figure.strip.push_back(
                {trial(i).id, nameOf(i), whyNoPlace(trial(i)), crossed, tradeoffHover(m_input, m_fronts, i)});
        }
        if (!m_figure.strip.empty())
            m_figure.stripTitle = fmt::format("Not on the plot: {}", counted(m_figure.strip.size(), "trial"));
    }

    void addLegend()
    {
        m_figure.legend = m_looks.legend(m_fronts.plotted());
        const auto& marks = m_figure.marks;
        if (std::any_of(marks.begin(), marks.end(), [](const Mark& mark) { return mark.error.has_value(); }))
            m_figure.legend.push_back({Symbol::Error, {}, {}, "95 % interval"});
        if (!m_figure.lines.empty())
            m_figure.legend.push_back({Symbol::Front, m_figure.lines.front().look, {}, "Pareto front"});
        std::vector<std::vector<Flag>> flags;
        for (const Mark& mark : marks)
            flags.push_back(mark.flags);
        for (auto& entry : flagLegend(flags))
            m_figure.legend.push_back(std::move(entry));
    }

    bool noneCompleted() const
    {
        return std::none_of(m_input.trials.begin(), m_input.trials.end(),
            [](const TradeoffTrial& it) { return it.outcome == Outcome::Completed; });
    }

    void describe()
    {
        const std::size_t plotted = m_fronts.plotted().size();
        if (m_input.trials.empty())
            m_figure.emptyText = "No trials yet: nothing to compare.";
        else if (plotted == 0)
            m_figure.emptyText = noneCompleted() ? "No trial completed." : "No trial has both a peak and a speed.";
        m_figure.description =
            fmt::format("{} against speed in {}: {}, {} of them on the plot. Less memory is further left, more speed "
                        "further up.",
                peakTitle(m_input.memory), speedUnitName(m_input.unit), counted(m_input.trials.size(), "trial"),
                grouped(std::int64_t(plotted)));
        for (const std::string& note : m_figure.notes)
            m_figure.description += " " + note;
        if (!m_figure.aside.empty())
            m_figure.description += " " + m_figure.aside;
    }

    const TradeoffInput& m_input;
    TradeoffFronts m_fronts;
    TradeoffLooks m_looks;
    SizeUnit m_unit;
    Figure m_figure;
};

} // namespace

SizeUnit memoryUnitOf(const TradeoffInput& input)
{
    return axisUnitFor(largestPeak(input, TradeoffFronts(input)));
}

Figure tradeoffFigure(const TradeoffInput& input)
{
    return TradeoffBuilder(input).build();
}

} // namespace headroom::figures
