// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Csv.h"

#include "core/base/Csv.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headroom::cli {

using experiments::OrderedJson;

namespace {

using Row = std::vector<std::pair<std::string, std::string>>; ///< cells by column

std::string dumped(const OrderedJson& value)
{
    return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// No cell is blank.
std::string cellOf(const std::string& text)
{
    return text.empty() ? "\"\"" : csvCell(text);
}

void addValue(Row& row, const std::string& column, const OrderedJson& value)
{
    if (value.is_object())
        for (const auto& [key, inner] : value.items())
            addValue(row, column.empty() ? key : column + "." + key, inner);
    else
        row.emplace_back(column, value.is_string() ? value.get<std::string>() : dumped(value));
}

Row flattened(const OrderedJson& record)
{
    Row row;
    addValue(row, "", record);
    return row;
}

// The columns of records, in the order in which they first appear.
class ColumnList {
public:
    void add(const Row& row)
    {
        for (const auto& [column, cell] : row) {
            const auto [found, isNew] = m_places.emplace(column, m_columns.size());
            if (isNew)
                m_columns.push_back({column});
            Known& known = m_columns[found->second];
            known.hasValues = known.hasValues || cell != "null";
        }
    }

    // An object that is null in some records is already shown as null in each of its own columns. A value is no object,
    // even if another key begins like its own ("device", "device.allocator").
    std::vector<std::string> kept() const
    {
        std::vector<std::string> names;
        for (const Known& column : m_columns) {
            const auto isInside = [&](const Known& other) { return other.name.starts_with(column.name + "."); };
            if (column.hasValues || std::ranges::none_of(m_columns, isInside))
                names.push_back(column.name);
        }
        return names;
    }

private:
    struct Known {
        std::string name;
        bool hasValues = false;
    };

    std::vector<Known> m_columns;
    std::unordered_map<std::string, std::size_t> m_places;
};

std::string lineOf(const std::vector<std::string>& cells)
{
    std::string text;
    for (const std::string& cell : cells)
        text += (text.empty() ? "" : ",") + cellOf(cell);
    return text + "\n";
}

} // namespace

EachRecord eachOf(const OrderedJson& records)
{
    return [&records](const std::function<void(const OrderedJson&)>& visit) {
        for (const OrderedJson& record : records)
            visit(record);
    };
}

void writeCsv(const EachRecord& records, std::ostream& out)
{
    ColumnList list;
    records([&](const OrderedJson& record) { list.add(flattened(record)); });
    const std::vector<std::string> columns = list.kept();
    out << lineOf(columns);
    records([&](const OrderedJson& record) {
        const Row row = flattened(record);
        const std::unordered_map<std::string, std::string> cells(row.begin(), row.end());
        std::vector<std::string> line;
        for (const std::string& column : columns) {
            const auto cell = cells.find(column);
            line.push_back(cell == cells.end() ? "null" : cell->second);
        }
        out << lineOf(line);
    });
}

} // namespace headroom::cli
