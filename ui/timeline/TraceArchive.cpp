// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TraceArchive.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "experiments/archive/StoredExperiment.h"
#include "profiling/store/StoreErrors.h"
#include "profiling/store/traces/RangeStatistics.h"
#include "profiling/store/traces/TraceContents.h"
#include "profiling/trace/FrameText.h"
#include "profiling/trace/PhaseSpan.h"

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr std::size_t kMostTrials = 8; ///< trials whose phases and peaks are kept
constexpr double kLeastShareOfTree = 0.001; ///< share of the peak: smaller rows are merged

constexpr auto kNoTrace = "No timeline was recorded for this trial. Run it again with tracing on (on the command line: "
                          "headroom run with --trace).";
constexpr auto kNoTraceMeasured = " One more step is traced after the timed ones, so its speed stays as it is.";

// A replaced file has another id; a missing one is an error.
store::FileId numberOf(const std::string& path)
{
    if (const auto file = store::fileIdOf(path))
        return *file;
    throw store::DisplacedFileError("the workspace is not there any more", path, "open another one, or put it back");
}

figures::TimeWindow within(const figures::TimeWindow& whole, const std::optional<figures::TimeWindow>& wanted)
{
    if (!wanted)
        return whole;
    const std::int64_t begin = std::clamp(wanted->beginNs, whole.beginNs, whole.endNs - 1);
    return {begin, std::clamp(wanted->endNs, begin + 1, whole.endNs)};
}

std::string told(const report::WitnessTrack& track, std::int64_t timeNs)
{
    std::string words;
    for (const report::WitnessCurve& curve : track.curves)
        words += (words.empty() ? "" : ", ") + curve.name + " " + sizeText(curve.at(timeNs));
    if (track.curves.empty())
        words = track.busy.share(timeNs, timeNs + 1) > 0 ? "busy" : "idle";
    return words;
}

trace::PeakProfile profileAt(const trace::Holdings& holdings, const trace::OwnerTable& owners,
    const std::vector<trace::PhaseSpan>& phases, const figures::MemoryPeak& peak)
{
    const trace::PhaseSpan* phase = trace::phaseAt(phases, peak.timeNs);
    return {.totalBytes = holdings.counters.allocated,
        .phase = phase == nullptr ? std::string() : phase->name,
        .shares = trace::sharesOf(holdings, owners),
        .phases = {}};
}

std::map<std::string, Bytes> framesOf(const trace::Holdings& holdings, const trace::OwnerTable& owners)
{
    std::map<std::string, Bytes> frames;
    const bool hasFrames =
        std::ranges::any_of(owners.all(), [](const trace::MemoryOwner& owner) { return !owner.frames.empty(); });
    for (const trace::Holding& part : holdings.parts)
        if (hasFrames)
            frames[trace::innermostFrame(owners.of(part.owner).frames)] += part.bytes;
    return frames;
}

} // namespace

void TraceArchive::openFile(const std::string& path)
{
    const store::FileId file = numberOf(path);
    if (m_workspace && path == m_path && file == m_file)
        return;
    m_trials.clear();
    m_workspace.reset();
    m_workspace.emplace(experiments::openForReading(path));
    m_path = path;
    m_file = file;
}

TraceArchive::Trial& TraceArchive::trialOf(const TimelineSubject& subject)
{
    openFile(subject.workspace);
    const auto known = std::ranges::find_if(m_trials, [&](const auto& trial) { return trial->subject == subject; });
    if (known != m_trials.end()) {
        std::rotate(m_trials.begin(), known, known + 1);
        return *m_trials.front();
    }
    m_trials.insert(m_trials.begin(), std::make_unique<Trial>(readTrial(subject)));
    m_trials.resize(std::min(m_trials.size(), kMostTrials));
    return *m_trials.front();
}

