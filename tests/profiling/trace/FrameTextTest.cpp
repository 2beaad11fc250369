// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/FrameText.h"

#include <gtest/gtest.h>

namespace headroom::trace::frame_text_test {
namespace {

TEST(FrameTextTest, theProgramsOwnFrameSaysMost)
{
    EXPECT_EQ(innermostFrame("train.py:31 main\nmodel.py:7 forward\ntorch/nn/functional.py:99 linear\nat::linear"),
        "model.py:7 forward");
    EXPECT_EQ(innermostFrame("torch/nn/functional.py:99 linear\nat::linear"), "torch/nn/functional.py:99 linear");
    EXPECT_EQ(innermostFrame("outer()\nat::linear"), "at::linear");
    EXPECT_EQ(innermostFrame(""), "");
}

TEST(FrameTextTest, whatFitsStaysWhole)
{
    EXPECT_EQ(shortFrame("train.py:31 main", 16), "train.py:31 main");
}

TEST(FrameTextTest, aLongPathIsCutAtItsLeftBetweenFolders)
{
    EXPECT_EQ(shortFrame("/opt/conda/lib/python3.11/site-packages/torch/nn/modules/module.py:1369 to", 36),
        "…/torch/nn/modules/module.py:1369 to");
    EXPECT_EQ(shortFrame("a_very_long_name_of_a_file_without_any_folder.py:12 run", 24), "…ut_any_folder.py:12 run");
}

TEST(FrameTextTest, aLongFunctionIsCutAtItsRight)
{
    EXPECT_EQ(shortFrame("at::native::empty_strided_cuda(c10::ArrayRef<long>)", 20), "at::native::empty_s…");
    EXPECT_EQ(shortFrame("/src/model.py:12 a_function_with_a_long_name", 24), "…model.py:12 a_function…");
}

TEST(FrameTextTest, neverLongerThanAskedForAndNeverWithinALetter)
{
    const std::string frame = "/größe/modül/ünïcode/datei.py:7 fünktion_mit_vielen_zeichen_ä";
    for (std::size_t letters = 8; letters < 70; ++letters) {
        const std::string text = shortFrame(frame, letters);
        std::size_t count = 0;
        for (const char c : text)
            count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
        EXPECT_LE(count, letters) << text;
        EXPECT_NE(static_cast<unsigned char>(text.front()) & 0xC0U, 0x80U);
    }
}

} // namespace
} // namespace headroom::trace::frame_text_test
