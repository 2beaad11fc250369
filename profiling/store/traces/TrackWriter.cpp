// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/TrackWriter.h"

#include "profiling/store/Query.h"
#include "profiling/store/WriteTransaction.h"
#include "profiling/store/traces/StretchTable.h"

#include <algorithm>

namespace headroom::store {
namespace {

constexpr auto kInsertBlock = "INSERT INTO event_blocks (repeat, track, ordinal, first_ns, last_ns, count, data) "
                              "VALUES (?, ?, ?, ?, ?, ?, ?)";

} // namespace

TrackWriter::TrackWriter(SqliteFile& file, std::int64_t repeat, std::string track, const trace::MemoryCounters& before,
    const trace::OwnerCategories& owners, const TrackForm& form)
    : m_file(file)
    , m_repeat(repeat)
    , m_track(std::move(track))
    , m_form(form)
    , m_pyramids(before, owners)
    , m_stretches(before, form.eventsPerStretch)
    , m_beforePending(before)
    , m_categoriesBeforePending(m_pyramids.categories())
{
    m_form.eventsPerBlock = std::clamp<std::size_t>(form.eventsPerBlock, 1, trace::kMaxBlockEvents);
}

void TrackWriter::append(std::span<const trace::AllocatorEvent> events)
{
    for (const trace::AllocatorEvent& event : events) {
        if (m_pending.empty())
            m_stretches.beginBlock(m_blocks, m_beforePending);
        m_pending.push_back(event);
        m_pyramids.append(event);
        m_stretches.append(event);
        ++m_events;
        if (m_pending.size() >= m_form.eventsPerBlock)
            flush();
    }
}

void TrackWriter::flush()
{
    if (m_pending.empty())
        return;
    const auto data = trace::encodeEventBlock(m_pending, m_beforePending, m_categoriesBeforePending);
    WriteTransaction transaction(m_file);
    insertEventBlock(m_file, m_repeat, m_track, m_blocks, trace::readEventBlockHeader(data), data);
    if (const auto stretch = m_stretches.endBlock())
        insertStretch(m_file, m_repeat, m_track, *stretch);
    transaction.commit();
    ++m_blocks;
    m_pending.clear();
    m_beforePending = m_pyramids.counters();
    m_categoriesBeforePending = m_pyramids.categories();
}

void TrackWriter::finish()
{
    flush();
    m_pyramids.write(m_file, m_repeat, m_track);
    const auto last = m_stretches.finish();
    if (last && m_events > m_form.eventsPerStretch)
        insertStretch(m_file, m_repeat, m_track, *last);
}

void insertEventBlock(SqliteFile& file, std::int64_t repeat, const std::string& track, std::int64_t ordinal,
    const trace::EventBlockHeader& header, std::span<const std::byte> data)
{
    Query(file, kInsertBlock, repeat, track, ordinal, header.firstNs, header.lastNs,
        static_cast<std::int64_t>(header.count), data)
        .run();
}

} // namespace headroom::store