TraceArchive::Trial TraceArchive::readTrial(const TimelineSubject& subject)
{
    Trial trial;
    trial.subject = subject;
    const auto rows = m_workspace->trials(subject.experiment);
    const auto row = std::ranges::find(rows, subject.trialId, &store::TrialRow::trialId);
    if (row == rows.end()) {
        trial.missing = "This trial is not in the workspace any more.";
        return trial;
    }
    trial.provenance = config::provenanceOf(row->device, row->predicted);
    const auto repeats = m_workspace->repeats(row->id);
    for (const store::RepeatRow& repeat : repeats)
        if (repeat.environment)
            trial.environmentJson = m_workspace->environment(*repeat.environment).value_or("");
    for (const store::RepeatRow& repeat : repeats)
        if (!m_workspace->trace().tracks(repeat.id).empty())
            trial.repeats.push_back({repeat.id, repeat.repeatIndex});
    if (repeats.empty())
        trial.missing = "This trial has not been run yet. Run it with tracing on to see its memory over time.";
    else if (trial.repeats.empty())
        trial.missing = std::string(kNoTrace) + (row->predicted ? "" : kNoTraceMeasured);
    if (!trial.repeats.empty())
        for (const store::RepeatRow& repeat : repeats)
            if (repeat.id == trial.repeats.front().repeat)
                trial.read.emplace(repeat.id, readRepeat(repeat.id)).first->second.record =
                    experiments::readRepeat(repeat).result.memory;
    return trial;
}

TraceArchive::Repeat* TraceArchive::repeatOf(Trial& trial, std::int64_t id)
{
    if (trial.repeats.empty())
        return nullptr;
    const bool isKnown = std::ranges::find(trial.repeats, id, &TracedRepeatName::repeat) != trial.repeats.end();
    const std::int64_t wanted = isKnown ? id : trial.repeats.front().repeat;
    if (const auto found = trial.read.find(wanted); found != trial.read.end())
        return &found->second;
    Repeat& repeat = trial.read.emplace(wanted, readRepeat(wanted)).first->second;
    repeat.record = trial.read.at(trial.repeats.front().repeat).record;
    return &repeat;
}

TraceArchive::Repeat TraceArchive::readRepeat(std::int64_t id)
{
    auto traced = report::readTracedRepeat(*m_workspace, id);
    if (!traced)
        throw FileError("the trace of this trial is not there any more", m_path);
    Repeat repeat{std::move(*traced), {}, {}, {}, {}};
    repeat.phases = std::make_shared<const std::vector<trace::PhaseSpan>>(repeat.traced.phases);
    repeat.tracks.push_back(readTrack(repeat.traced, repeat.traced.mainTrack().track));
    for (const store::TrackRow& track : repeat.traced.tracks)
        if (track.track != repeat.tracks.front().name)
            repeat.tracks.push_back(readTrack(repeat.traced, track.track));
    repeat.witnesses = report::readWitnessTracks(*m_workspace, repeat.traced);
    return repeat;
}

TraceArchive::Track TraceArchive::readTrack(const report::TracedRepeat& traced, const std::string& name)
{
    const store::TrackCounter allocated{traced.repeat, name, trace::Counter::Allocated};
    const store::TrackCounter reserved{traced.repeat, name, trace::Counter::Reserved};
    const figures::MemoryPeak peak = report::readPeak(*m_workspace, traced, allocated, traced.ownSteps());
    return {name, peak, report::readPeak(*m_workspace, traced, allocated, traced.whole()),
        report::readPeak(*m_workspace, traced, reserved, traced.whole()),
        report::readCategoriesAt(*m_workspace, traced, name, peak.timeNs)};
}

figures::MemorySeries TraceArchive::allocatedSeries(const Repeat& repeat, const Track& track,
    const figures::TimeWindow& window, const std::vector<trace::CategoryBucket>& categories, std::size_t bins)
{
    const store::TrackCounter of{repeat.traced.repeat, track.name, trace::Counter::Allocated};
    if (categories.empty())
        return report::readSeries(*m_workspace, repeat.traced, of, window, bins);
    return {std::string(trace::counterName(of.counter)), report::binsOf(categories, window)};
}

LaneWindow TraceArchive::witnessLane(const TimelineRequest& request, const Repeat& repeat,
    const report::WitnessTrack& track, const figures::TimeWindow& window)
{
    const report::WitnessView view{request.subject.title + ": " + report::titleOf(track), request.subject.trialId,
        window, repeat.traced.lengthNs, request.bins};
    return {track.name, {}, false,
        std::make_shared<const figures::Figure>(report::witnessFigure(*m_workspace, track, view)), true};
}

