// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/PhaseLedger.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace headroom::collectors {
namespace {

/// A device whose memory the test sets by hand.
class HandDrivenInstruments final : public Instruments {
public:
    void hold(Bytes bytes)
    {
        m_bytes = bytes;
        m_peak = std::max(m_peak, bytes);
    }
    void pass(std::int64_t nanoseconds) { m_now += nanoseconds; }
    void fillResident(Bytes bytes) { m_resident = bytes; }
    void pin(Bytes bytes) { m_pinned = std::max(m_pinned, bytes); }

    std::chrono::nanoseconds now() override { return std::chrono::nanoseconds(m_now); }
    void synchronise() override { }
    protocol::MemoryFigures current() override { return {m_bytes, {}, {}, {}, {}, {}, {}}; }
    protocol::MemoryFigures peak() override { return {m_peak, {}, {}, {}, {}, {}, {}}; }
    void resetPeak() override { m_peak = m_bytes; }
    std::optional<Bytes> residentPeak() override { return m_resident; }
    void restartResidentPeak() override { ++residentRestarts; }
    std::optional<Bytes> pinnedPeak() override
    {
        ++pinnedQueries;
        return m_pinned;
    }
    void restartPinnedPeak() override { m_pinned = 0; }
    void emptyCache() override { }
    std::optional<std::int64_t> allocRetries() override { return {}; }
    std::optional<Bytes> limit() override { return {}; }
    void observeAllocations(TraceObserver) override { }
    void phaseBegins(const std::string& phase, std::int64_t) override { phases.push_back(phase); }

    std::vector<std::string> phases;
    int residentRestarts = 0;
    int pinnedQueries = 0;

private:
    Bytes m_bytes = 0;
    Bytes m_peak = 0;
    std::int64_t m_now = 0;
    std::optional<Bytes> m_resident;
    Bytes m_pinned = 0;
};

class PhaseLedgerTest : public testing::Test {
protected:
    void phase(const std::string& name, Bytes peak, Bytes after)
    {
        const training::PhaseScope scope(ledger, name, 0);
        device.hold(peak);
        device.hold(after);
    }

