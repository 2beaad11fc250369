// SPDX-License-Identifier: Apache-2.0
#include "app/worker/SpoolSink.h"

namespace headroom::worker {
namespace {

constexpr std::size_t kBatchEvents = 4096;

} // namespace

// Called from within allocations and phases, where nothing could catch an exception.
template <typename Write> void SpoolSink::attempt(Write write) noexcept
{
    if (!m_problem.empty())
        return;
    try {
        write();
    } catch (const std::exception& error) {
        m_problem = error.what();
    }
}

SpoolSink::SpoolSink(const std::filesystem::path& path)
{
    attempt([&] { m_spool.emplace(path); });
    m_events.reserve(kBatchEvents);
}

void SpoolSink::event(const trace::AllocatorEvent& event)
{
    m_events.push_back(event);
    if (m_events.size() == kBatchEvents)
        writeEvents();
}

void SpoolSink::phase(const trace::PhaseSpan& span)
{
    attempt([&] { m_spool->addPhase(span); });
}

void SpoolSink::owner(trace::OwnerId id, const trace::MemoryOwner& owner)
{
    attempt([&] { m_spool->addOwner(id, owner); });
}

void SpoolSink::records(const trace::DeviceRecords& records)
{
    attempt([&] { m_spool->addRecords(records); });
}

void SpoolSink::lost(const std::string& what)
{
    attempt([&] {
        m_spool->addDiagnostic({.severity = store::Severity::Warning, .kind = "dropped_records", .message = what});
    });
}

void SpoolSink::finish()
{
    writeEvents();
    attempt([this] { m_spool->finish(); });
}

void SpoolSink::writeEvents()
{
    attempt([this] { m_spool->append(kAllocatorTrack, m_events); });
    m_events.clear();
}

} // namespace headroom::worker
