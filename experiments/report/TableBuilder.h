// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/base/Quantities.h"
#include "experiments/report/ReportTable.h"
#include "experiments/report/ReportTrial.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// Collects the columns of a table with a row for each trial; those without a single known value are left out.
class TableBuilder {
public:
    /// `trials` must outlive the builder.
    explicit TableBuilder(const std::vector<ReportTrial>& trials);

    using Text = std::function<std::string(const ReportTrial&)>;
    using Amount = std::function<std::optional<Bytes>(const ReportTrial&)>;
    using Number = std::function<std::optional<double>(const ReportTrial&)>;

    /// Of the trial as it was planned, or of how it ended: no prediction.
    void addText(const std::string& title, const Text& text);
    /// A setting of each trial: a column of numbers if all that are known are.
    void addSetting(const std::string& title, const std::vector<std::string>& values, const std::string& help);
    /// In the unit of the trials' peaks, which the title names, so that columns can be read beside each other; each in
    /// its own where the peaks are of different magnitudes.
    void addBytes(const std::string& title, const Amount& amount, const std::string& help);
    /// The same in three digits, as in sentences and on the screen.
    void addRoundedBytes(const std::string& title, const Amount& amount, const std::string& help);
    /// `shown` puts a known number into words, given the decimals that suit the column.
    void addNumbers(const std::string& title, const Number& number,
        const std::function<std::string(double value, int decimals)>& shown, const std::string& help);
    /// Text that is a result: marked where it is predicted.
    void addResultText(const std::string& title, const Text& text, const std::string& help);

    ReportTable table() const;

private:
    void add(const ReportColumn& column, std::vector<ReportCell> cells);

    const std::vector<ReportTrial>& m_trials;
    SizeUnit m_unit; ///< of peaks and what is compared with them
    bool m_eachItsOwn = false; ///< no unit suits all peaks
    std::vector<ReportColumn> m_columns;
    std::vector<std::vector<ReportCell>> m_cells; ///< by column, then trial
};

} // namespace headroom::report
