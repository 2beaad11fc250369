// SPDX-License-Identifier: Apache-2.0
//
// How long the state of an allocator's segments at any moment of a stored trace takes: prints a row of
// docs/measurements/recordings.md for the longest trace of a workspace (benchmark-recordings makes one).
//
//   benchmark-segments WORKSPACE
#include "profiling/store/traces/SegmentHistory.h"
#include "profiling/store/workspace/Workspace.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

namespace {

using namespace headroom;
using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

struct LongestTrack {
    std::int64_t repeat = 0;
    store::TrackRow row;
};

LongestTrack longestOf(store::Workspace& workspace)
{
    LongestTrack longest;
    for (const store::ExperimentRow& experiment : workspace.experiments())
        for (const store::TrialRow& trial : workspace.trials(experiment.id))
            for (const store::RepeatRow& repeat : workspace.repeats(trial.id))
                for (const store::TrackRow& track : workspace.trace().tracks(repeat.id))
                    if (track.events > longest.row.events)
                        longest = {repeat.id, track};
    return longest;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2)
        return 2;
    store::Workspace workspace = store::Workspace::open(argv[1], store::Access::ReadOnly);
    const LongestTrack longest = longestOf(workspace);
    const auto begin = Clock::now();
    const auto history = store::SegmentHistory::read(workspace.trace(), longest.repeat, longest.row.track, {});
    (void)history->at(history->eventsAtReservedPeak());
    const double first = millisecondsSince(begin);
    std::mt19937_64 random(1);
    std::vector<double> times;
    std::size_t blocks = 0;
    for (int i = 0; i < 400; ++i) {
        const auto moment = Clock::now();
        const trace::SegmentState state = history->at(random() % (history->events() + 1));
        times.push_back(millisecondsSince(moment));
        blocks = std::max(blocks, state.blocks.size());
    }
    std::ranges::sort(times);
    std::printf("%llu events, up to %zu blocks: the first state after %.1f ms, %.1f MiB in memory; a moment takes "
                "%.2f ms (median), %.2f ms (99 of 100), %.2f ms (longest of %zu)\n",
        static_cast<unsigned long long>(history->events()), blocks, first,
        static_cast<double>(history->keptBytes()) / 1048576.0, times[times.size() / 2], times[times.size() * 99 / 100],
        times.back(), times.size());
    return 0;
}
