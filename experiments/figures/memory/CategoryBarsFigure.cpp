// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/CategoryBarsFigure.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/figures/CategoryLook.h"
#include "experiments/figures/TrialTerms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace headroom::figures {

using config::MemoryCategory;

namespace {

struct Change {
    MemoryCategory category = MemoryCategory::Unknown;
    Bytes bytes = 0; ///< more than in the other; negative: less
};

Change largestChange(const trace::CategoryBytes& from, const trace::CategoryBytes& to)
{
    Change largest;
    for (const MemoryCategory category : config::kMemoryCategories) {
        const Bytes bytes = to.of(category) - from.of(category);
        if (std::abs(bytes) > std::abs(largest.bytes))
            largest = {category, bytes};
    }
    return largest;
}

class CategoryBarsBuilder {
public:
    explicit CategoryBarsBuilder(const CategoryBarsInput& input)
        : m_input(input)
        , m_unit(axisUnitFor(largestPeak()))
    {
        for (const CategoryRow& row : input.rows)
            if (row.peak)
                for (const MemoryCategory category : config::kMemoryCategories)
                    if (row.peak->of(category) != 0)
                        m_occurring.insert(category);
    }

    Figure build()
    {
        m_figure.kind = "category-bars";
        m_figure.title = m_input.title;
        if (!m_input.rows.empty() && areAllAlike() && m_input.rows.front().provenance != Provenance::Measured)
            m_figure.notes.push_back(m_input.rows.front().provenance == Provenance::Predicted
                    ? "Predicted, not measured."
                    : "Rehearsed, not measured.");
        addAxes();
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
        for (const CategoryRow& row : m_input.rows)
            largest = std::max(largest, row.peak ? row.peak->total() : 0);
        return largest;
    }

    void addAxes()
    {
        const std::vector<double> values{m_unit.of(largestPeak())};
        m_figure.x = axisFromZero(fmt::format("{} ({})", peakTitle(MemoryKind::Allocated), m_unit.name), values);
        std::vector<std::string> labels;
        for (const CategoryRow& row : m_input.rows)
            labels.push_back(row.label);
        m_figure.y = categoryAxis("", labels);
    }

    void addRow(std::size_t index)
    {
        const CategoryRow& row = m_input.rows[index];
        if (!row.peak) {
            m_figure.rowTexts.push_back({row.id, index, 0, outcome(row), hover(row)});
            return;
        }
        Bytes from = 0;
        for (const MemoryCategory category : config::kMemoryCategories) {
            const Bytes bytes = row.peak->of(category);
            if (bytes > 0)
                addSegment(index, category, from, from + bytes);
            from += bytes;
        }
        m_figure.rowTexts.push_back({row.id, index, m_unit.of(row.peak->total()), valueText(row), {}});
    }

    void addSegment(std::size_t index, MemoryCategory category, Bytes from, Bytes to)
    {
        const CategoryRow& row = m_input.rows[index];
        Hover said = hover(row);
        said.lines.insert(said.lines.begin(),
            fmt::format("{}: {} ({})", config::titleOf(category), sizeText(to - from),
                shareText(to - from, row.peak->total())));
        m_figure.bars.push_back({row.id, index, m_unit.of(from), m_unit.of(to), lookOf(category, row.provenance),
            std::string(config::titleOf(category)), std::move(said)});
    }

    static std::string outcome(const CategoryRow& row)
    {
        if (row.outcome != Outcome::Completed)
            return outcomeText(row.outcome, row.reason);
        return "completed; what its peak consisted of was not recorded";
    }

    // Said once, and not of each row.
    bool areAllAlike() const
    {
        return std::ranges::all_of(
            m_input.rows, [&](const CategoryRow& row) { return row.provenance == m_input.rows.front().provenance; });
    }

    std::string valueText(const CategoryRow& row) const
    {
        std::string text = sizeText(row.peak->total());
        if (row.provenance != Provenance::Measured && !areAllAlike())
            text += ", " + figures::name(row.provenance);
        return row.outcome == Outcome::Completed ? text : fmt::format("{}, {}", text, inWords(toText(row.outcome)));
    }

    Hover hover(const CategoryRow& row) const
    {
        Hover said{row.label, {}};
        if (!row.peak) {
            said.lines.push_back(outcome(row));
            return said;
        }
        said.lines.push_back(fmt::format("of {} peak allocated{}", sizeText(row.peak->total()),
            row.phase.empty() ? "" : ", reached in " + row.phase));
        if (const std::string change = changeText(row); !change.empty())
            said.lines.push_back(change);
        said.lines.push_back(config::statementOf(row.provenance));
        return said;
    }

    /// "Saved activations: 16.9 GiB less than none"; empty where there is nothing to compare with, or no difference.
    std::string changeText(const CategoryRow& row) const
    {
        const CategoryRow* other = row.reference ? &m_input.rows[*row.reference] : nullptr;
        if (other == nullptr || other == &row || !row.peak || !other->peak)
            return {};
        const Change change = largestChange(*other->peak, *row.peak);
        if (change.bytes == 0)
            return {};
        return fmt::format(
            "{}: {} than {}", config::titleOf(change.category), moreOrLessText(change.bytes), other->label);
    }

    bool occurs(MemoryCategory category) const { return m_occurring.contains(category); }

    void addLegend()
    {
        for (const MemoryCategory category : config::kMemoryCategories)
            if (occurs(category))
                m_figure.legend.push_back(
                    {Symbol::Bar, lookOf(category, Provenance::Measured), {}, std::string(config::titleOf(category))});
    }

    void describe()
    {
        if (m_input.rows.empty())
            m_figure.emptyText = "No trials yet: nothing to compare.";
        m_figure.description =
            fmt::format("What peak allocated consisted of in {}, one bar each.", counted(m_input.rows.size(), "trial"));
        m_figure.table.header = {"Trial", "Kind", m_figure.x.label};
        for (const MemoryCategory category : config::kMemoryCategories)
            if (occurs(category))
                m_figure.table.header.push_back(fmt::format("{} ({})", config::titleOf(category), m_unit.name));
        m_figure.table.header.insert(m_figure.table.header.end(), {"Reached in", "Largest difference"});
        for (const CategoryRow& row : m_input.rows)
            m_figure.table.rows.push_back(cells(row));
    }

    std::vector<std::string> cells(const CategoryRow& row) const
    {
        std::vector<std::string> cells{
            row.label, figures::name(row.provenance), row.peak ? inUnit(row.peak->total(), m_unit) : outcome(row)};
        for (const MemoryCategory category : config::kMemoryCategories)
            if (occurs(category))
                cells.push_back(row.peak ? inUnit(row.peak->of(category), m_unit) : kUnknownCell);
        cells.push_back(row.phase.empty() ? kUnknownCell : row.phase);
        const std::string change = changeText(row);
        cells.push_back(change.empty() ? kUnknownCell : change);
        return cells;
    }

    const CategoryBarsInput& m_input;
    SizeUnit m_unit;
    std::set<MemoryCategory> m_occurring; ///< in any row
    Figure m_figure;
};

} // namespace

Figure categoryBarsFigure(const CategoryBarsInput& input)
{
    return CategoryBarsBuilder(input).build();
}

} // namespace headroom::figures
