// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTable.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace headroom::ui {

/// What a reader types to see a part of a table. All words have to hold:
///   ltx             some cell has it
///   fits:yes        the cell of that column has it
///   "speed kept">80 a number of that column, in the column's unit; < > <= >= = !=
///   reserved<12GiB  or in a unit that is given
/// The beginning of a word of a column's title stands for the column; case does not matter; quotes hold blanks
/// together.
class RowFilter {
public:
    RowFilter() = default;
    RowFilter(const QString& text, const report::ReportTable& table);

    bool isEmpty() const { return m_conditions.empty(); }
    bool accepts(const report::ReportRow& row) const;
    /// What could not be understood, as a sentence; empty where everything was.
    const QString& complaint() const { return m_complaint; }

private:
    enum class Relation { Holds, Less, LessOrEqual, Greater, GreaterOrEqual, Equal, Unequal };
    struct Condition {
        std::optional<std::size_t> column; ///< nothing: any
        Relation relation = Relation::Holds;
        std::string text; ///< lower case
        double number = 0;
    };

    void add(const QString& word, const report::ReportTable& table);
    bool addComparison(const QString& word, const report::ReportTable& table);
    static bool meets(const Condition& condition, const report::ReportRow& row);

    std::vector<Condition> m_conditions;
    QString m_complaint;
};

/// The columns' titles without their units, in lower case: what names a column whatever its unit is today.
QString columnKey(const report::ReportColumn& column);

} // namespace headroom::ui
