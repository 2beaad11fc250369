// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/ChromeCounters.h"

#include "profiling/trace/CategoryCounters.h"

#include <algorithm>
#include <set>

namespace headroom::interchange {
namespace {

using trace::Action;

constexpr const char* kByCategory = "allocated by category";

std::vector<config::MemoryCategory> categoriesOf(const trace::OwnerTable& owners)
{
    if (owners.all().size() < 2)
        return {};
    std::set<config::MemoryCategory> found;
    for (const trace::MemoryOwner& owner : owners.all())
        found.insert(owner.category);
    return {found.begin(), found.end()};
}

} // namespace

ChromeCounters::ChromeCounters(const RecordedTrace& trace, ChromeWriter& writer, ChromeProcess process)
    : m_trace(trace)
    , m_writer(writer)
    , m_process(process)
    , m_categories(categoriesOf(trace.owners()))
{
}

void ChromeCounters::writeAll(const store::TrackRow& track)
{
    trace::MemoryCounters now = m_trace.before(track.track);
    const trace::OwnerCategories owners(m_trace.owners().all());
    trace::CategoryCounters categories = trace::CategoryCounters::ofUnknown(now.allocated);
    writeChanges(track.track, track.firstNs, {}, now);
    m_trace.eachEvent(track.track, [&](const trace::AllocatorEvent& event) {
        const trace::MemoryCounters before = now;
        now.apply(event);
        writeChanges(track.track, event.timeNs, before, now);
        categories.apply(event, owners);
        if (trace::CategoryCounters::isMovedBy(event.action))
            writeCategories(track.track, event.timeNs, categories.categories);
    });
}

void ChromeCounters::writeStretches(const store::TrackRow& track, std::size_t width)
{
    const std::int64_t endNs = track.lastNs + 1;
    for (const trace::Counter counter : trace::kCounters)
        writeBuckets(nameOf(std::string(trace::counterName(counter)), track.track),
            m_trace.reader().timeline(m_trace.repeat().id, track.track, counter, track.firstNs, endNs, width));
    if (m_categories.empty())
        return;
    for (const trace::CategoryBucket& bucket :
        m_trace.reader().categories(m_trace.repeat().id, track.track, track.firstNs, endNs, width))
        writeCategories(track.track, bucket.allocated.beginNs, bucket.atMax);
}

void ChromeCounters::writeOutOfMemory(const store::TrackRow& track)
{
    m_trace.eachEvent(track.track, [&](const trace::AllocatorEvent& event) {
        if (event.action == Action::OutOfMemory)
            m_writer.instant(m_process, "out of memory", event.timeNs,
                JsonObject()
                    .add("requested_bytes", event.bytes)
                    .add("free_bytes", static_cast<std::int64_t>(event.address))
                    .add("track", std::string_view(track.track)));
    });
}

// There is usually one track, whose name would only be in the way.
std::string ChromeCounters::nameOf(const std::string& counter, const std::string& track) const
{
    return m_trace.tracks().front().track == track ? counter : counter + " (" + track + ")";
}

void ChromeCounters::write(const std::string& name, std::int64_t timeNs, Bytes bytes)
{
    m_writer.counter(m_process, name, timeNs, JsonObject().add("bytes", bytes));
}

void ChromeCounters::writeChanges(const std::string& track, std::int64_t timeNs, const trace::MemoryCounters& before,
    const trace::MemoryCounters& now)
{
    for (const trace::Counter counter : trace::kCounters)
        if (before.of(counter) != now.of(counter))
            write(nameOf(std::string(trace::counterName(counter)), track), timeNs, now.of(counter));
}

// A counter keeps its value until the next one: maximum, minimum and last share the interval, in this order.
void ChromeCounters::writeBuckets(const std::string& name, const std::vector<trace::Bucket>& buckets)
{
    Bytes drawn = -1;
    const auto draw = [&](std::int64_t timeNs, Bytes bytes) {
        if (bytes != drawn)
            write(name, timeNs, bytes);
        drawn = bytes;
    };
    for (const trace::Bucket& bucket : buckets) {
        const std::int64_t length = bucket.endNs - bucket.beginNs;
        draw(bucket.beginNs, bucket.max);
        draw(bucket.beginNs + length / 2, bucket.min);
        draw(bucket.beginNs + length - 1, bucket.last);
    }
}

void ChromeCounters::writeCategories(const std::string& track, std::int64_t timeNs, const trace::CategoryBytes& bytes)
{
    if (m_categories.empty())
        return;
    JsonObject values;
    for (const config::MemoryCategory category : m_categories)
        values.add(config::toText(category), bytes.of(category));
    m_writer.counter(m_process, nameOf(kByCategory, track), timeNs, values);
}

} // namespace headroom::interchange
