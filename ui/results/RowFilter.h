// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTable.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace headroom::ui {

/// A filter that users type to see a part of a table. A row must match every word:
///   ltx             some cell contains the text
///   fits:yes        the cell of that column contains the text; every:2 is the text itself, as no column is named every
///   "speed kept">80 compares a number of that column, in the column's unit; < > <= >= = !=
///   reserved<12GiB  compares it in the given unit
/// The whole word counts as well if it happens to begin like a column: tokens:16 is a setting beside a column tokens/s.
/// A column is named by the beginning of a word of its title. Case does not matter; quotes group words with spaces.
class RowFilter {
public:
    RowFilter() = default;
    RowFilter(const QString& text, const report::ReportTable& table);

    bool isEmpty() const { return m_conditions.empty(); }
    bool accepts(const report::ReportRow& row) const;
    /// A sentence that names what could not be understood; empty if everything was.
    const QString& complaint() const { return m_complaint; }

private:
    enum class Relation { Holds, Less, LessOrEqual, Greater, GreaterOrEqual, Equal, Unequal };
    struct Condition {
        std::optional<std::size_t> column; ///< nullopt: any
        Relation relation = Relation::Holds;
        std::string text; ///< lower case
        std::string word; ///< lower case; what was typed if it names a column
        double number = 0;
    };

    void add(const QString& word, const report::ReportTable& table);
    bool addComparison(const QString& word, const report::ReportTable& table);
    static bool meets(const Condition& condition, const report::ReportRow& row);

    std::vector<Condition> m_conditions;
    QString m_complaint;
};

/// A column's title without its unit, in lower case: the name of the column whatever its current unit is.
QString columnKey(const report::ReportColumn& column);

} // namespace headroom::ui
