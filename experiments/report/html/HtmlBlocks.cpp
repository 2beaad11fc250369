// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlBlocks.h"

#include "experiments/figures/svg/SvgWriter.h"
#include "experiments/report/ReportFigures.h"
#include "experiments/report/html/HtmlTable.h"
#include "experiments/report/html/HtmlTree.h"

#include <optional>
#include <string>

namespace headroom::report {
namespace {

// Of the drawings of a page, in px: of a desk and of a phone.
constexpr double kWideDrawing = 1000;
constexpr double kNarrowDrawing = 344;
constexpr double kTrackHeight = 190;

Html worded(const std::string& said, Wording wording)
{
    return wording == Wording::Ours ? sentence(said) : name(said);
}

Html opened(const std::string& summary, const Html& content)
{
    Html html = element("summary", name(summary));
    html += content;
    return element("details", html);
}

struct DrawingExtent {
    double width = 0;
    std::optional<double> height{};
};

Html drawing(
    const figures::Figure& figure, const std::string& id, const std::string& classes, const DrawingExtent& extent)
{
    const figures::SvgStyle style{.width = extent.width,
        .styleSheet = figures::StyleSheet::OfThePage,
        .title = figures::TitleDisplay::Hidden,
        .idPrefix = id + "-" + classes,
        .height = extent.height};
    return element("div", {{"class", "drawing " + classes}}, {figures::toSvg(figure, style)});
}

Html figureDrawings(const FigureBlock& block)
{
    if (block.size == FigureBlock::Size::Small) {
        Html html = element("h4", name(block.figure.title));
        html += drawing(block.figure, block.id, "small", {kNarrowDrawing});
        return html;
    }
    const auto height = block.size == FigureBlock::Size::Track ? std::optional(kTrackHeight) : std::nullopt;
    Html html = drawing(block.figure, block.id, "wide", {kWideDrawing, height});
    html += drawing(block.narrow ? *block.narrow : block.figure, block.id, "narrow", {kNarrowDrawing, height});
    html += element("figcaption", text(block.figure.description));
    return html;
}

class BlockWriter {
public:
    Html operator()(const Paragraph& paragraph) const
    {
        static constexpr const char* kClasses[] = {"", "lead", "note", "task"};
        const std::string look = kClasses[static_cast<std::size_t>(paragraph.look)];
        return element(
            "p", look.empty() ? Attributes() : Attributes{{"class", look}}, worded(paragraph.text, paragraph.wording));
    }

    Html operator()(const Heading& heading) const
    {
        return element("h" + std::to_string(heading.level), name(heading.text));
    }

    Html operator()(const Bullets& bullets) const
    {
        Html items;
        for (const std::string& words : bullets.sentences)
            items += element("li", worded(words, bullets.wording));
        return element("ul", {{"class", bullets.look == Bullets::Look::Findings ? "findings" : "cautions"}}, items);
    }

    Html operator()(const TableBlock& block) const { return htmlTable(block.table, block.caption, block.sorting); }

    Html operator()(const FigureBlock& block) const
    {
        Html content = figureDrawings(block);
        content += opened(
            "The figure as a table", htmlTable(asReportTable(block.figure.table), block.figure.title, Sorting::None));
        return element("figure", {{"id", block.id}}, content);
    }

    Html operator()(const TreeBlock& block) const { return htmlTree(block.root, block.origin); }

    Html operator()(const CodeBlock& block) const
    {
        return element("div", {{"class", "copyable"}, {"data-name", block.name}},
            element("pre", element("code", text(block.source))));
    }

    Html operator()(const TermsBlock& block) const
    {
        Html terms;
        for (const Facet& facet : block.terms) {
            Html pair = element("dt", name(facet.key));
            pair += element("dd", name(facet.value));
            terms += element("div", pair);
        }
        return element("dl", {{"class", "settings"}}, terms);
    }

    Html operator()(const Folded& folded) const { return opened(folded.summary, htmlOf(folded.blocks)); }

    Html operator()(const Group& group) const { return element("div", {{"class", group.kind}}, htmlOf(group.blocks)); }
};

} // namespace

Html htmlOf(const Blocks& blocks)
{
    Html html;
    for (const Block& block : blocks)
        html += std::visit(BlockWriter(), static_cast<const AnyBlock&>(block));
    return html;
}

} // namespace headroom::report
