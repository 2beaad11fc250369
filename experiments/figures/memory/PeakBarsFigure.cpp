// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/PeakBarsFigure.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/figures/TrialTerms.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::figures {
namespace {

/// The parts of a peak, in the order in which they are stacked, or all of it where they are not known.
enum class Part { AfterLoad, Step, Harness, Whole };

std::string name(Part part)
{
    switch (part) {
    case Part::Step:
        return "the step's own";
    case Part::AfterLoad:
        return "after load";
    case Part::Harness:
        return "held by the measuring";
    case Part::Whole:
        return "peak";
    }
    return {};
}

std::size_t series(Part part)
{
    return part == Part::AfterLoad ? 5 : part == Part::Harness ? 1 : 0;
}

class PeakBarsBuilder {
public:
    explicit PeakBarsBuilder(const PeakBarsInput& input)
        : m_input(input)
        , m_unit(axisUnitFor(largestPeak()))
    {
    }

    Figure build()
    {
        m_figure.kind = "peak-bars";
        m_figure.title = m_input.title;
        addAxes();
        addBudget();
        for (std::size_t row = 0; row < m_input.rows.size(); ++row)
            addRow(row);
        addLegend();
        describe();
        return std::move(m_figure);
    }

private:
    Bytes largestPeak() const
    {
        Bytes largest = 0;
        for (const PeakRow& row : m_input.rows)
            largest = std::max(largest, row.peak.value_or(0));
        return largest;
    }

    void addAxes()
    {
        std::vector<double> values{m_unit.of(largestPeak())};
        if (m_input.budget && !isFarBeyond(*m_input.budget, largestPeak()))
            values.push_back(m_unit.of(m_input.budget->bytes));
        m_figure.x = axisFromZero(fmt::format("{} ({})", peakTitle(m_input.memory), m_unit.name), values);
        std::vector<std::string> labels;
        for (const PeakRow& row : m_input.rows)
            labels.push_back(row.label);
        m_figure.y = categoryAxis("", labels);
    }

    void addBudget()
    {
        if (!m_input.budget || largestPeak() == 0)
            return;
        if (isFarBeyond(*m_input.budget, largestPeak()))
            m_figure.notes.push_back(fmt::format("{} lies beyond the right edge.", budgetText(*m_input.budget)));
        else
            m_figure.references.push_back(
                {Direction::Vertical, m_unit.of(m_input.budget->bytes), budgetText(*m_input.budget)});
    }

    void addRow(std::size_t index)
    {
        const PeakRow& row = m_input.rows[index];
        if (!row.peak) {
            m_figure.rowTexts.push_back({row.id, index, 0, outcome(row), hover(row)});
            return;
        }
        const Bytes peak = *row.peak;
        const Bytes loaded = std::clamp<Bytes>(row.afterLoad.value_or(0), 0, peak);
        const Bytes harness = std::clamp<Bytes>(row.harness.value_or(0), 0, peak - loaded);
        addSegment(index, Part::AfterLoad, 0, loaded);
        addSegment(index, row.afterLoad ? Part::Step : Part::Whole, loaded, peak - harness);
        addSegment(index, Part::Harness, peak - harness, peak);
        m_figure.rowTexts.push_back({row.id, index, m_unit.of(peak), valueText(row), {}});
    }

    void addSegment(std::size_t index, Part part, Bytes from, Bytes to)
    {
        if (to <= from)
            return;
        const PeakRow& row = m_input.rows[index];
        Hover said = hover(row);
        if (part != Part::Whole)
            said.lines.insert(said.lines.begin() + 1, fmt::format("{}: {}", name(part), sizeText(to - from)));
        m_figure.bars.push_back({row.id, index, m_unit.of(from), m_unit.of(to),
            {series(part), Shape::Square, row.provenance}, name(part), std::move(said)});
    }

    bool isOver(const PeakRow& row) const { return m_input.budget && row.peak && *row.peak > m_input.budget->bytes; }

    static std::string outcome(const PeakRow& row)
    {
        if (row.outcome == Outcome::Completed)
            return row.peak ? "completed" : "completed without a peak";
        return outcomeText(row.outcome, row.reason);
    }

    std::string valueText(const PeakRow& row) const
    {
        std::string text = sizeText(*row.peak);
        if (isOver(row))
            text += ", over budget";
        if (!row.flags.empty())
            text += ", " + flagList(row.flags);
        return row.outcome == Outcome::Completed ? text : fmt::format("{}, {}", text, inWords(toText(row.outcome)));
    }

    Hover hover(const PeakRow& row) const
    {
        Hover said{row.label, {}};
        said.lines.push_back(row.peak ? peakText(*row.peak, m_input.memory) : outcome(row));
        if (row.peak && row.outcome != Outcome::Completed)
            said.lines.push_back(outcome(row));
        said.lines.push_back(config::statementOf(row.provenance));
        if (isOver(row))
            said.lines.push_back("over " + budgetText(*m_input.budget));
        const auto flags = flagLines(row.flags);
        said.lines.insert(said.lines.end(), flags.begin(), flags.end());
        return said;
    }

    void addLegend()
    {
        for (const Part part : {Part::Whole, Part::AfterLoad, Part::Step, Part::Harness})
            for (const auto provenance : {Provenance::Measured, Provenance::Rehearsed, Provenance::Predicted})
                addLegend(part, provenance);
    }

    void addLegend(Part part, Provenance provenance)
    {
        const auto& bars = m_figure.bars;
        if (std::none_of(bars.begin(), bars.end(),
                [&](const BarSegment& bar) { return bar.part == name(part) && bar.look.provenance == provenance; }))
            return;
        m_figure.legend.push_back({Symbol::Bar, {series(part), Shape::Square, provenance}, {},
            fmt::format("{}, {}", name(part), figures::name(provenance))});
    }

    void describe()
    {
        if (m_input.rows.empty())
            m_figure.emptyText = "No trials yet: nothing to compare.";
        m_figure.description =
            fmt::format("{} of {}, one bar each.", peakTitle(m_input.memory), counted(m_input.rows.size(), "trial"));
        for (const std::string& note : m_figure.notes)
            m_figure.description += " " + note;
        m_figure.table.header = {"Trial", "Kind", m_figure.x.label, fmt::format("After load ({})", m_unit.name),
            fmt::format("Held by the measuring ({})", m_unit.name), "Outcome"};
        for (const PeakRow& row : m_input.rows)
            m_figure.table.rows.push_back({row.label, figures::name(row.provenance), cell(row.peak),
                cell(row.afterLoad), cell(row.harness), outcomeCell(row)});
    }

    std::string cell(const std::optional<Bytes>& bytes) const { return bytes ? inUnit(*bytes, m_unit) : kUnknownCell; }

    std::string outcomeCell(const PeakRow& row) const
    {
        std::string text = outcome(row);
        if (isOver(row))
            text += ", over the budget";
        return row.flags.empty() ? text : fmt::format("{} ({})", text, flagList(row.flags));
    }

    const PeakBarsInput& m_input;
    SizeUnit m_unit;
    Figure m_figure;
};

} // namespace

Figure peakBarsFigure(const PeakBarsInput& input)
{
    return PeakBarsBuilder(input).build();
}

} // namespace headroom::figures
