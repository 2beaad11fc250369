// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/TableBuilder.h"

#include "experiments/ByteFormat.h"
#include "experiments/report/Numbers.h"

#include <algorithm>

namespace headroom::report {
namespace {

constexpr int kDigits = 4;

Origin originOf(const ReportTrial& trial)
{
    return trial.isPredicted() ? Origin::Predicted : Origin::Plain;
}

} // namespace

void TableBuilder::addText(const std::string& title, const Text& text)
{
    std::vector<ReportCell> cells;
    for (const ReportTrial& trial : m_trials)
        cells.push_back({text(trial)});
    add({title}, std::move(cells));
}

void TableBuilder::addResultText(const std::string& title, const Text& text, const std::string& help)
{
    std::vector<ReportCell> cells;
    for (const ReportTrial& trial : m_trials)
        cells.push_back({text(trial), originOf(trial)});
    add({title, CellKind::Text, help}, std::move(cells));
}

void TableBuilder::addBytes(const std::string& title, const Amount& amount, const std::string& help)
{
    std::vector<std::optional<Bytes>> amounts;
    std::transform(m_trials.begin(), m_trials.end(), std::back_inserter(amounts), amount);
    const experiments::ByteUnit unit = experiments::unitFor(amounts);
    std::vector<ReportCell> cells;
    for (std::size_t i = 0; i < amounts.size(); ++i)
        cells.push_back({experiments::inUnit(amounts[i], unit), originOf(m_trials[i]),
            amounts[i] ? std::to_string(*amounts[i]) : ""});
    add({title + " (" + unit.name + ")", CellKind::Number, help}, std::move(cells));
}

void TableBuilder::addNumbers(const std::string& title, const Number& number,
    const std::function<std::string(double value, int decimals)>& shown, const std::string& help)
{
    std::vector<std::optional<double>> numbers;
    std::transform(m_trials.begin(), m_trials.end(), std::back_inserter(numbers), number);
    const int decimals = decimalsFor(numbers, kDigits);
    std::vector<ReportCell> cells;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        cells.push_back({numbers[i] ? shown(*numbers[i], decimals) : "", originOf(m_trials[i]),
            numbers[i] ? exact(*numbers[i]) : ""});
    add({title, CellKind::Number, help}, std::move(cells));
}

void TableBuilder::add(const ReportColumn& column, std::vector<ReportCell> cells)
{
    if (std::all_of(cells.begin(), cells.end(), [](const ReportCell& cell) { return cell.text.empty(); }))
        return;
    for (ReportCell& cell : cells)
        if (cell.text.empty())
            cell = {kUnknownCell};
    m_columns.push_back(column);
    m_cells.push_back(std::move(cells));
}

ReportTable TableBuilder::table() const
{
    ReportTable table{m_columns, {}};
    for (std::size_t row = 0; row < m_trials.size(); ++row) {
        table.rows.push_back({m_trials[row].id(), {}});
        for (const auto& column : m_cells)
            table.rows.back().cells.push_back(column[row]);
    }
    return table;
}

} // namespace headroom::report
