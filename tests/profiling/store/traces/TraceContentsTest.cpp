// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/TraceContents.h"

#include "tests/profiling/store/StoreTest.h"
#include "tests/profiling/trace/peaks/OwnedTrace.h"

namespace headroom::store {
namespace {

class TraceContentsTest : public StoreTest {
protected:
    std::int64_t add(Workspace& workspace, const trace::OwnedTrace& trace)
    {
        RepeatImport source = repeatOf(addTrial(workspace), 0);
        source.tracks.push_back({"device", trace.events, {}});
        source.owners.assign(trace.owners.all().begin(), trace.owners.all().end());
        return workspace.importRepeat(source).repeat;
    }
};

TEST_F(TraceContentsTest, theFirstPeakConsistsOfWhatIsAliveThen)
{
    const trace::OwnedTrace trace = trace::randomOwnedTrace(80'000, 3);
    Workspace workspace = create();
    const TrackCounter of{add(workspace, trace), "device"};
    const trace::Peak peak =
        findPeak(workspace.trace(), of, trace.events.front().timeNs, trace.events.back().timeNs + 1);
    trace::LiveHoldings live({}, trace.phases);
    std::size_t i = 0;
    while (live.counters().allocated != peak.bytes)
        live.apply(trace.events.at(i++));
    for (; i < trace.events.size() && trace.events[i].action == trace::Action::Relabelled; ++i)
        live.apply(trace.events[i]); // what becomes known right after it
    const auto found = findHoldings(workspace.trace(), of, peak, trace.phases, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->parts, live.holdings().parts);
    EXPECT_EQ(found->counters.allocated, peak.bytes);
    EXPECT_EQ(found->timeNs, peak.timeNs);
}

TEST_F(TraceContentsTest, anInstantIsAfterAllEventsOfIt)
{
    const trace::OwnedTrace trace = trace::randomOwnedTrace(80'000, 4);
    Workspace workspace = create();
    const TrackCounter of{add(workspace, trace), "device"};
    for (const std::size_t place : {std::size_t{0}, std::size_t{40'000}, trace.events.size() - 1}) {
        const std::int64_t timeNs = trace.events[place].timeNs;
        trace::LiveHoldings live({}, trace.phases);
        for (const trace::AllocatorEvent& event : trace.events)
            if (event.timeNs <= timeNs)
                live.apply(event);
        EXPECT_EQ(findHoldingsAt(workspace.trace(), of, timeNs, trace.phases, {})->parts, live.holdings().parts);
    }
}

TEST_F(TraceContentsTest, endsWhereItIsAskedToStop)
{
    Workspace workspace = create();
    std::stop_source stop;
    stop.request_stop();
    const TrackCounter of{1, "device"};
    EXPECT_FALSE(findHoldings(workspace.trace(), of, {}, {}, stop.get_token()));
    EXPECT_FALSE(findFragmentationAt(workspace.trace(), of, 0, stop.get_token()));
}

TEST_F(TraceContentsTest, aTrackThatIsNotThereHoldsNothing)
{
    Workspace workspace = create();
    const TrackCounter of{1, "device"};
    EXPECT_TRUE(findHoldingsAt(workspace.trace(), of, 0, {}, {})->parts.empty());
    EXPECT_EQ(findFragmentationAt(workspace.trace(), of, 0, {})->reservedBytes, 0);
}

} // namespace
} // namespace headroom::store
