// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/SheetLayout.h"

#include "experiments/figures/svg/SvgWriter.h"
#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

namespace headroom::figures {
namespace {

using testing::HasSubstr;
using testing::Not;

Sheet exampleSheet()
{
    const SheetTable table{"At the peak",
        {{"what", "before (GiB)", "now (GiB)"},
            {{"everything", "13.5", "4.67"}, {"  transformer_blocks", "13.3", "4.5"}, {"head <1>", "0.2", "-"}}}};
    return {{std::string("baseline peaks 8.87 GiB above checkpointing all."), tradeoffFigure(fourPolicies()), table,
                timelineFigure(ownedStep())},
        "ltx-tradeoff: ltx-video-2b on sim:h100-80gb; predicted, not measured"};
}

const SheetText* find(const SheetLayout& layout, const std::string& text)
{
    const auto found =
        std::ranges::find_if(layout.texts, [&](const SheetText& placed) { return placed.text.text == text; });
    return found == layout.texts.end() ? nullptr : &*found;
}

TEST(SheetLayoutTest, partsStandBelowEachOtherAndTheCaptionBelowAll)
{
    const Sheet sheet = exampleSheet();
    const SheetLayout layout = layOut(sheet, 720);
    ASSERT_EQ(layout.figures.size(), 2u);
    const SheetText* sentence = find(layout, std::get<std::string>(sheet.parts[0]));
    const SheetText* header = find(layout, "before (GiB)");
    const SheetText* caption = find(layout, sheet.caption);
    ASSERT_TRUE(sentence && header && caption);
    EXPECT_LT(sentence->text.y, layout.figures[0].y);
    EXPECT_GT(header->text.y, layout.figures[0].y + layout.figures[0].layout.height);
    EXPECT_GT(layout.figures[1].y, find(layout, "head <1>")->text.y);
    EXPECT_GT(caption->text.y, layout.figures[1].y + layout.figures[1].layout.height);
    EXPECT_LT(caption->text.y, layout.height);
    EXPECT_EQ(caption->words, SheetWords::Muted);
}

TEST(SheetLayoutTest, numbersEndAtOneEdgeAndRowsOfATreeAreIndented)
{
    const SheetLayout layout = layOut(exampleSheet(), 720);
    EXPECT_EQ(find(layout, "13.5")->text.anchor, TextAnchor::End);
    EXPECT_EQ(find(layout, "13.5")->text.x, find(layout, "13.3")->text.x);
    EXPECT_EQ(find(layout, "13.5")->text.x, find(layout, "before (GiB)")->text.x);
    EXPECT_GT(find(layout, "transformer_blocks")->text.x, find(layout, "everything")->text.x);
}

TEST(SheetLayoutTest, aWideTableMakesTheSheetWideAndNothingStandsOutside)
{
    SheetTable table{"", {{}, {{}}}};
    for (int i = 0; i < 14; ++i) {
        table.table.header.push_back("a column with a long name " + std::to_string(i));
        table.table.rows.front().push_back(std::string(90, 'x'));
    }
    const SheetLayout layout = layOut({{table}, std::string(400, 'c')}, 720);
    EXPECT_GT(layout.width, 720);
    for (const SheetText& text : layout.texts) {
        const Box box = text.text.box();
        EXPECT_GE(box.x, 0) << text.text.text;
        EXPECT_LE(box.right(), layout.width) << text.text.text;
    }
}

TEST(SheetLayoutTest, withoutACaptionThereIsNoLineForOne)
{
    Sheet sheet = exampleSheet();
    const double with = layOut(sheet, 720).height;
    sheet.caption.clear();
    EXPECT_LT(layOut(sheet, 720).height, with - kLinePx);
}

TEST(SheetWriterTest, theDrawingHoldsPartsAndCaptionAndStandsByItself)
{
    const Sheet sheet = exampleSheet();
    const std::string svg = toSvg(sheet, 720);
    EXPECT_THAT(svg, HasSubstr(">" + sheet.caption + "</text>"));
    EXPECT_THAT(svg, HasSubstr(">head &lt;1&gt;</text>"));
    EXPECT_THAT(svg, HasSubstr("class=\"headroom-figure tradeoff\""));
    EXPECT_THAT(svg, HasSubstr("class=\"headroom-figure timeline\""));
    EXPECT_THAT(svg, Not(HasSubstr("var(--"))) << "colours are written out";
    EXPECT_FALSE(std::regex_search(svg, std::regex("(href|src)="))) << "nothing is loaded";
    const std::regex reference("url\\(#([^)]*)\\)");
    for (auto it = std::sregex_iterator(svg.begin(), svg.end(), reference); it != std::sregex_iterator(); ++it)
        EXPECT_THAT(svg, HasSubstr("id=\"" + it->str(1) + "\""));
}

} // namespace
} // namespace headroom::figures
