// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/PhasePeaks.h"

#include <gtest/gtest.h>

namespace headroom::trace {
namespace {

class PhasePeaksTest : public testing::Test {
protected:
    const std::vector<AllocatorEvent> m_events{{.timeNs = 5, .bytes = 100, .action = Action::Alloc},
        {.timeNs = 15, .bytes = 50, .action = Action::Alloc},
        {.timeNs = 18, .bytes = 50, .action = Action::FreeRequested},
        {.timeNs = 25, .bytes = 300, .action = Action::Alloc},
        {.timeNs = 28, .bytes = 350, .action = Action::FreeRequested},
        {.timeNs = 35, .bytes = 20, .action = Action::Alloc}};
    const std::vector<PhaseSpan> m_spans{{"load", -1, 0, 10}, {"forward", 0, 10, 20}, {"backward", 0, 20, 30},
        {"forward", 1, 30, 40}, {"step", 1, 30, 50}};
    const MemoryTimeline m_timeline{m_events};
};

TEST_F(PhasePeaksTest, eachSpanHasItsOwnPeakWithItsTime)
{
    const auto peaks = phasePeaks(m_timeline, m_spans);
    ASSERT_EQ(peaks.size(), m_spans.size());
    EXPECT_EQ(peaks[0].allocated, (Peak{100, 5}));
    EXPECT_EQ(peaks[1].allocated, (Peak{150, 15}));
    EXPECT_EQ(peaks[2].allocated, (Peak{400, 25}));
    EXPECT_EQ(peaks[3].allocated, (Peak{70, 35}));
    EXPECT_EQ(peaks[2].active, (Peak{450, 25}));
}

TEST_F(PhasePeaksTest, spansOfOneNameShareTheirLargestPeak)
{
    const auto peaks = phasePeaksByName(m_timeline, m_spans);
    EXPECT_EQ(peaks.at("forward").allocated, (Peak{150, 15}));
    EXPECT_EQ(peaks.at("forward").active, (Peak{470, 35}));
    EXPECT_EQ(peaks.size(), 4U);
}

TEST_F(PhasePeaksTest, theInnermostSpanNamesATime)
{
    EXPECT_EQ(phaseAt(m_spans, 35)->name, "forward");
    EXPECT_EQ(phaseAt(m_spans, 45)->name, "step");
    EXPECT_EQ(phaseAt(m_spans, 10)->name, "forward");
    EXPECT_EQ(phaseAt(m_spans, 50), nullptr);
}

} // namespace
} // namespace headroom::trace
