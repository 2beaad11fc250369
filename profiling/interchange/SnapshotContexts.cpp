// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/SnapshotContexts.h"

#include <fmt/format.h>

#include <charconv>

namespace headroom::interchange {
namespace {

std::string nameOf(const trace::PhaseSpan& phase)
{
    return phase.step < 0 ? phase.name : fmt::format("{} of step {}", phase.name, phase.step);
}

} // namespace

SnapshotContexts::SnapshotContexts(const RecordedTrace& trace, PickleWriter& pickle)
    : m_trace(trace)
    , m_pickle(pickle)
    , m_phases(trace.phases())
    , m_phase(m_phases.phases().size())
{
}

void SnapshotContexts::write(trace::OwnerId owner, std::int64_t timeNs)
{
    enter(timeNs);
    const trace::MemoryOwner& known = m_trace.owners().of(owner);
    const auto written = m_written.find(owner);
    if (written != m_written.end()) {
        m_pickle.word("frames");
        m_pickle.recall(written->second.frames);
        m_pickle.word("user_metadata");
        m_pickle.recall(written->second.metadata);
        return;
    }
    const PickleWriter::Memo frames = writeFrames(&known);
    m_written.emplace(owner, Context{frames, writeMetadata(known)});
}

void SnapshotContexts::writePhase(std::int64_t timeNs)
{
    enter(timeNs);
    if (!m_phaseFrames) {
        m_phaseFrames = writeFrames(nullptr);
        return;
    }
    m_pickle.word("frames");
    m_pickle.recall(*m_phaseFrames);
}

void SnapshotContexts::writeCategory(trace::OwnerId owner)
{
    if (hasCategories())
        entry("category", config::toText(m_trace.owners().of(owner).category));
}

void SnapshotContexts::enter(std::int64_t timeNs)
{
    const std::size_t phase = m_phases.at(timeNs);
    if (phase == m_phase)
        return;
    m_phase = phase;
    m_written.clear();
    m_phaseFrames.reset();
}

// The viewer prints a frame as "filename:line:name", the innermost first.
PickleWriter::Memo SnapshotContexts::writeFrames(const trace::MemoryOwner* owner)
{
    m_pickle.word("frames");
    const PickleWriter::Memo memo = m_pickle.beginSharedList();
    if (owner != nullptr && !owner->frames.empty())
        writeStack(owner->frames);
    else if (owner != nullptr)
        frame(owner->module.empty() ? "no module" : owner->module, config::toText(owner->category));
    if (owner != nullptr && !owner->technique.empty())
        frame("technique", owner->technique);
    if (phase() != nullptr)
        frame("phase", nameOf(*phase()));
    m_pickle.endList();
    return memo;
}

PickleWriter::Memo SnapshotContexts::writeMetadata(const trace::MemoryOwner& owner)
{
    m_pickle.word("user_metadata");
    const PickleWriter::Memo memo = m_pickle.beginSharedDict();
    entry("category", config::toText(owner.category));
    if (!owner.module.empty())
        entry("module", owner.module);
    if (!owner.source.empty())
        entry("source", owner.source);
    if (!owner.technique.empty())
        entry("technique", owner.technique);
    if (!owner.frames.empty())
        entry("frames", owner.frames);
    if (phase() != nullptr) {
        entry("phase", phase()->name);
        m_pickle.word("step");
        m_pickle.integer(phase()->step);
    }
    m_pickle.endDict();
    return memo;
}

// A recording's lines "train.py:31 main", the outermost first.
void SnapshotContexts::writeStack(std::string_view lines)
{
    while (!lines.empty()) {
        const std::size_t begin = lines.rfind('\n') + 1; // 0 where there is no other line
        const std::string_view line = lines.substr(begin);
        const std::size_t blank = line.find(' ');
        const std::size_t colon = line.substr(0, blank).rfind(':');
        std::int64_t number = 0;
        if (blank != std::string_view::npos && colon != std::string_view::npos)
            std::from_chars(line.data() + colon + 1, line.data() + blank, number);
        if (number > 0)
            frame(line.substr(0, colon), line.substr(blank + 1), number);
        else
            frame("??", line);
        lines = lines.substr(0, begin == 0 ? 0 : begin - 1);
    }
}

void SnapshotContexts::frame(std::string_view file, std::string_view name, std::int64_t line)
{
    m_pickle.beginDict();
    entry("filename", file);
    m_pickle.word("line");
    m_pickle.integer(line);
    entry("name", name);
    m_pickle.endDict();
}

void SnapshotContexts::entry(std::string_view key, std::string_view value)
{
    m_pickle.word(key);
    m_pickle.word(value);
}

const trace::PhaseSpan* SnapshotContexts::phase() const
{
    return m_phase < m_phases.phases().size() ? &m_phases.phases()[m_phase] : nullptr;
}

} // namespace headroom::interchange