LaneWindow TraceArchive::lane(const TimelineRequest& request, const Trial& trial, const Repeat& repeat,
    const Track& track, const figures::TimeWindow& window)
{
    figures::TimelineInput input;
    input.title = request.subject.title + (repeat.tracks.size() > 1 ? ": " + track.name : "")
        + (trial.provenance == config::Provenance::Measured
                ? std::string()
                : " (" + std::string(config::toText(trial.provenance)) + ")");
    input.id = request.subject.trialId;
    input.provenance = trial.provenance;
    input.phases = *repeat.phases;
    if (request.phasePeaks)
        if (const auto peaks = request.phasePeaks->find(track.name); peaks != request.phasePeaks->end())
            input.phasePeaks = peaks->second;
    input.endNs = repeat.traced.lengthNs;
    input.window = window;
    input.losses = repeat.traced.losses;
    input.peakCategories = track.peakCategories;
    const store::TrackCounter reserved{repeat.traced.repeat, track.name, trace::Counter::Reserved};
    input.categories = report::readCategories(*m_workspace, repeat.traced, track.name, window, request.bins);
    input.series.push_back(allocatedSeries(repeat, track, window, input.categories, request.bins));
    input.series.back().peak = track.peak;
    input.series.back().largest = track.largest;
    if (track.reservedPeak.bytes > 0) {
        input.series.push_back(report::readSeries(*m_workspace, repeat.traced, reserved, window, request.bins));
        input.series.back().peak = track.reservedPeak;
    }
    return {track.name, track.peak, track.reservedPeak.bytes > 0,
        std::make_shared<const figures::Figure>(figures::timelineFigure(input)), false, input.series.front().bins};
}

TimelineWindowPtr TraceArchive::window(const TimelineRequest& request)
{
    auto result = std::make_shared<TimelineWindow>();
    result->request = request;
    Trial& trial = trialOf(request.subject);
    result->missing = trial.missing;
    result->repeats = trial.repeats;
    result->provenance = trial.provenance;
    const Repeat* repeat = repeatOf(trial, request.repeat);
    if (repeat == nullptr)
        return result;
    result->repeat = repeat->traced.repeat;
    result->whole = repeat->traced.whole();
    result->window = within(result->whole, request.window);
    result->phases = repeat->phases;
    for (const Track& track : repeat->tracks)
        result->lanes.push_back(lane(request, trial, *repeat, track, result->window));
    for (const report::WitnessTrack& track : repeat->witnesses)
        result->lanes.push_back(witnessLane(request, *repeat, track, result->window));
    return result;
}

PeakContents TraceArchive::contents(const Repeat& repeat, const trace::LiveMemory& memory) const
{
    PeakContents contents;
    contents.peak = repeat.tracks.front().peak;
    if (const trace::PhaseSpan* phase = trace::phaseAt(repeat.traced.phases, contents.peak.timeNs))
        contents.phase = *phase;
    contents.reserved = memory.counters.reserved;
    contents.parts = peakParts(memory, contents.phase, repeat.record);
    contents.savedForBackward = repeat.record.savedForBackward;
    return contents;
}

PeakTreesPtr TraceArchive::trees(
    const Repeat& repeat, const std::vector<trace::PhaseSpan>& stored, const std::stop_token& stop)
{
    using trace::Grouping;
    const Track& main = repeat.tracks.front();
    const auto holdings =
        store::findHoldings(m_workspace->trace(), {repeat.traced.repeat, main.name, trace::Counter::Allocated},
            {main.peak.bytes, repeat.traced.originNs + main.peak.timeNs}, stored, stop);
    if (!holdings)
        return nullptr;
    const trace::OwnerTable owners = m_workspace->trace().owners(repeat.traced.repeat);
    PeakTrees trees;
    trees.categories = trace::categoriesOf(*holdings, owners);
    trees.profile = profileAt(*holdings, owners, repeat.traced.phases, main.peak);
    trees.frames = framesOf(*holdings, owners);
    std::vector groupings{Grouping::Module, Grouping::Category, Grouping::Technique, Grouping::Phase};
    if (std::ranges::any_of(owners.all(), [](const trace::MemoryOwner& owner) { return !owner.source.empty(); }))
        groupings.push_back(Grouping::Source);
    if (std::ranges::any_of(owners.all(), [](const trace::MemoryOwner& owner) { return !owner.frames.empty(); }))
        groupings.push_back(Grouping::Frame);
    for (const Grouping grouping : groupings)
        trees.by.emplace(
            grouping, figures::peakTree(trace::memoryTree(*holdings, owners, grouping), grouping, kLeastShareOfTree));
    return std::make_shared<const PeakTrees>(std::move(trees));
}

