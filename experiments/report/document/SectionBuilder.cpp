// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/document/SectionBuilder.h"

#include "core/base/Wording.h"
#include "experiments/report/Breakdown.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/EngagementTables.h"
#include "experiments/report/ReplayText.h"
#include "experiments/report/TrialTable.h"
#include "experiments/report/document/TimelineBlocks.h"
#include "experiments/report/effects/EffectFigures.h"
#include "experiments/report/effects/EffectSentences.h"
#include "experiments/report/effects/EffectTables.h"

#include <algorithm>
#include <iterator>

namespace headroom::report {
namespace {

constexpr std::size_t kOpenGroups = 4; ///< the others are there to be opened: pages stay short
// Of a report that does not show all trials.
constexpr std::size_t kMostGroups = 100;
constexpr std::size_t kMostGrids = 4;
constexpr std::size_t kMostPlots = 3;

Paragraph note(const std::string& words)
{
    return {words, Paragraph::Look::Note};
}

void append(Blocks& blocks, Blocks more)
{
    std::ranges::move(more, std::back_inserter(blocks));
}

void addBullets(Blocks& blocks, const Bullets& bullets)
{
    if (!bullets.sentences.empty())
        blocks.push_back(bullets);
}

void addTitle(Blocks& blocks, const std::string& title)
{
    if (!title.empty())
        blocks.push_back(Heading{title});
}

Group groupBlock(const GroupVerdict& group)
{
    Group block{"group", {}};
    addTitle(block.blocks, group.title);
    addBullets(block.blocks, {group.sentences});
    return block;
}

Bullets effectSentences(const Effects& effects)
{
    Bullets bullets{.sentences = {}, .wording = Wording::Given};
    for (const Interaction* pair : notablePairs(effects))
        bullets.sentences.push_back(sentenceFor(*pair));
    for (const std::string& caution : cautionsOf(effects))
        bullets.sentences.push_back(caution);
    return bullets;
}

Blocks plotBlocks(const Effects& effects, const std::string& id)
{
    Group plots{"multiples", {}};
    for (figures::Figure& plot : interactionPlotsOf(effects, kMostPlots))
        plots.blocks.push_back(
            FigureBlock{std::move(plot), id + "-" + std::to_string(plots.blocks.size() + 1), FigureBlock::Size::Small});
    if (plots.blocks.empty())
        return {};
    return {
        std::move(plots), note("Lines that are not parallel: what the technique below does depends on the other one.")};
}

Blocks gridBlocks(const Effects& effects, const Comparison& comparison, const std::string& id)
{
    Blocks blocks;
    addTitle(blocks, effects.grid->group().title);
    addBullets(blocks, effectSentences(effects));
    blocks.push_back(FigureBlock{effectBarsOf(effects), id});
    append(blocks, plotBlocks(effects, id + "-pair"));
    if (auto steps = stepBarsOf(effects))
        blocks.push_back(FigureBlock{std::move(*steps), id + "-step"});
    blocks.push_back(TableBlock{marked(mainEffectTable(effects), comparison), "What each technique changes"});
    blocks.push_back(Folded{"Each pair of techniques, in figures",
        {TableBlock{marked(interactionTable(effects), comparison), "What two techniques change together"}}});
    return blocks;
}

Blocks runBlocks(const ComparedRuns& runs, const std::string& id)
{
    Blocks blocks{Heading{runs.title}};
    addBullets(blocks, {.sentences = runs.sentences, .wording = Wording::Given});
    if (runs.overTime) {
        blocks.push_back(FigureBlock{figures::comparisonFigure(*runs.overTime), id});
        blocks.push_back(FigureBlock{figures::differenceFigure(*runs.overTime), id + "-difference"});
    }
    for (const ComparedRuns::Detail& detail : runs.details) {
        blocks.push_back(Heading{detail.title, 4});
        blocks.push_back(TableBlock{detail.table, detail.title});
    }
    return blocks;
}

} // namespace

SectionBuilder::SectionBuilder(const ReportContent& content, const Comparison& comparison, const ReportBounds& bounds)
    : m_content(content)
    , m_comparison(comparison)
    , m_bounds(bounds)
    , m_rows(content, comparison, bounds.rows, bounds.rows)
    , m_drawn(content, comparison, kMostRows, kMostDrawn)
    , m_panels(panelsOf(m_drawn.content(), m_drawn.comparison()))
{
}

Blocks SectionBuilder::verdict() const
{
    const Verdict verdict = verdictOf(m_content, m_comparison);
    Blocks blocks{Paragraph{joined(verdict.lead, " "), Paragraph::Look::Lead}};
    addBullets(blocks, {verdict.across});
    append(blocks, groupBlocks(verdict.groups));
    addBullets(blocks, {verdict.cautions, Bullets::Look::Cautions});
    return blocks;
}

Blocks SectionBuilder::groupBlocks(const std::vector<GroupVerdict>& groups) const
{
    const std::size_t most = m_drawn.isWhole() ? groups.size() : std::min(kMostGroups, groups.size());
    Group shown{"groups", {}};
    Group rest{"groups", {}};
    for (std::size_t i = 0; i < most; ++i)
        (i < kOpenGroups || groups.size() == kOpenGroups + 1 ? shown : rest).blocks.push_back(groupBlock(groups[i]));
    Blocks blocks{std::move(shown)};
    if (!rest.blocks.empty())
        blocks.push_back(Folded{std::to_string(groups.size() - kOpenGroups) + " further cases", {std::move(rest)}});
    if (groups.size() > most)
        blocks.push_back(
            note("Those of the last " + grouped(std::ssize(groups) - std::int64_t(most)) + " cases are left out."));
    return blocks;
}

// What of the trials a part of the report shows; nothing where it shows all.
Blocks SectionBuilder::extentNote(const PageExcerpt& shown) const
{
    if (shown.isWhole())
        return {};
    return {note(grouped(std::ssize(shown.content().trials)) + " of " + grouped(std::ssize(m_content.trials))
        + " trials are shown here: those that no other one of their case beats, what they are compared with, and the "
          "first of the others. All of them are in "
        + (m_bounds.trialsFile.empty() ? "the report as CSV." : "`" + m_bounds.trialsFile + "`, beside this page."))};
}

Blocks SectionBuilder::panelBlocks(const std::string& id, const std::vector<const figures::Figure*>& figures) const
{
    Blocks blocks = extentNote(m_drawn);
    for (std::size_t i = 0; i < figures.size(); ++i) {
        if (figures[i] == nullptr)
            continue;
        addTitle(blocks, m_panels[i].title);
        blocks.push_back(FigureBlock{*figures[i], id + "-" + std::to_string(i + 1)});
    }
    return blocks;
}

Blocks SectionBuilder::tradeoff() const
{
    std::vector<const figures::Figure*> figures;
    for (const Panel& panel : m_panels)
        figures.push_back(&panel.tradeoff);
    return panelBlocks("tradeoff", figures);
}

Blocks SectionBuilder::peaks() const
{
    std::vector<const figures::Figure*> figures;
    for (const Panel& panel : m_panels)
        figures.push_back(&panel.peaks);
    return panelBlocks("peaks", figures);
}

Blocks SectionBuilder::categories() const
{
    std::vector<const figures::Figure*> figures;
    for (const Panel& panel : m_panels)
        figures.push_back(panel.categories ? &*panel.categories : nullptr);
    Blocks trees = treesWithoutTimeline(m_drawn.content(), m_drawn.comparison());
    if (trees.empty() && std::ranges::count(figures, nullptr) == std::ssize(figures))
        return {};
    Blocks blocks = panelBlocks("categories", figures);
    if (!trees.empty())
        blocks.push_back(Heading{"By module"});
    append(blocks, std::move(trees));
    blocks.push_back(Folded{"Bytes of each category, exactly",
        {TableBlock{marked(breakdownTable(m_drawn.content(), m_drawn.comparison()), m_drawn.comparison()),
            "What each peak consists of, in bytes"}}});
    return blocks;
}

Blocks SectionBuilder::timelines() const
{
    return timelineBlocks(m_content, m_comparison, m_bounds.timelines);
}

Blocks SectionBuilder::results() const
{
    Blocks blocks = extentNote(m_rows);
    if (!m_content.task.empty())
        blocks.push_back(Paragraph{m_content.task, Paragraph::Look::Task, Wording::Given});
    blocks.push_back(TableBlock{marked(trialTable(m_rows.content(), m_rows.comparison()), m_rows.comparison()),
        "Results of each trial", Sorting::Offered});
    blocks.push_back(
        note("Peaks are after warm-up. What was saved and the speed that was kept are against the trial of the same "
             "case without the techniques that vary."));
    return blocks;
}

Blocks SectionBuilder::effects() const
{
    const std::vector<EffectGrid> grids = crossedGrids(effectGrids(m_comparison));
    const EffectPeak peak = suitablePeak(grids);
    const std::size_t most = m_drawn.isWhole() ? grids.size() : std::min(kMostGrids, grids.size());
    Blocks blocks;
    for (std::size_t i = 0; i < most; ++i)
        append(blocks, gridBlocks(effectsOf(grids[i], peak), m_comparison, "effects-" + std::to_string(i + 1)));
    if (grids.size() > most)
        blocks.push_back(note("Those of the first " + grouped(std::int64_t(most)) + " of " + grouped(std::ssize(grids))
            + " cases; headroom effects says them of all."));
    if (!blocks.empty())
        blocks.push_back(note(effectNote(peak)));
    return blocks;
}

Blocks SectionBuilder::compared() const
{
    Blocks blocks;
    for (std::size_t i = 0; i < m_content.compared.size(); ++i)
        append(blocks, runBlocks(m_content.compared[i], "compared-" + std::to_string(i + 1)));
    return blocks;
}

Blocks SectionBuilder::differences() const
{
    Blocks blocks{TableBlock{differenceTable(m_rows.content()), "Settings that differ"}};
    if (ReportTable settings = settingTable(m_rows.content()); !settings.rows.empty()) {
        blocks.push_back(Heading{"What the settings came to"});
        blocks.push_back(TableBlock{std::move(settings), "What each setting came to"});
    }
    TermsBlock shared{sharedSettings(m_content)};
    const std::string summary = std::to_string(shared.terms.size()) + " settings that all trials share";
    blocks.push_back(Folded{summary, {std::move(shared)}});
    return blocks;
}

Blocks SectionBuilder::engagement() const
{
    Blocks blocks;
    for (EngagementTable& engagement : engagementTables(m_content, m_comparison)) {
        blocks.push_back(Heading{engagement.technique});
        blocks.push_back(TableBlock{
            marked(std::move(engagement.table), m_comparison), engagement.technique + ": counters per step"});
    }
    if (!blocks.empty())
        blocks.push_back(note("Counters of one step after warm-up, by setting. Two numbers are the least and the most "
                              "of the trials with that setting; the results as JSON have those of each trial."));
    return blocks;
}

// As many rows as of trials.
Blocks SectionBuilder::boundedTable(ReportTable table, const std::string& caption) const
{
    const std::size_t rows = table.rows.size();
    if (rows == 0)
        return {};
    table.rows.resize(std::min(rows, m_bounds.rows));
    Blocks blocks{TableBlock{std::move(table), caption}};
    if (rows > m_bounds.rows)
        blocks.push_back(note(
            "The first " + grouped(std::int64_t(m_bounds.rows)) + " of " + grouped(std::int64_t(rows)) + " rows."));
    return blocks;
}

Blocks SectionBuilder::endings() const
{
    return boundedTable(marked(endingTable(m_content, m_comparison), m_comparison), "Trials that did not complete");
}

Blocks SectionBuilder::flags() const
{
    return boundedTable(marked(flagTable(m_content, m_comparison), m_comparison), "Flags and their reasons");
}

Blocks SectionBuilder::remarks() const
{
    return boundedTable(remarkTable(m_content), "Remarks");
}

Blocks SectionBuilder::environment() const
{
    return boundedTable(environmentTable(m_content), "Where it ran");
}

Blocks SectionBuilder::replay() const
{
    Blocks blocks{Paragraph{"Started on " + m_content.startedAt + " by Headroom " + m_content.headroomVersion
        + (m_content.commandLine.empty() ? "." : " with this command:")}};
    if (!m_content.commandLine.empty())
        blocks.push_back(CodeBlock{m_content.commandLine, "sh", "command"});
    if (m_content.replay.match == ReplayMatch::Recorded) {
        blocks.push_back(note(replayNote(m_content)));
        return blocks;
    }
    const std::string file = specFileName(m_content);
    blocks.push_back(Paragraph{"To run it again, save the spec below as `" + file + "` and run"});
    blocks.push_back(CodeBlock{replayCommand(m_content), "sh", "command"});
    blocks.push_back(note(replayNote(m_content)));
    blocks.push_back(Heading{file});
    blocks.push_back(CodeBlock{m_content.replay.toml, "toml", "spec"});
    return blocks;
}

} // namespace headroom::report
