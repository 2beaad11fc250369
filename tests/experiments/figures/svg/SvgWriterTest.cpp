// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/svg/SvgWriter.h"

#include "core/base/XmlWriter.h"
#include "experiments/figures/layout/FigureLayout.h"
#include "tests/experiments/figures/ExampleFigures.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <regex>

namespace headroom::figures {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

/// A folder for drawings that a strict XML parser reads.
class SvgWriterTest : public testing::Test {
protected:
    void save(const std::string& name, const std::string& svg) { m_folder.write(name, svg); }

    /// Of all files that were saved.
    void expectWellFormed()
    {
        const std::string command = std::string(PYTHON)
            + " -c 'import sys, xml.dom.minidom as d; [d.parse(f) for f in sys.argv[1:]]' " + m_folder.path().string()
            + "/*.svg";
        EXPECT_EQ(std::system(command.c_str()), 0);
    }

    const TemporaryFolder m_folder;
};

TradeoffInput hostile()
{
    TradeoffInput input = fourPolicies();
    const std::string text("</text><script>alert(\"x\")</script>&\0\x1b\xff\xC0\xAF ]]> '\u202e", 49);
    input.title = text;
    input.budget->label = text;
    for (TradeoffTrial& trial : input.trials) {
        trial.id = text;
        trial.label = text;
        trial.group = text;
        trial.details = {text};
    }
    input.trials.push_back(outOfMemory(text, text));
    return input;
}

TEST_F(SvgWriterTest, drawingsAreWellFormed)
{
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        save(std::to_string(seed) + ".svg", toSvg(tradeoffFigure(randomTradeoff(seed))));
    save("timeline.svg", toSvg(timelineFigure(oneStep())));
    save("stack.svg", toSvg(timelineFigure(ownedStep())));
    save("bars.svg", toSvg(peakBarsFigure(threeBars())));
    save("categories.svg", toSvg(categoryBarsFigure(twoPeaks())));
    save("empty.svg", toSvg(timelineFigure({})));
    save("hostile.svg", toSvg(tradeoffFigure(hostile())));
    expectWellFormed();
}

TEST_F(SvgWriterTest, textsAreNeverMarkup)
{
    SvgStyle style;
    style.idPrefix = "\"><script>";
    for (const double width : {360.0, 720.0}) {
        style.width = width;
        const std::string svg = toSvg(tradeoffFigure(hostile()), style);
        EXPECT_THAT(svg, Not(HasSubstr("<script")));
        EXPECT_EQ(svg.find('\0'), std::string::npos);
        EXPECT_THAT(svg, Not(HasSubstr("\u202e<")));
        EXPECT_THAT(svg, HasSubstr("&lt;script&gt;"));
    }
}

TEST_F(SvgWriterTest, theSameFigureGivesTheSameBytes)
{
    EXPECT_EQ(toSvg(tradeoffFigure(randomTradeoff(9))), toSvg(tradeoffFigure(randomTradeoff(9))));
}

TEST_F(SvgWriterTest, nothingIsLoadedAndNothingRuns)
{
    for (const Figure& figure : {tradeoffFigure(fourPolicies()), peakBarsFigure(threeBars())}) {
        std::string svg = toSvg(figure);
        EXPECT_EQ(count(svg, "http"), 1U); // the name space
        for (const char* part : {"<script", "href", "@import", "onload", "<image", "<foreignObject"})
            EXPECT_THAT(svg, Not(HasSubstr(part)));
    }
}

TEST_F(SvgWriterTest, eachTrialCanBeReachedAndNamesItself)
{
    TradeoffInput input = fourPolicies();
    input.trials.push_back(outOfMemory("every:3", "in backward"));
    const std::string svg = toSvg(tradeoffFigure(input));
    EXPECT_EQ(count(svg, "tabindex=\"0\""), 5U);
    EXPECT_THAT(svg, HasSubstr("data-trial=\"id every:4\""));
    EXPECT_THAT(svg, HasSubstr("<title>every:4&#10;22.2 GiB peak reserved"));
    EXPECT_THAT(svg, HasSubstr("class=\"mark predicted s0\""));
}

TEST_F(SvgWriterTest, theDrawingHasATitleAndADescription)
{
    SvgStyle style;
    style.idPrefix = "one";
    const std::string svg = toSvg(tradeoffFigure(fourPolicies()), style);
    EXPECT_THAT(svg, HasSubstr("role=\"img\" aria-labelledby=\"f-one-title f-one-desc\""));
    EXPECT_THAT(svg, HasSubstr("<title id=\"f-one-title\">Peak memory against speed</title>"));
    EXPECT_THAT(svg, HasSubstr("<desc id=\"f-one-desc\">Peak reserved against speed in steps/s"));
}

TEST_F(SvgWriterTest, aDrawingOfThePageHasNoStyleOfItsOwn)
{
    SvgStyle style;
    EXPECT_THAT(toSvg(tradeoffFigure(fourPolicies()), style), HasSubstr("prefers-color-scheme:dark"));
    style.styleSheet = StyleSheet::OfThePage;
    EXPECT_THAT(toSvg(tradeoffFigure(fourPolicies()), style), Not(HasSubstr("<style")));
    EXPECT_THAT(pageStyleSheet(), HasSubstr("var(--hr-ink)"));
    EXPECT_THAT(pageStyleSheet(), HasSubstr(":root[data-theme=\"dark\"]"));
}

TEST_F(SvgWriterTest, theTitleCanBeLeftToThePage)
{
    SvgStyle style;
    EXPECT_EQ(count(toSvg(tradeoffFigure(fourPolicies()), style), "class=\"title\""), 1U);
    style.title = TitleDisplay::Hidden;
    EXPECT_EQ(count(toSvg(tradeoffFigure(fourPolicies()), style), "class=\"title\""), 0U);
}

TEST_F(SvgWriterTest, texturesOfTwoDrawingsDoNotMix)
{
    EXPECT_THAT(toSvg(timelineFigure(ownedStep()), {.idPrefix = "a"}), HasSubstr("url(#f-a-texture-9)"));
}

TEST_F(SvgWriterTest, drawingsOfAPageShareItsPatterns)
{
    const std::string svg = toSvg(timelineFigure(ownedStep()), {.styleSheet = StyleSheet::OfThePage});
    EXPECT_EQ(count(svg, "<pattern"), 0U);
    EXPECT_THAT(svg, HasSubstr("url(#hr-texture-9)"));
    EXPECT_EQ(count(pagePatterns(), "id=\"hr-texture-9\""), 1U);
}

TEST_F(SvgWriterTest, predictedBarsHaveNoTextureThatShimmers)
{
    const std::string svg = toSvg(peakBarsFigure(threeBars()));
    EXPECT_EQ(count(svg, "<pattern"), 0U);
    EXPECT_THAT(svg, HasSubstr(".headroom-figure .predicted.s0 .bar{fill-opacity:0.3;"));
    EXPECT_THAT(svg, HasSubstr(".headroom-figure .predicted .bar{stroke-width:1.25px;stroke-dasharray:4 2.5}"));
}

TEST_F(SvgWriterTest, curvesCountFromThePointBefore)
{
    const std::string svg = toSvg(timelineFigure(oneStep()), {.styleSheet = StyleSheet::OfThePage});
    EXPECT_TRUE(std::regex_search(svg, std::regex("class=\"counter\" d=\"M[0-9.]+ [0-9.]+(h-?[0-9.]+|v-?[0-9.]+)+\"")));
    EXPECT_FALSE(std::regex_search(svg, std::regex("class=\"counter\" d=\"[^\"]*\\.[1-46-9]")))
        << "finer than half a pixel";
}

TEST_F(SvgWriterTest, anEmptyFigureSaysSo)
{
    EXPECT_THAT(toSvg(tradeoffFigure({})), HasSubstr(">No trials yet: nothing to compare.</text>"));
}

TEST_F(SvgWriterTest, layersAreDrawnFromTheTopDownEachWithItsTexture)
{
    const std::string svg = toSvg(timelineFigure(ownedStep()));
    EXPECT_EQ(count(svg, "data-layer="), 3U);
    EXPECT_LT(svg.find("data-layer=\"Temporaries\""), svg.find("data-layer=\"Saved activations\""));
    EXPECT_LT(svg.find("data-layer=\"Saved activations\""), svg.find("data-layer=\"Weights\""));
    EXPECT_THAT(svg, HasSubstr("class=\"layer\" fill=\"url(#f-figure-texture-9)\""));
    EXPECT_THAT(svg, HasSubstr("class=\"layer ground\""));
    EXPECT_THAT(svg, HasSubstr("class=\"faded\""));
    EXPECT_THAT(svg, HasSubstr(">Saved activations</text>"));
    EXPECT_THAT(toSvg(timelineFigure(oneStep())), Not(HasSubstr("class=\"faded\"")));
}

TEST_F(SvgWriterTest, aDrawingFillsTheHeightThatItIsGiven)
{
    const Figure figure = timelineFigure(oneStep());
    const double height = layOut(figure, Room{900, 300}, TitleLines::Shown).height;
    EXPECT_NEAR(height, 300, 1);
    EXPECT_THAT(toSvg(figure, {.width = 900, .height = 300}), HasSubstr("height=\"" + pixels(height) + "\""));
}

} // namespace
} // namespace headroom::figures
