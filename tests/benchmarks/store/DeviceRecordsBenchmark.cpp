// SPDX-License-Identifier: Apache-2.0
//
// What millions of kernels cost where a trace is opened and shown: a trace of a million allocator events, once without
// and once with five million kernels (or as many as the first argument says). Prints the table of
// docs/measurements/trace-store.md.
#include "experiments/report/reading/WitnessTracks.h"
#include "profiling/store/traces/SpoolWriter.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/profiling/trace/pyramids/CategoryTrace.h"
#include "tests/support/TemporaryFolder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>

namespace headroom::report {
namespace {

constexpr std::size_t kEvents = 1'000'000;
constexpr std::size_t kFlush = 100'000; ///< kernels
constexpr std::size_t kWidth = 1'920;
constexpr int kRounds = 40;

double millisecondsOf(const std::function<void()>& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void print(const std::string& what, const std::function<void()>& work)
{
    std::vector<double> times;
    for (int i = 0; i < kRounds; ++i)
        times.push_back(millisecondsOf(work));
    std::ranges::sort(times);
    fmt::print("| {} | {:.2f} | {:.2f} |\n", what, times[times.size() / 2], times.back());
}

/// Kernels of a few microseconds with short pauses, over the whole trace.
void addKernels(store::SpoolWriter& spool, std::size_t count, std::int64_t lengthNs)
{
    std::mt19937_64 random(1);
    const auto step = lengthNs / static_cast<std::int64_t>(std::max<std::size_t>(count, 1));
    for (std::size_t written = 0; written < count; written += kFlush) {
        trace::DeviceRecords records;
        records.kernels.resize(std::min(kFlush, count - written));
        auto timeNs = static_cast<std::int64_t>(written) * step;
        for (trace::KernelRecord& kernel : records.kernels) {
            kernel.beginNs = timeNs;
            kernel.endNs = timeNs + 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(step));
            kernel.name = "kernel_" + std::to_string(random() % 200);
            timeNs += step;
        }
        spool.addRecords(records);
    }
}

void write(const std::filesystem::path& path, std::size_t kernels)
{
    store::SpoolWriter spool(path);
    const auto owners = trace::testOwners();
    for (trace::OwnerId id = 0; id < owners.size(); ++id)
        spool.addOwner(id, owners[id]);
    auto events = trace::ownedTrace(kEvents);
    for (trace::AllocatorEvent& event : events)
        event.timeNs *= 40; // several minutes
    spool.append("device", events);
    addKernels(spool, kernels, events.back().timeNs);
    spool.finish();
}

/// What the timeline reads when a trial is chosen.
std::vector<WitnessTrack> open(const std::filesystem::path& path)
{
    store::Workspace workspace = store::Workspace::open(path, store::Access::ReadOnly);
    const TracedRepeat traced = readTracedRepeat(workspace, 1).value();
    readCategories(workspace, traced, "device", traced.whole(), kWidth);
    return readWitnessTracks(workspace, traced);
}

void measureWindows(const std::filesystem::path& path)
{
    const store::Workspace workspace = store::Workspace::open(path, store::Access::ReadOnly);
    store::Workspace reading = store::Workspace::open(path, store::Access::ReadOnly);
    const TracedRepeat traced = readTracedRepeat(reading, 1).value();
    const std::vector<WitnessTrack> tracks = readWitnessTracks(workspace, traced);
    std::mt19937_64 random(2);
    for (std::int64_t part = 1; part <= 10'000'000; part *= 10) {
        const std::int64_t length = std::max<std::int64_t>(traced.lengthNs / part, 1);
        const auto from = [&] {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(traced.lengthNs - length + 1));
        };
        print(fmt::format("how busy kernels are, 1/{} of the trace", part), [&] {
            const std::int64_t begin = from();
            witnessFigure(workspace, tracks.at(0), {"", "", {begin, begin + length}, traced.lengthNs, kWidth});
        });
        if (part >= 1'000)
            print(fmt::format("every record, 1/{} of the trace", part), [&] {
                const std::int64_t begin = traced.originNs + from();
                workspace.trace().records(1, begin, begin + length);
            });
    }
}

void measure(std::size_t kernels)
{
    const TemporaryFolder folder;
    write(folder.file("spool"), kernels);
    store::RepeatImport source;
    const double importing = millisecondsOf([&] {
        store::Workspace workspace = store::Workspace::open(folder.file("w.db"), store::Access::Create);
        source.repeat.trial =
            workspace.addTrials(workspace.addExperiment({.name = "kernels"}), std::vector<store::TrialRow>(1)).front();
        source.spool = folder.file("spool");
        workspace.importRepeat(source);
    });
    fmt::print("\n{} kernels, imported in {:.1f} s; the workspace takes {} MiB\n\n| what | median, ms | worst, ms |\n"
               "|---|---|---|\n",
        kernels, importing / 1e3, std::filesystem::file_size(folder.file("w.db")) >> 20U);
    print("open the workspace, show all by category, and what else was recorded", [&] { open(folder.file("w.db")); });
    if (kernels > 0)
        measureWindows(folder.file("w.db"));
}

} // namespace
} // namespace headroom::report

int main(int count, char** arguments)
{
    headroom::report::measure(0);
    headroom::report::measure(count > 1 ? std::stoul(arguments[1]) : 5'000'000);
}
