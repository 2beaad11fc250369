// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlCompared.h"

#include "experiments/report/html/HtmlFigure.h"
#include "experiments/report/html/HtmlTable.h"

#include <string>

namespace headroom::report {
namespace {

Html comparedSentences(const std::vector<std::string>& sentences)
{
    Html items;
    for (const std::string& words : sentences)
        items += element("li", text(words));
    return element("ul", {{"class", "findings"}}, items);
}

Html runsHtml(const ComparedRuns& runs, const std::string& id)
{
    Html html = element("h3", name(runs.title));
    html += comparedSentences(runs.sentences);
    if (runs.overTime) {
        html += htmlFigure(figures::comparisonFigure(*runs.overTime), id);
        html += htmlFigure(figures::differenceFigure(*runs.overTime), id + "-difference");
    }
    for (const ComparedRuns::Detail& detail : runs.details) {
        html += element("h4", name(detail.title));
        html += htmlTable(detail.table, detail.title, Sorting::None);
    }
    return html;
}

} // namespace

Html comparedHtml(const std::vector<ComparedRuns>& compared)
{
    Html html;
    for (std::size_t i = 0; i < compared.size(); ++i)
        html += runsHtml(compared[i], "compared-" + std::to_string(i + 1));
    return html;
}

} // namespace headroom::report
