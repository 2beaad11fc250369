// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlEffects.h"

#include "core/base/Wording.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/effects/EffectFigures.h"
#include "experiments/report/effects/EffectSentences.h"
#include "experiments/report/effects/EffectTables.h"
#include "experiments/report/html/HtmlFigure.h"
#include "experiments/report/html/HtmlTable.h"

#include <algorithm>

namespace headroom::report {
namespace {

constexpr std::size_t kMostPlots = 3;

Html effectSentences(const Effects& effects)
{
    Html items;
    for (const Interaction* of : notablePairs(effects))
        items += element("li", text(sentenceFor(*of)));
    for (const std::string& caution : cautionsOf(effects))
        items += element("li", text(caution));
    return items.empty() ? Html() : element("ul", {{"class", "findings"}}, items);
}

Html plotsHtml(const Effects& effects, const std::string& id)
{
    Html plots;
    std::size_t number = 0;
    for (const figures::Figure& plot : interactionPlotsOf(effects, kMostPlots))
        plots += htmlSmallFigure(plot, id + "-" + std::to_string(++number));
    if (plots.empty())
        return plots;
    Html html = element("div", {{"class", "multiples"}}, plots);
    html += element("p", {{"class", "note"}},
        text("Lines that are not parallel: what the technique below does depends on the other one."));
    return html;
}

Html gridHtml(const Effects& effects, const Comparison& comparison, const std::string& id)
{
    Html html;
    if (const std::string& title = effects.grid->group().title; !title.empty())
        html += element("h3", name(title));
    html += effectSentences(effects);
    html += htmlFigure(effectBarsOf(effects), id);
    html += plotsHtml(effects, id + "-pair");
    if (const auto steps = stepBarsOf(effects))
        html += htmlFigure(*steps, id + "-step");
    html += htmlTable(marked(mainEffectTable(effects), comparison), "What each technique changes", Sorting::None);
    html += opened("Each pair of techniques, in figures",
        htmlTable(marked(interactionTable(effects), comparison), "What two techniques change together", Sorting::None));
    return html;
}

} // namespace

Html effectsHtml(const Comparison& comparison, std::size_t mostGrids)
{
    const std::vector<EffectGrid> grids = crossedGrids(effectGrids(comparison));
    const EffectPeak peak = suitablePeak(grids);
    Html html;
    for (std::size_t i = 0; i < std::min(mostGrids, grids.size()); ++i)
        html += gridHtml(effectsOf(grids[i], peak), comparison, "effects-" + std::to_string(i + 1));
    if (grids.size() > mostGrids)
        html += element("p", {{"class", "note"}},
            text("Those of the first " + grouped(std::int64_t(mostGrids)) + " of " + grouped(std::ssize(grids))
                + " cases; headroom effects says them of all."));
    if (!html.empty())
        html += element("p", {{"class", "note"}}, text(effectNote(peak)));
    return html;
}

} // namespace headroom::report
