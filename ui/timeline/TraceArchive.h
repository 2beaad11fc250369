// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/reading/TracedRepeat.h"
#include "experiments/report/reading/WitnessTracks.h"
#include "profiling/store/workspace/Workspace.h"
#include "ui/timeline/TimelineWindow.h"

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::ui {

/// Reads timelines through its own connection, which it keeps open. It is created, used and destroyed on one background
/// thread. Throws the store's errors.
class TraceArchive {
public:
    TimelineWindowPtr window(const TimelineRequest& request);
    /// nullopt if there is no trace, or if a stop was requested.
    std::optional<TimelineSummary> summary(const TimelineRequest& request, const std::stop_token& stop);
    std::vector<CursorValues> valuesAt(const TimelineRequest& request, std::int64_t timeNs);
    std::vector<RangeValues> range(
        const TimelineRequest& request, const figures::TimeWindow& range, const std::stop_token& stop);

private:
    struct Track {
        std::string name;
        figures::MemoryPeak peak;
        figures::MemoryPeak largest;
        figures::MemoryPeak reservedPeak;
        std::optional<trace::CategoryBytes> peakCategories;
    };
    struct Repeat {
        report::TracedRepeat traced;
        std::shared_ptr<const std::vector<trace::PhaseSpan>> phases;
        std::vector<Track> tracks;
        std::vector<report::WitnessTrack> witnesses;
        protocol::RepeatMemory record;
    };
    struct Trial {
        TimelineSubject subject;
        std::string missing;
        config::Provenance provenance = config::Provenance::Measured;
        std::string environmentJson; ///< of its repeats; empty: not known
        std::vector<TracedRepeatName> repeats;
        std::map<std::int64_t, Repeat> read; ///< by id
    };

    void openFile(const std::string& path);
    Trial& trialOf(const TimelineSubject& subject);
    Trial readTrial(const TimelineSubject& subject);
    /// Null if the trial has no trace.
    Repeat* repeatOf(Trial& trial, std::int64_t repeat);
    Repeat readRepeat(std::int64_t repeat);
    Track readTrack(const report::TracedRepeat& traced, const std::string& name);
    PeakContents contents(const Repeat& repeat, const trace::LiveMemory& memory) const;
    /// `stored` are the phases in the trace's clock.
    PeakTreesPtr trees(const Repeat& repeat, const std::vector<trace::PhaseSpan>& stored, const std::stop_token& stop);
    figures::MemorySeries allocatedSeries(const Repeat& repeat, const Track& track, const figures::TimeWindow& window,
        const std::vector<trace::CategoryBucket>& categories, std::size_t bins);
    LaneWindow witnessLane(const TimelineRequest& request, const Repeat& repeat, const report::WitnessTrack& track,
        const figures::TimeWindow& window);
    LaneWindow lane(const TimelineRequest& request, const Trial& trial, const Repeat& repeat, const Track& track,
        const figures::TimeWindow& window);

    std::string m_path;
    store::FileId m_file; ///< identifies which file of that name is open
    std::optional<store::Workspace> m_workspace;
    std::vector<std::unique_ptr<Trial>> m_trials; ///< the most recently used first; only a few
};

} // namespace headroom::ui
