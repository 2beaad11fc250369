// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/ReportFigures.h"
#include "experiments/report/Verdict.h"
#include "experiments/report/document/Block.h"
#include "experiments/report/document/PageExcerpt.h"

#include <string>
#include <vector>

namespace headroom::report {

/// Makes the blocks of each section; none for a section that has nothing to say.
class SectionBuilder {
public:
    /// Content and comparison have to outlive it.
    SectionBuilder(const ReportContent& content, const Comparison& comparison, const ReportBounds& bounds);

    Blocks verdict() const;
    Blocks tradeoff() const;
    Blocks results() const;
    Blocks effects() const;
    Blocks peaks() const;
    Blocks categories() const;
    Blocks timelines() const;
    Blocks compared() const;
    Blocks differences() const;
    Blocks engagement() const;
    Blocks endings() const;
    Blocks flags() const;
    Blocks remarks() const;
    Blocks environment() const;
    Blocks replay() const;

private:
    Blocks groupBlocks(const std::vector<GroupVerdict>& groups) const;
    Blocks panelBlocks(const std::string& id, const std::vector<const figures::Figure*>& figures) const;
    Blocks boundedTable(ReportTable table, const std::string& caption) const;
    Blocks extentNote(const PageExcerpt& shown) const;

    const ReportContent& m_content;
    const Comparison& m_comparison;
    ReportBounds m_bounds;
    PageExcerpt m_rows; ///< what tables show
    PageExcerpt m_drawn; ///< what figures show
    std::vector<Panel> m_panels;
};

} // namespace headroom::report
