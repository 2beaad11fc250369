// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/report/reading/BusyTime.h"
#include "experiments/report/reading/TracedRepeat.h"
#include "profiling/trace/DriverMemory.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// Bytes over time as one witness beside the allocator tells them.
struct WitnessCurve {
    std::string name; ///< "resident"
    std::vector<trace::BytesPoint> points; ///< by time, since the start of the trace

    /// At a time; 0 before the first point.
    Bytes at(std::int64_t timeNs) const;
};

/// What host, device or driver told over time: curves of memory, or how busy something was.
struct WitnessTrack {
    std::string name; ///< "host", "device (NVML)", "driver (CUPTI)", "kernels", "copies"
    bool isSampled = false; ///< told at some moments only: shorter peaks are missed
    std::vector<std::string> notes; ///< what a reader has to know of it
    std::vector<WitnessCurve> curves;
    BusyTime busy; ///< of a track without curves
    std::optional<store::Work> work; ///< what was busy
    std::int64_t originNs = 0; ///< the start of the trace, as stored
    std::int64_t repeat = 0; ///< store::RepeatRow::id
};

/// "host (sampled)"
std::string titleOf(const WitnessTrack& track);

/// The tracks of a repeat, of which only those exist that something was recorded for. Does not read kernels and copies,
/// of which there may be millions, one by one (but of traces from before version 4 of the workspace).
std::vector<WitnessTrack> readWitnessTracks(const store::Workspace& workspace, const TracedRepeat& traced);

/// A track over a window of the trace, in at most about `bins` bins.
struct WitnessView {
    std::string title;
    std::string trialId;
    figures::TimeWindow window;
    std::int64_t endNs = 0; ///< of the trace
    std::size_t bins = 720;
};
/// Reads the kernels or copies of the window where it is so short that they tell more than the track does.
figures::Figure witnessFigure(const store::Workspace& workspace, const WitnessTrack& track, const WitnessView& view);

} // namespace headroom::report
