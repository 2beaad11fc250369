// SPDX-License-Identifier: Apache-2.0
#include "ui/results/RowFilter.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <charconv>

namespace headroom::ui {
namespace {

using report::ReportCell;
using report::ReportTable;

// Cells are ASCII except for text that users wrote.
char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool holds(const std::string& text, const std::string& part)
{
    return std::search(text.begin(), text.end(), part.begin(), part.end(), [](char a, char b) { return lower(a) == b; })
        != text.end();
}

std::string lowered(const QString& text)
{
    return text.toLower().toStdString();
}

// Splits text into words, parts of which may be quoted: reserved<12 "speed kept">80 "every:2 | split"
QStringList wordsOf(const QString& text)
{
    static const QRegularExpression word(QStringLiteral("(?:[^\\s\"]|\"[^\"]*\"?)+"));
    QStringList words;
    for (auto it = word.globalMatch(text); it.hasNext();)
        words.append(it.next().captured());
    return words;
}

QString withoutQuotes(QString text)
{
    return text.remove(QLatin1Char('"'));
}

std::optional<std::size_t> columnOf(const QString& name, const ReportTable& table)
{
    const QString wanted = withoutQuotes(name).trimmed().toLower();
    for (const auto matches : {+[](const QString& key, const QString& n) { return key == n; },
             +[](const QString& key, const QString& n) { return key.startsWith(n); },
             +[](const QString& key, const QString& n) { return key.contains(QLatin1Char(' ') + n); }})
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (!wanted.isEmpty() && matches(columnKey(table.columns[i]), wanted))
                return i;
    return std::nullopt;
}

bool anyCellHolds(const report::ReportRow& row, const std::string& text)
{
    return std::ranges::any_of(row.cells, [&](const ReportCell& cell) { return holds(cell.text, text); });
}

// The column of COLUMN:WORD. Settings begin like some columns of numbers: a word that a row has as it is, is one.
std::optional<std::size_t> columnToSearch(const QString& name, const std::string& word, const ReportTable& table)
{
    const auto column = columnOf(name, table);
    if (!column || table.columns[*column].kind == report::CellKind::Text)
        return column;
    const bool isWord = std::ranges::any_of(table.rows, [&](const auto& row) { return anyCellHolds(row, word); });
    return isWord ? std::nullopt : column;
}

double bytesIn(const QString& unit)
{
    static const std::array<std::pair<const char*, double>, 5> units{
        {{"b", 1}, {"kib", 1024.0}, {"mib", 1048576.0}, {"gib", 1073741824.0}, {"tib", 1099511627776.0}}};
    for (const auto& [name, bytes] : units)
        if (unit.toLower() == QLatin1String(name))
            return bytes;
    return 0;
}

// The unit in a column's title: "GiB" of "peak reserved (GiB)".
QString unitOf(const report::ReportColumn& column)
{
    const QString title = QString::fromStdString(column.title);
    const auto open = title.lastIndexOf(QLatin1String(" ("));
    return open < 0 ? QString() : title.mid(open + 2).chopped(1);
}

bool isInPercent(const ReportTable& table, std::size_t column)
{
    return std::any_of(
        table.rows.begin(), table.rows.end(), [&](const auto& row) { return row.cells[column].text.ends_with(" %"); });
}

// The factor from a typed number to the column's sort keys.
double scaleOf(const QString& unit, const ReportTable& table, std::size_t column)
{
    if (unit.isEmpty() || unit == QStringLiteral("%")) {
        const double bytes = bytesIn(unitOf(table.columns[column]));
        return isInPercent(table, column) ? 0.01 : bytes > 0 ? bytes : 1;
    }
    return bytesIn(unit);
}

std::optional<double> cellNumber(const ReportCell& cell)
{
    double value = 0;
    const auto* end = cell.sortKey.data() + cell.sortKey.size();
    const auto result = std::from_chars(cell.sortKey.data(), end, value);
    return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}

} // namespace

QString columnKey(const report::ReportColumn& column)
{
    const QString title = QString::fromStdString(column.title).toLower();
    const auto open = title.lastIndexOf(QLatin1String(" ("));
    return open < 0 ? title : title.left(open);
}

RowFilter::RowFilter(const QString& text, const ReportTable& table)
{
    for (const QString& word : wordsOf(text))
        add(word, table);
}

void RowFilter::add(const QString& word, const ReportTable& table)
{
    if (addComparison(word, table))
        return;
    const auto colon = word.indexOf(QLatin1Char(':'));
    // Settings contain colons too: a prefix that is not the name of a column is part of the text.
    const std::string whole = lowered(withoutQuotes(word));
    if (const auto column = colon > 0 ? columnToSearch(word.left(colon), whole, table) : std::nullopt)
        m_conditions.push_back({column, Relation::Holds, lowered(withoutQuotes(word.mid(colon + 1))), whole});
    else
        m_conditions.push_back({std::nullopt, Relation::Holds, whole, {}});
}

bool RowFilter::addComparison(const QString& word, const ReportTable& table)
{
    static const QRegularExpression comparison(
        QStringLiteral("^(\"[^\"]*\"|[^\"<>=!]+)(<=|>=|!=|<|>|=)(-?[0-9.]+(?:e[+-]?[0-9]+)?)\\s*([a-z%]*)$"),
        QRegularExpression::CaseInsensitiveOption);
    static const std::array<std::pair<const char*, Relation>, 6> relations{
        {{"<", Relation::Less}, {"<=", Relation::LessOrEqual}, {">", Relation::Greater},
            {">=", Relation::GreaterOrEqual}, {"=", Relation::Equal}, {"!=", Relation::Unequal}}};
    const auto match = comparison.match(word);
    if (!match.hasMatch())
        return false;
    const auto column = columnOf(match.captured(1), table);
    bool isNumber = false;
    const double number = QLocale::c().toDouble(match.captured(3), &isNumber);
    const double scale = column ? scaleOf(match.captured(4), table, *column) : 0;
    if (!column || table.columns[*column].kind != report::CellKind::Number || !isNumber || scale == 0) {
        m_complaint = QStringLiteral("\"%1\" compares no column of numbers that is here.").arg(word);
        return true;
    }
    for (const auto& [sign, relation] : relations)
        if (match.captured(2) == QLatin1String(sign))
            m_conditions.push_back({column, relation, {}, {}, number * scale});
    return true;
}

bool RowFilter::accepts(const report::ReportRow& row) const
{
    return std::all_of(
        m_conditions.begin(), m_conditions.end(), [&](const Condition& condition) { return meets(condition, row); });
}

bool RowFilter::meets(const Condition& condition, const report::ReportRow& row)
{
    if (condition.relation == Relation::Holds && condition.column)
        return holds(row.cells[*condition.column].text, condition.text) || anyCellHolds(row, condition.word);
    if (condition.relation == Relation::Holds)
        return anyCellHolds(row, condition.text);
    const auto number = cellNumber(row.cells[*condition.column]);
    if (!number)
        return false;
    // Compares as shown, not exactly: a cell of 1.6801 shows 1.68.
    const double slack = std::abs(condition.number) * 5e-4;
    switch (condition.relation) {
    case Relation::Less:
        return *number < condition.number;
    case Relation::LessOrEqual:
        return *number <= condition.number + slack;
    case Relation::Greater:
        return *number > condition.number;
    case Relation::GreaterOrEqual:
        return *number >= condition.number - slack;
    case Relation::Equal:
        return std::abs(*number - condition.number) <= slack;
    case Relation::Unequal:
        return std::abs(*number - condition.number) > slack;
    case Relation::Holds:
        break;
    }
    return false;
}

} // namespace headroom::ui
