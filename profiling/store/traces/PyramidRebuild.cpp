// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/PyramidRebuild.h"

#include "profiling/store/Query.h"
#include "profiling/store/StoreErrors.h"
#include "profiling/store/traces/TraceReader.h"
#include "profiling/store/traces/TrackPyramids.h"

#include <optional>

namespace headroom::store {

std::string rebuildPyramids(
    SqliteFile& file, std::int64_t repeat, const std::string& track, const trace::OwnerCategories& owners)
{
    Query(file, "DELETE FROM pyramids WHERE repeat = ? AND track = ?", repeat, track).run();
    Query(file, "DELETE FROM category_pyramids WHERE repeat = ? AND track = ?", repeat, track).run();
    std::optional<TrackPyramids> pyramids;
    const auto feed = [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
        if (!pyramids)
            pyramids.emplace(header.before, owners);
        pyramids->resume(header);
        for (const trace::AllocatorEvent& event : events)
            pyramids->append(event);
    };
    try {
        TraceReader(file).eachBlock(repeat, track, feed);
    } catch (const DamagedFileError&) {
        throw;
    } catch (const FileError& error) {
        return error.what();
    }
    if (pyramids)
        pyramids->write(file, repeat, track);
    return {};
}

} // namespace headroom::store
