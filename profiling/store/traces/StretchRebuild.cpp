// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/StretchRebuild.h"

#include "profiling/store/Query.h"
#include "profiling/store/StoreErrors.h"
#include "profiling/store/traces/StretchTable.h"

#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace headroom::store {
namespace {

constexpr auto kDropStretches = "DELETE FROM segment_stretches WHERE repeat = ? AND track = ?";

} // namespace

void eachStretch(const TraceReader& reader, std::int64_t repeat, const std::string& track, const std::stop_token& stop,
    const std::function<void(std::uint64_t)>& progress, std::size_t eventsPerStretch,
    const std::function<void(trace::SegmentStretch)>& visit)
{
    using Time = std::numeric_limits<std::int64_t>;
    std::optional<trace::SegmentStretches> stretches;
    std::vector<std::int64_t> ordinals;
    for (const BlockPlace& block : reader.stretches(repeat, track).blocks())
        ordinals.push_back(block.ordinal);
    std::uint64_t events = 0;
    std::size_t place = 0;
    reader.eachBlock(repeat, track, Time::min(), Time::max(), stop,
        [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> block) {
            if (!stretches)
                stretches.emplace(header.before, eventsPerStretch);
            stretches->beginBlock(ordinals.at(place++), header.before);
            for (const trace::AllocatorEvent& event : block)
                stretches->append(event);
            if (auto stretch = stretches->endBlock())
                visit(std::move(*stretch));
            events += header.count;
            if (progress)
                progress(events);
        });
    if (auto last = stretches ? stretches->finish() : std::nullopt)
        visit(std::move(*last));
}

std::string rebuildStretches(SqliteFile& file, std::int64_t repeat, const std::string& track)
{
    Query(file, kDropStretches, repeat, track).run();
    const auto insert = [&](const trace::SegmentStretch& stretch) { insertStretch(file, repeat, track, stretch); };
    try {
        eachStretch(TraceReader(file), repeat, track, {}, {}, trace::SegmentStretches::kFewestEvents, insert);
    } catch (const DamagedFileError&) {
        throw;
    } catch (const FileError& error) {
        Query(file, kDropStretches, repeat, track).run();
        return error.what();
    }
    return {};
}

} // namespace headroom::store
