// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/TableBuilder.h"

#include "core/base/Quantities.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace headroom::report {
namespace {

// Columns that span more have no unit and no number of decimals that suits all.
constexpr double kWideSpan = 2000;

bool spansWidely(const std::vector<std::optional<double>>& values)
{
    double least = std::numeric_limits<double>::max();
    double most = 0;
    for (const auto& value : values)
        if (value && *value != 0) {
            least = std::min(least, std::abs(*value));
            most = std::max(most, std::abs(*value));
        }
    return most > kWideSpan * least;
}

std::vector<std::optional<double>> asNumbers(const std::vector<std::optional<Bytes>>& amounts)
{
    std::vector<std::optional<double>> numbers;
    for (const auto& amount : amounts)
        numbers.push_back(amount ? std::optional(double(*amount)) : std::nullopt);
    return numbers;
}

bool isNumeral(const std::string& text)
{
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

Origin rowOrigin(const ReportTrial& trial)
{
    return originOf(trial.provenance());
}

} // namespace

TableBuilder::TableBuilder(const std::vector<ReportTrial>& trials)
    : m_trials(trials)
{
    std::vector<std::optional<Bytes>> peaks;
    for (const ReportTrial& trial : trials)
        for (const auto& peak : {trial.result.memory.peak.allocated, trial.result.memory.peak.reserved})
            peaks.push_back(peak);
    const auto largest = std::ranges::max_element(peaks);
    m_unit = columnUnitFor({largest == peaks.end() ? std::nullopt : *largest});
    m_eachItsOwn = spansWidely(asNumbers(peaks));
}

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
        cells.push_back({text(trial), rowOrigin(trial)});
    add({title, CellKind::Text, help}, std::move(cells));
}

void TableBuilder::addSetting(const std::string& title, const std::vector<std::string>& values, const std::string& help)
{
    const bool areNumbers =
        std::ranges::all_of(values, [](const std::string& value) { return value == kUnknownCell || isNumeral(value); });
    std::vector<ReportCell> cells;
    for (const std::string& value : values)
        cells.push_back({value, Origin::Plain, areNumbers && value != kUnknownCell ? value : std::string()});
    add({title, areNumbers ? CellKind::Number : CellKind::Text, help, true}, std::move(cells));
}

void TableBuilder::addBytes(const std::string& title, const Amount& amount, const std::string& help)
{
    std::vector<std::optional<Bytes>> amounts;
    std::transform(m_trials.begin(), m_trials.end(), std::back_inserter(amounts), amount);
    std::vector<ReportCell> cells;
    for (std::size_t i = 0; i < amounts.size(); ++i)
        if (amounts[i])
            cells.push_back({m_eachItsOwn ? sizeText(*amounts[i]) : inUnit(amounts[i], m_unit), rowOrigin(m_trials[i]),
                std::to_string(*amounts[i])});
        else
            cells.emplace_back();
    add({m_eachItsOwn ? title : title + " (" + m_unit.name + ")", CellKind::Number, help}, std::move(cells));
}

void TableBuilder::addRoundedBytes(const std::string& title, const Amount& amount, const std::string& help)
{
    Bytes largest = 0;
    for (const ReportTrial& trial : m_trials)
        largest = std::max(largest, amount(trial).value_or(0));
    const SizeUnit unit = sizeUnitOf(largest);
    std::vector<ReportCell> cells;
    for (const ReportTrial& trial : m_trials)
        if (const auto bytes = amount(trial))
            cells.push_back({sizeIn(*bytes, unit), rowOrigin(trial), std::to_string(*bytes)});
        else
            cells.emplace_back();
    add({title + " (" + unit.name + ")", CellKind::Number, help}, std::move(cells));
}

void TableBuilder::addNumbers(const std::string& title, const Number& number,
    const std::function<std::string(double value, int decimals)>& shown, const std::string& help)
{
    std::vector<std::optional<double>> numbers;
    std::transform(m_trials.begin(), m_trials.end(), std::back_inserter(numbers), number);
    const bool eachItsOwn = spansWidely(numbers);
    const int common = decimalsFor(numbers, kColumnDigits);
    std::vector<ReportCell> cells;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i])
            cells.push_back({shown(*numbers[i], eachItsOwn ? decimalsFor({numbers[i]}, kColumnDigits) : common),
                rowOrigin(m_trials[i]), exact(*numbers[i])});
        else
            cells.emplace_back();
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
