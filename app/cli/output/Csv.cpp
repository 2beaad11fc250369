// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Csv.h"

#include "core/base/Csv.h"

#include <algorithm>
#include <map>
#include <vector>

namespace headroom::cli {

using experiments::OrderedJson;

namespace {

using Row = std::map<std::string, std::string>;

std::string dumped(const OrderedJson& value)
{
    return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// No cell is blank.
std::string cellOf(const std::string& text)
{
    return text.empty() ? "\"\"" : csvCell(text);
}

// Flattens records and keeps the order in which columns first appear.
class Flattener {
public:
    void add(const OrderedJson& record)
    {
        m_rows.emplace_back();
        addObject(record, "");
    }

    std::string text() const
    {
        const std::vector<std::string> columns = keptColumns();
        std::string text = line(columns, [](const std::string& column) { return column; });
        for (const Row& row : m_rows)
            text += line(columns, [&](const std::string& column) {
                const auto it = row.find(column);
                return it == row.end() ? std::string("null") : it->second;
            });
        return text;
    }

private:
    void addObject(const OrderedJson& object, const std::string& prefix)
    {
        for (const auto& [key, value] : object.items())
            addValue(prefix + key, value);
    }

    void addValue(const std::string& column, const OrderedJson& value)
    {
        if (value.is_object()) {
            addObject(value, column + ".");
            return;
        }
        if (std::find(m_columns.begin(), m_columns.end(), column) == m_columns.end())
            m_columns.push_back(column);
        m_rows.back()[column] = value.is_string() ? value.get<std::string>() : dumped(value);
    }

    // An object that is null in some records is already shown as null in each of its own columns. A value is no object,
    // even if another key begins like its own ("device", "device.allocator").
    std::vector<std::string> keptColumns() const
    {
        std::vector<std::string> kept;
        for (const std::string& column : m_columns) {
            const auto isInside = [&](const std::string& other) { return other.starts_with(column + "."); };
            if (hasValues(column) || std::none_of(m_columns.begin(), m_columns.end(), isInside))
                kept.push_back(column);
        }
        return kept;
    }

    bool hasValues(const std::string& column) const
    {
        return std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& row) {
            const auto cell = row.find(column);
            return cell != row.end() && cell->second != "null";
        });
    }

    template <typename Cell> static std::string line(const std::vector<std::string>& columns, Cell cell)
    {
        std::string text;
        for (const std::string& column : columns)
            text += (text.empty() ? "" : ",") + cellOf(cell(column));
        return text + "\n";
    }

    std::vector<std::string> m_columns;
    std::vector<Row> m_rows;
};

} // namespace

std::string csv(const OrderedJson& records)
{
    Flattener flattener;
    for (const OrderedJson& record : records)
        flattener.add(record);
    return flattener.text();
}

} // namespace headroom::cli
