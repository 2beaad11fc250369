// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/WitnessTracks.h"

#include "profiling/trace/Bins.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>

namespace headroom::report {
namespace {

constexpr auto kSampled = "Sampled: peaks that are shorter than a sample's distance are missed.";

// What ran in a window of the trace, exactly.
BusyTime readBusyTime(const store::Workspace& workspace, std::int64_t repeat, store::Work work, std::int64_t originNs,
    const figures::TimeWindow& window)
{
    BusyTime busy;
    for (const trace::Span& span :
        workspace.trace().spans(repeat, work, originNs + window.beginNs, originNs + window.endNs))
        busy.add(span.beginNs - originNs, span.endNs - originNs);
    busy.finish();
    return busy;
}

/// Reads what was recorded of memory, and how busy kernels and copies were.
class RecordCollector {
public:
    RecordCollector(const store::Workspace& workspace, const TracedRepeat& traced)
        : m_workspace(workspace)
        , m_traced(traced)
    {
        // What the driver gave out earlier is there when the trace begins; everything else only counts in it.
        trace::DeviceRecords earlier =
            workspace.trace().memoryRecords(traced.repeat, std::numeric_limits<std::int64_t>::min(), traced.originNs);
        m_records = workspace.trace().memoryRecords(traced.repeat, traced.originNs, traced.originNs + traced.lengthNs);
        prepend(earlier.memory, m_records.memory);
        prepend(earlier.pools, m_records.pools);
        prepend(earlier.virtualMemory, m_records.virtualMemory);
    }

    std::vector<WitnessTrack> tracks()
    {
        addHost();
        addDevice();
        addDriver();
        addBusy("kernels", store::Work::Kernels);
        addBusy("copies", store::Work::Copies);
        return std::move(m_tracks);
    }

private:
    template <typename Record> static void prepend(const std::vector<Record>& earlier, std::vector<Record>& records)
    {
        records.insert(records.begin(), earlier.begin(), earlier.end());
    }

    std::int64_t own(std::int64_t storedNs) const { return storedNs - m_traced.originNs; }

    template <typename Sample>
    WitnessCurve curveOf(
        const std::string& name, const std::vector<Sample>& samples, std::optional<Bytes> Sample::* value) const
    {
        WitnessCurve curve{name, {}};
        for (const Sample& sample : samples)
            if (const auto& bytes = sample.*value)
                curve.points.push_back({own(sample.timeNs), *bytes});
        std::ranges::stable_sort(curve.points, {}, &trace::BytesPoint::timeNs);
        return curve;
    }

    void add(WitnessTrack track)
    {
        std::erase_if(track.curves, [](const WitnessCurve& curve) {
            return std::ranges::all_of(curve.points, [](const trace::BytesPoint& point) { return point.bytes == 0; });
        });
        if (!track.curves.empty())
            m_tracks.push_back(std::move(track));
    }

    void addHost()
    {
        const auto& samples = m_records.hostSamples;
        add({"host", true, {kSampled},
            {curveOf("resident", samples, &trace::HostSample::residentBytes),
                curveOf("pinned", samples, &trace::HostSample::pinnedBytes)},
            {}, {}, 0, 0});
    }

    void addDevice()
    {
        const auto& samples = m_records.deviceSamples;
        add({"device (NVML)", true, {kSampled},
            {curveOf("used by anyone", samples, &trace::DeviceSample::usedBytes),
                curveOf("of this process", samples, &trace::DeviceSample::processBytes)},
            {}, {}, 0, 0});
    }

    // On the trace's own axis.
    std::vector<trace::BytesPoint> fromTheOrigin(const trace::DriverMemory& driver) const
    {
        std::vector<trace::BytesPoint> points = driver.totalFrom(m_traced.originNs);
        for (trace::BytesPoint& point : points)
            point.timeNs = own(point.timeNs);
        return points;
    }

    std::set<std::uint32_t> devices() const
    {
        std::set<std::uint32_t> ids;
        for (const trace::DeviceMemoryRecord& record : m_records.memory)
            ids.insert(record.deviceId);
        for (const trace::VirtualMemoryRecord& record : m_records.virtualMemory)
            if (record.deviceId >= 0)
                ids.insert(static_cast<std::uint32_t>(record.deviceId));
        return ids;
    }