std::optional<TimelineSummary> TraceArchive::summary(const TimelineRequest& request, const std::stop_token& stop)
{
    Trial& trial = trialOf(request.subject);
    Repeat* repeat = repeatOf(trial, request.repeat);
    if (repeat == nullptr)
        return std::nullopt;
    const report::TracedRepeat& traced = repeat->traced;
    const Track& main = repeat->tracks.front();
    const store::TrackCounter of{traced.repeat, main.name, trace::Counter::Allocated};
    std::vector<trace::PhaseSpan> stored = traced.phases;
    for (trace::PhaseSpan& phase : stored) {
        phase.beginNs += traced.originNs;
        phase.endNs += traced.originNs;
    }
    const auto memory = store::findLiveMemory(
        m_workspace->trace(), of, {main.peak.bytes, traced.originNs + main.peak.timeNs}, stored, stop);
    if (!memory)
        return std::nullopt;
    PhasePeaks phases;
    for (const Track& track : repeat->tracks)
        if (auto peaks = store::findPhasePeaks(m_workspace->trace(), {traced.repeat, track.name}, stored, stop))
            phases.emplace(track.name, std::move(*peaks));
    PeakContents peak = contents(*repeat, *memory);
    if (traced.hasOwners)
        peak.trees = trees(*repeat, stored, stop);
    return TimelineSummary{request.subject.trialId, traced.repeat, main.name, trial.provenance, std::move(peak),
        std::make_shared<const PhasePeaks>(std::move(phases)), trial.environmentJson};
}

std::vector<CursorValues> TraceArchive::valuesAt(const TimelineRequest& request, std::int64_t timeNs)
{
    Trial& trial = trialOf(request.subject);
    const Repeat* repeat = repeatOf(trial, request.repeat);
    std::vector<CursorValues> values;
    if (repeat == nullptr)
        return values;
    const auto at = [&](const Track& track, trace::Counter counter) {
        const std::int64_t stored = repeat->traced.originNs + timeNs;
        const auto buckets = m_workspace->timeline(repeat->traced.repeat, track.name, counter, stored, stored + 1, 2);
        return buckets.back().last;
    };
    for (const Track& track : repeat->tracks)
        values.push_back({track.name, at(track, trace::Counter::Allocated), at(track, trace::Counter::Reserved),
            report::readCategoriesAt(*m_workspace, repeat->traced, track.name, timeNs)});
    for (const report::WitnessTrack& track : repeat->witnesses)
        values.push_back({.track = track.name, .told = told(track, timeNs)});
    return values;
}

std::vector<RangeValues> TraceArchive::range(
    const TimelineRequest& request, const figures::TimeWindow& range, const std::stop_token& stop)
{
    Trial& trial = trialOf(request.subject);
    const Repeat* repeat = repeatOf(trial, request.repeat);
    std::vector<RangeValues> values;
    if (repeat == nullptr)
        return values;
    for (const Track& track : repeat->tracks) {
        const std::int64_t origin = repeat->traced.originNs;
        const auto found =
            store::rangeStatistics(m_workspace->trace(), {repeat->traced.repeat, track.name, trace::Counter::Allocated},
                origin + range.beginNs, origin + range.endNs, stop);
        if (found)
            values.push_back({track.name, found->min, found->max, found->mean});
    }
    return values;
}

} // namespace headroom::ui
