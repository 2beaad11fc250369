// SPDX-License-Identifier: Apache-2.0
//
// A trace of 50 million events (or as many as the first argument says): how long it takes to write, to import, to open
// and to show at every zoom. Prints the table of docs/measurements/trace-store.md.
#include "profiling/store/traces/SpoolWriter.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/profiling/trace/pyramids/CategoryTrace.h"
#include "tests/support/TemporaryFolder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace headroom::store {
namespace {

constexpr std::size_t kPart = 1'000'000;
constexpr std::size_t kWidth = 1'920;
constexpr int kWindows = 60;

double secondsOf(const std::function<void()>& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The same million events again and again, each time later.
std::int64_t write(SpoolWriter& spool, std::size_t events)
{
    const auto owners = trace::testOwners();
    for (trace::OwnerId id = 0; id < owners.size(); ++id)
        spool.addOwner(id, owners[id]);
    auto part = trace::ownedTrace(kPart);
    const std::int64_t lengthNs = part.back().timeNs;
    std::int64_t endNs = 0;
    for (std::size_t written = 0; written < events; written += kPart) {
        spool.append("device", part);
        endNs = part.back().timeNs + 1;
        for (trace::AllocatorEvent& event : part)
            event.timeNs += lengthNs;
    }
    return endNs;
}

void report(const std::string& what, std::vector<double> seconds)
{
    std::ranges::sort(seconds);
    fmt::print("| {} | {:.2f} | {:.2f} |\n", what, seconds[seconds.size() / 2] * 1e3, seconds.back() * 1e3);
}

using Show = std::function<void(std::int64_t fromNs, std::int64_t toNs)>;

void measureZooms(const std::string& what, std::int64_t endNs, const Show& show)
{
    std::mt19937_64 random(1);
    for (std::int64_t part = 1; part <= 100'000'000; part *= 10) {
        std::vector<double> seconds;
        const std::int64_t length = std::max<std::int64_t>(endNs / part, 1);
        for (int i = 0; i < kWindows; ++i) {
            const auto from = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(endNs - length + 1));
            seconds.push_back(secondsOf([&] { show(from, from + length); }));
        }
        report(fmt::format("{}, 1/{} of the trace", what, part), seconds);
    }
}

void measure(std::size_t events)
{
    const TemporaryFolder folder;
    std::int64_t endNs = 0;
    const double writing = secondsOf([&] {
        SpoolWriter spool(folder.file("spool"));
        endNs = write(spool, events);
        spool.finish();
    });
    RepeatImport source;
    const double importing = secondsOf([&] {
        Workspace workspace = Workspace::open(folder.file("w.db"), Access::Create);
        source.repeat.trial =
            workspace.addTrials(workspace.addExperiment({.name = "long"}), std::vector<TrialRow>(1)).front();
        source.spool = folder.file("spool");
        workspace.importRepeat(source);
    });
    fmt::print(
        "{} million events over {:.1f} s; written in {:.1f} s, imported in {:.1f} s; the workspace takes {} MiB\n\n",
        events / 1'000'000, static_cast<double>(endNs) / 1e9, writing, importing,
        std::filesystem::file_size(folder.file("w.db")) >> 20U);
    fmt::print("| window, 1,920 wide | median, ms | worst, ms |\n|---|---|---|\n");
    std::vector<double> opening;
    for (int i = 0; i < 10; ++i)
        opening.push_back(secondsOf([&] {
            Workspace workspace = Workspace::open(folder.file("w.db"), Access::ReadOnly);
            workspace.trace().categories(1, "device", 0, workspace.trace().tracks(1).front().lastNs + 1, kWidth);
        }));
    report("open the workspace and show all of it by category", opening);
    Workspace workspace = Workspace::open(folder.file("w.db"), Access::ReadOnly);
    measureZooms("timeline", endNs, [&](std::int64_t from, std::int64_t to) {
        workspace.timeline(1, "device", trace::Counter::Allocated, from, to, kWidth);
    });
    measureZooms("categories", endNs,
        [&](std::int64_t from, std::int64_t to) { workspace.trace().categories(1, "device", from, to, kWidth); });
}

} // namespace
} // namespace headroom::store

int main(int count, char** arguments)
{
    headroom::store::measure(count > 1 ? std::stoul(arguments[1]) : 50'000'000);
}
