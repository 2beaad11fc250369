// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::cli {

enum class Alignment { Left, Right };

struct Column {
    std::string title;
    Alignment alignment = Alignment::Left;
};

/// A table for people: the same rows for the terminal and as Markdown. A cell is one line and never blank; what is not
/// known or does not apply is shown as "-", control characters are spelled out.
class Table {
public:
    Table() = default;
    explicit Table(std::vector<Column> columns);

    /// Throws std::invalid_argument when the number of cells is not that of the columns.
    void addRow(std::vector<std::string> cells);

    const std::vector<Column>& columns() const { return m_columns; }
    const std::vector<std::vector<std::string>>& rows() const { return m_rows; }

    /// Aligned columns with a rule under the titles; every line ends with a newline.
    std::string text() const;
    /// A GitHub-flavoured Markdown table.
    std::string markdown() const;

private:
    std::vector<std::size_t> widths() const;

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// Characters that the UTF-8 text takes on the terminal (each code point counts as one).
std::size_t displayWidth(const std::string& text);

} // namespace headroom::cli