    HandDrivenInstruments device;
    PhaseLedger ledger{device};
};

TEST_F(PhaseLedgerTest, everyPhaseHasItsOwnPeak)
{
    ledger.beginSpan();
    phase("forward", 100, 70);
    phase("backward", 90, 20);
    phase("optimizer", 30, 20);
    const auto& peaks = ledger.phasePeaks();
    EXPECT_EQ(peaks.at("forward").allocated, 100);
    EXPECT_EQ(peaks.at("backward").allocated, 90);
    EXPECT_EQ(peaks.at("optimizer").allocated, 30);
    EXPECT_EQ(ledger.spanPeak().allocated, 100);
}

TEST_F(PhaseLedgerTest, whatAPhaseFindsAliveCountsForIt)
{
    ledger.beginSpan();
    phase("forward", 100, 70);
    phase("backward", 10, 10);
    EXPECT_EQ(ledger.phasePeaks().at("backward").allocated, 70);
}

TEST_F(PhaseLedgerTest, aRepeatedPhaseKeepsItsHighestPeak)
{
    ledger.beginSpan();
    for (const Bytes peak : {40, 60, 50})
        phase("forward", peak, 0);
    EXPECT_EQ(ledger.phasePeaks().at("forward").allocated, 60);
}

TEST_F(PhaseLedgerTest, anInnerPhaseDoesNotHideWhatTheOuterOneNeeds)
{
    ledger.beginSpan();
    {
        const training::PhaseScope outer(ledger, "baseline", 0);
        device.hold(50);
        phase("forward", 80, 10);
        EXPECT_EQ(ledger.currentPhase(), "baseline");
        device.hold(60);
        device.hold(0);
    }
    EXPECT_EQ(ledger.phasePeaks().at("forward").allocated, 80);
    EXPECT_EQ(ledger.phasePeaks().at("baseline").allocated, 60);
    EXPECT_EQ(ledger.spanPeak().allocated, 80);
}

TEST_F(PhaseLedgerTest, aNewSpanForgetsTheOldPeaksButTheRunDoesNot)
{
    ledger.beginSpan();
    phase("forward", 100, 20);
    ledger.beginSpan();
    phase("forward", 60, 20);
    EXPECT_EQ(ledger.spanPeak().allocated, 60);
    EXPECT_EQ(ledger.phasePeaks().at("forward").allocated, 60);
    EXPECT_EQ(ledger.wholeRunPeak().allocated, 100);
}

TEST_F(PhaseLedgerTest, whatHappensBetweenPhasesBelongsToTheSpan)
{
    ledger.beginSpan();
    phase("forward", 10, 0);
    device.hold(70);
    device.hold(0);
    phase("backward", 10, 0);
    EXPECT_EQ(ledger.spanPeak().allocated, 70);
    EXPECT_EQ(ledger.phasePeaks().at("backward").allocated, 10);
}

TEST_F(PhaseLedgerTest, residentMemoryIsReadAtTheBordersOfSpans)
{
    ledger.beginSpan();
    EXPECT_EQ(device.residentRestarts, 1);
    device.fillResident(500);
    EXPECT_EQ(ledger.spanPeak().hostRss, 500);
    ledger.beginSpan();
    device.fillResident(300);
    EXPECT_EQ(ledger.spanPeak().hostRss, 300);
    EXPECT_EQ(ledger.wholeRunPeak().hostRss, 500);
}

TEST_F(PhaseLedgerTest, pinnedMemoryIsReadAtTheBordersOfSpansOnly)
{
    ledger.beginSpan();
    const int queries = device.pinnedQueries;
    device.pin(500);
    phase("forward", 10, 0);
    phase("backward", 10, 0);
    EXPECT_EQ(device.pinnedQueries, queries);
    EXPECT_EQ(ledger.phasePeaks().at("forward").hostPinned, std::nullopt);
    EXPECT_EQ(ledger.spanPeak().hostPinned, 500);
    ledger.beginSpan();
    device.pin(300);
    EXPECT_EQ(ledger.spanPeak().hostPinned, 300);
    EXPECT_EQ(ledger.wholeRunPeak().hostPinned, 500);
}

TEST_F(PhaseLedgerTest, thePhaseInWhichAnExceptionWasThrownIsRemembered)
{
    EXPECT_EQ(ledger.currentPhase(), "load");
    try {
        const training::PhaseScope outer(ledger, "step", 0);
        const training::PhaseScope inner(ledger, "backward", 0);
        EXPECT_EQ(ledger.currentPhase(), "backward");
        device.hold(40);
        throw std::runtime_error("out of memory");
    } catch (const std::runtime_error&) {
        device.hold(0);
    }
    EXPECT_EQ(ledger.currentPhase(), "backward") << "the innermost one";
    EXPECT_EQ(ledger.wholeRunPeak().allocated, 40);
}

TEST_F(PhaseLedgerTest, tellsInstrumentsAndListenersWithTimes)
{
    std::vector<std::string> begun;
    std::vector<trace::PhaseSpan> spans;
    ledger.setPhaseListener(
        [&](const std::string& name, std::int64_t step) { begun.push_back(name + " " + std::to_string(step)); });
    ledger.setSpanListener([&](const trace::PhaseSpan& span) { spans.push_back(span); });
    device.pass(5);
    {
        const training::PhaseScope outer(ledger, "step", 3);
        device.pass(10);
        const training::PhaseScope inner(ledger, "forward", 3);
        device.pass(20);
    }
    EXPECT_EQ(begun, (std::vector<std::string>{"step 3", "forward 3"}));
    EXPECT_EQ(device.phases, (std::vector<std::string>{"step", "forward"}));
    EXPECT_EQ(spans, (std::vector<trace::PhaseSpan>{{"forward", 3, 15, 35}, {"step", 3, 5, 35}}));
}

} // namespace
} // namespace headroom::collectors
