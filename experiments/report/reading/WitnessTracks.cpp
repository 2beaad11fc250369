// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/WitnessTracks.h"

#include "profiling/trace/Bins.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>

namespace headroom::report {
namespace {

constexpr std::int64_t kSlices = 32; ///< in which records are read: not all kernels are in memory at once
constexpr auto kSampled = "Sampled: peaks that are shorter than a sample's distance are missed.";

/// Reads records slice by slice and keeps of spans only when they were.
class RecordCollector {
public:
    RecordCollector(const store::Workspace& workspace, const TracedRepeat& traced)
        : m_traced(traced)
    {
        // What the driver gave out earlier is there when the trace begins; everything else only counts in it.
        const trace::DeviceRecords earlier =
            workspace.trace().records(traced.repeat, std::numeric_limits<std::int64_t>::min(), traced.originNs);
        keep(earlier.memory, m_records.memory);
        keep(earlier.pools, m_records.pools);
        keep(earlier.virtualMemory, m_records.virtualMemory);
        const std::int64_t step = traced.lengthNs / kSlices + 1;
        for (std::int64_t at = 0; at < traced.lengthNs; at += step)
            take(workspace.trace().records(traced.repeat, traced.originNs + at, traced.originNs + at + step));
        m_kernels.finish();
        m_copies.finish();
    }

    std::vector<WitnessTrack> tracks()
    {
        addHost();
        addDevice();
        addDriver();
        addBusy("kernels", m_kernels);
        addBusy("copies", m_copies);
        return std::move(m_tracks);
    }

private:
    template <typename Record> void keep(const std::vector<Record>& from, std::vector<Record>& to)
    {
        to.insert(to.end(), from.begin(), from.end());
    }

    void take(const trace::DeviceRecords& records)
    {
        keep(records.memory, m_records.memory);
        keep(records.pools, m_records.pools);
        keep(records.virtualMemory, m_records.virtualMemory);
        keep(records.deviceSamples, m_records.deviceSamples);
        keep(records.hostSamples, m_records.hostSamples);
        for (const trace::KernelRecord& kernel : records.kernels)
            m_kernels.add(own(kernel.beginNs), own(kernel.endNs));
        for (const trace::CopyRecord& copy : records.copies)
            m_copies.add(own(copy.beginNs), own(copy.endNs));
        for (const trace::MemsetRecord& memset : records.memsets)
            m_copies.add(own(memset.beginNs), own(memset.endNs));
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
            {}});
    }

    void addDevice()
    {
        const auto& samples = m_records.deviceSamples;
        add({"device (NVML)", true, {kSampled},
            {curveOf("used by anyone", samples, &trace::DeviceSample::usedBytes),
                curveOf("of this process", samples, &trace::DeviceSample::processBytes)},
            {}});
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
                false, {}, {{"given out by the driver", fromTheOrigin(driver)}}, {}};
            if (driver.releasesOfEarlier() > 0)
                track.notes.emplace_back("A lower bound: the driver had given out memory before it was recorded.");
            add(std::move(track));
        }
    }

    void addBusy(const std::string& name, BusyTime& busy)
    {
        if (!busy.isEmpty())
            m_tracks.push_back({name, false, {}, {}, std::move(busy)});
    }

    const TracedRepeat& m_traced;
    trace::DeviceRecords m_records; ///< those that are not spans
    BusyTime m_kernels;
    BusyTime m_copies;
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

figures::Figure witnessFigure(const WitnessTrack& track, const WitnessView& view)
{
    if (track.curves.empty())
        return figures::occupancyFigure({view.title, view.trialId, view.window, track.busy.bins(view.window, view.bins),
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