    void addDriver()
    {
        const std::set<std::uint32_t> ids = devices();
        for (const std::uint32_t id : ids) {
            const trace::DriverMemory driver(m_records, id, {});
            WitnessTrack track{ids.size() == 1 ? "driver (CUPTI)" : "driver (CUPTI), device " + std::to_string(id),
                false, {}, {{"given out by the driver", fromTheOrigin(driver)}}, {}, {}, 0, 0};
            if (driver.releasesOfEarlier() > 0)
                track.notes.emplace_back("A lower bound: the driver had given out memory before it was recorded.");
            add(std::move(track));
        }
    }

    void addBusy(const std::string& name, store::Work work)
    {
        WitnessTrack track{name, false, {}, {}, busyTimeOf(work), work, m_traced.originNs, m_traced.repeat};
        if (track.busy.share(0, m_traced.lengthNs) > 0)
            m_tracks.push_back(std::move(track));
    }

    BusyTime busyTimeOf(store::Work work) const
    {
        if (const auto occupancy = m_workspace.trace().occupancy(m_traced.repeat, work))
            return {*occupancy, m_traced.originNs};
        return readBusyTime(m_workspace, m_traced.repeat, work, m_traced.originNs, m_traced.whole());
    }

    const store::Workspace& m_workspace;
    const TracedRepeat& m_traced;
    trace::DeviceRecords m_records; ///< those that are not spans
    std::vector<WitnessTrack> m_tracks;
};

figures::MemorySeries witnessSeries(const WitnessCurve& curve, const WitnessView& view)
{
    const auto range = trace::BinRange::covering(view.window.beginNs, view.window.endNs, view.bins);
    trace::BucketFold fold(range, curve.at(range.beginNs() - 1));
    auto point = std::ranges::lower_bound(curve.points, range.beginNs(), {}, &trace::BytesPoint::timeNs);
    for (; point != curve.points.end() && point->timeNs < range.endNs(); ++point)
        fold.addPoint(point->timeNs, point->bytes);
    figures::MemorySeries series{curve.name};
    for (const trace::Bucket& bucket : fold.take())
        series.bins.push_back({std::max(bucket.beginNs, view.window.beginNs), bucket.min, bucket.max});
    const auto most = std::ranges::max_element(curve.points, {}, &trace::BytesPoint::bytes);
    series.peak = figures::MemoryPeak{most->bytes, most->timeNs};
    return series;
}

std::vector<figures::BusyBin> busyBins(
    const store::Workspace& workspace, const WitnessTrack& track, const WitnessView& view)
{
    if (track.busy.isFineEnoughFor(view.window, view.bins))
        return track.busy.bins(view.window, view.bins);
    return readBusyTime(workspace, track.repeat, *track.work, track.originNs, view.window).bins(view.window, view.bins);
}

} // namespace

std::string titleOf(const WitnessTrack& track)
{
    return track.isSampled ? track.name + " (sampled)" : track.name;
}

Bytes WitnessCurve::at(std::int64_t timeNs) const
{
    const auto next = std::ranges::upper_bound(points, timeNs, {}, &trace::BytesPoint::timeNs);
    return next == points.begin() ? 0 : std::prev(next)->bytes;
}

std::vector<WitnessTrack> readWitnessTracks(const store::Workspace& workspace, const TracedRepeat& traced)
{
    return RecordCollector(workspace, traced).tracks();
}

figures::Figure witnessFigure(const store::Workspace& workspace, const WitnessTrack& track, const WitnessView& view)
{
    if (track.work)
        return figures::occupancyFigure({view.title, view.trialId, view.window, busyBins(workspace, track, view),
            track.busy.share(0, view.endNs), track.notes});
    figures::TimelineInput input;
    input.title = view.title;
    input.id = view.trialId;
    input.endNs = view.endNs;
    input.window = view.window;
    input.notes = track.notes;
    for (const WitnessCurve& curve : track.curves)
        input.series.push_back(witnessSeries(curve, view));
    return figures::timelineFigure(input);
}

} // namespace headroom::report
