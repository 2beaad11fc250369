// SPDX-License-Identifier: Apache-2.0
//
// What the store can take: events per second through the codec and the spool, and small imports as a simulated sweep
// makes them. Results stand in docs/database.md.
#include "profiling/store/traces/SpoolWriter.h"
#include "profiling/store/workspace/Workspace.h"
#include "profiling/trace/EventBlock.h"
#include "tests/profiling/trace/RandomTrace.h"
#include "tests/support/TemporaryFolder.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>

namespace headroom::store {
namespace {

namespace fs = std::filesystem;

void countEvents(benchmark::State& state, std::size_t eventsPerIteration)
{
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(eventsPerIteration));
}

std::vector<std::int64_t> addTrials(Workspace& workspace, std::int64_t count)
{
    const std::int64_t experiment = workspace.addExperiment({.name = "benchmark"});
    std::vector<TrialRow> trials(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < trials.size(); ++i)
        trials[i].trialId = std::to_string(i);
    return workspace.addTrials(experiment, trials);
}

std::int64_t addTrial(Workspace& workspace)
{
    return addTrials(workspace, 1).front();
}

RepeatImport smallRepeat(std::int64_t trial, int index)
{
    RepeatImport source;
    source.repeat.trial = trial;
    source.repeat.repeatIndex = index;
    source.repeat.resultJson = std::string(3'000, 'x');
    for (int step = 0; step < 5; ++step) {
        source.samples.push_back({step, 0.1});
        source.phases.push_back({"forward", step, step * 100, step * 100 + 50});
        source.phases.push_back({"backward", step, step * 100 + 50, step * 100 + 100});
    }
    return source;
}

void encodeBlock(benchmark::State& state)
{
    const auto events = trace::randomTrace(trace::kMaxBlockEvents);
    for ([[maybe_unused]] const auto iteration : state)
        benchmark::DoNotOptimize(trace::encodeEventBlock(events, {}));
    countEvents(state, events.size());
}
BENCHMARK(encodeBlock)->Unit(benchmark::kMillisecond);

void decodeBlock(benchmark::State& state)
{
    const auto block = trace::encodeEventBlock(trace::randomTrace(trace::kMaxBlockEvents), {});
    for ([[maybe_unused]] const auto iteration : state)
        benchmark::DoNotOptimize(trace::decodeEventBlock(block));
    countEvents(state, trace::kMaxBlockEvents);
}
BENCHMARK(decodeBlock)->Unit(benchmark::kMillisecond);

void writeSpool(benchmark::State& state)
{
    const TemporaryFolder folder;
    const auto events = trace::randomTrace(1'000'000);
    for ([[maybe_unused]] const auto iteration : state) {
        SpoolWriter spool(folder.file("spool"));
        spool.append("device", events);
        spool.finish();
        fs::remove(folder.file("spool"));
    }
    countEvents(state, events.size());
}
BENCHMARK(writeSpool)->Unit(benchmark::kMillisecond);

void importSpool(benchmark::State& state)
{
    const TemporaryFolder folder;
    SpoolWriter spool(folder.file("spool"));
    spool.append("device", trace::randomTrace(1'000'000));
    spool.finish();
    Workspace workspace = Workspace::open(folder.file("w.db"), Access::Create);
    RepeatImport source;
    source.repeat.trial = addTrial(workspace);
    source.spool = folder.file("spool");
    for ([[maybe_unused]] const auto iteration : state) {
        workspace.importRepeat(source);
        ++source.repeat.repeatIndex;
    }
    countEvents(state, 1'000'000);
}
BENCHMARK(importSpool)->Unit(benchmark::kMillisecond);

void timelineOfTheWholeTrack(benchmark::State& state)
{
    const TemporaryFolder folder;
    Workspace workspace = Workspace::open(folder.file("w.db"), Access::Create);
    RepeatImport source = smallRepeat(addTrial(workspace), 0);
    source.tracks.push_back({.name = "device", .events = trace::randomTrace(static_cast<std::size_t>(state.range(0)))});
    const std::int64_t repeat = workspace.importRepeat(source).repeat;
    const std::int64_t endNs = source.tracks.front().events.back().timeNs;
    const std::int64_t lengthNs = endNs / state.range(1);
    for ([[maybe_unused]] const auto iteration : state)
        benchmark::DoNotOptimize(
            workspace.timeline(repeat, "device", trace::Counter::Allocated, endNs / 2, endNs / 2 + lengthNs, 1'920));
}
// Events, and the part of the track that the window shows.
BENCHMARK(timelineOfTheWholeTrack)
    ->Args({100'000, 1})
    ->Args({4'000'000, 1})
    ->Args({4'000'000, 30})
    ->Args({4'000'000, 1'000})
    ->Unit(benchmark::kMillisecond);

/// A sweep of simulated trials: one small repeat each.
class SmallRepeats {
public:
    explicit SmallRepeats(Workspace& workspace)
        : m_trials(addTrials(workspace, 4'000))
        , m_source(smallRepeat(0, 0))
    {
    }
    RepeatImport& next()
    {
        m_source.repeat.trial = m_trials[m_count % m_trials.size()];
        m_source.repeat.repeatIndex = static_cast<int>(m_count / m_trials.size());
        ++m_count;
        return m_source;
    }

private:
    std::vector<std::int64_t> m_trials;
    RepeatImport m_source;
    std::size_t m_count = 0;
};

void importSmallRepeat(benchmark::State& state)
{
    const TemporaryFolder folder;
    Workspace workspace = Workspace::open(folder.file("w.db"), Access::Create);
    SmallRepeats repeats(workspace);
    const EventTrack track{.name = "device", .events = trace::randomTrace(500)};
    for ([[maybe_unused]] const auto iteration : state) {
        RepeatImport& source = repeats.next();
        source.tracks = {track};
        workspace.importRepeat(source);
    }
}
BENCHMARK(importSmallRepeat)->Unit(benchmark::kMillisecond);

void importSmallRepeatInBatches(benchmark::State& state)
{
    const TemporaryFolder folder;
    Workspace workspace = Workspace::open(folder.file("w.db"), Access::Create);
    SmallRepeats repeats(workspace);
    const EventTrack track{.name = "device", .events = trace::randomTrace(500)};
    Workspace::Batch batch(workspace);
    for ([[maybe_unused]] const auto iteration : state) {
        RepeatImport& source = repeats.next();
        source.tracks = {track};
        workspace.importRepeat(source);
        batch.commitIfDue();
    }
    batch.commit();
}
BENCHMARK(importSmallRepeatInBatches)->Unit(benchmark::kMillisecond);

void importSmallRepeatFromItsSpool(benchmark::State& state)
{
    const TemporaryFolder folder;
    Workspace workspace = Workspace::open(folder.file("w.db"), Access::Create);
    SmallRepeats repeats(workspace);
    const auto events = trace::randomTrace(500);
    for ([[maybe_unused]] const auto iteration : state) {
        RepeatImport& source = repeats.next();
        source.spool = folder.file("spool");
        SpoolWriter spool(*source.spool);
        spool.append("device", events);
        spool.finish();
        workspace.importRepeat(source);
        fs::remove(*source.spool);
    }
}
BENCHMARK(importSmallRepeatFromItsSpool)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace headroom::store
