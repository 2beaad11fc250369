// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"

#include <cstddef>
#include <optional>

namespace headroom::report {

/// Trials that the figures of a report with more than kMostRows trials draw.
inline constexpr std::size_t kMostDrawn = 250;

/// What a part of a report shows: all trials if they are at most `wholeUpTo`, else `most` that are worth showing, in
/// their order.
class PageExcerpt {
public:
    /// Both must outlive it.
    PageExcerpt(const ReportContent& content, const Comparison& comparison, std::size_t wholeUpTo, std::size_t most);
    PageExcerpt(const PageExcerpt&) = delete;
    PageExcerpt& operator=(const PageExcerpt&) = delete;

    const ReportContent& content() const { return m_part ? *m_part : m_content; }
    const Comparison& comparison() const { return m_partComparison ? *m_partComparison : m_comparison; }
    bool isWhole() const { return !m_part.has_value(); }

private:
    const ReportContent& m_content;
    const Comparison& m_comparison;
    std::optional<ReportContent> m_part;
    std::optional<Comparison> m_partComparison; ///< points into m_part
};

} // namespace headroom::report
