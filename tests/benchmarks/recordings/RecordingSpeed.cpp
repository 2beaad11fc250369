// SPDX-License-Identifier: Apache-2.0
//
// How fast a long recording is read, replayed and imported, and in how much memory. Writes a snapshot as PyTorch does,
// of as many events as are asked for, into a folder, and prints a row of docs/measurements/recordings.md.
//
//   benchmark-recordings FOLDER EVENTS
#include "experiments/recordings/RecordingImport.h"
#include "profiling/interchange/PickleWriter.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/recordings/Replay.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>

namespace {

using namespace headroom;
using interchange::PickleWriter;

/// Blocks of all sizes that come and go, 3,000 of them at a time, allocated in fifty places.
class LongProgram {
public:
    explicit LongProgram(PickleWriter& pickle)
        : m_pickle(pickle)
    {
        m_allocator.setObserver([this](const trace::AllocatorEvent& event) { write(event); });
    }

    void run(std::int64_t events)
    {
        while (m_events < events) {
            if (m_live.size() < 3000 || m_random() % 2 == 0)
                m_live.push_back(m_allocator.allocate(someBytes(), 0));
            if (m_live.size() > 3000) {
                const std::size_t place = m_random() % m_live.size();
                m_allocator.free(m_live[place]);
                m_live[place] = m_live.back();
                m_live.pop_back();
            }
        }
    }

    const simulator::CachingAllocator& allocator() const { return m_allocator; }

private:
    Bytes someBytes()
    {
        static constexpr Bytes kMagnitudes[] = {512, 8 * kKiB, 200 * kKiB, 2 * kMiB, 16 * kMiB};
        return 1 + static_cast<Bytes>(m_random() % static_cast<std::uint64_t>(2 * kMagnitudes[m_random() % 5]));
    }

    void write(const trace::AllocatorEvent& event)
    {
        static constexpr const char* kNames[] = {"alloc", "free_requested", "free_completed", "segment_alloc",
            "segment_free", "segment_map", "segment_unmap", "oom"};
        const auto entry = [&](const char* key, std::int64_t value) {
            m_pickle.word(key);
            m_pickle.integer(value);
        };
        m_pickle.beginDict();
        m_pickle.word("action");
        m_pickle.word(kNames[static_cast<std::size_t>(event.action)]);
        entry("addr", static_cast<std::int64_t>(event.address));
        entry("size", event.requestedBytes);
        entry("stream", 0);
        entry("time_us", 1'700'000'000'000'000 + m_events);
        m_pickle.word("frames");
        writeFrames(m_random() % 50);
        m_pickle.endDict();
        ++m_events;
    }

    void writeFrames(std::uint64_t place)
    {
        if (place < m_frames.size())
            return m_pickle.recall(m_frames[place]);
        m_frames.push_back(m_pickle.beginSharedList());
        for (int depth = 0; depth < 20; ++depth) {
            m_pickle.beginDict();
            m_pickle.word("filename");
            m_pickle.word("model.py");
            m_pickle.word("line");
            m_pickle.integer(static_cast<std::int64_t>(m_frames.size()) * 20 + depth);
            m_pickle.word("name");
            m_pickle.word("forward");
            m_pickle.endDict();
        }
        m_pickle.endList();
    }

    PickleWriter& m_pickle;
    simulator::CachingAllocator m_allocator;
    std::mt19937_64 m_random{1};
    std::vector<simulator::Address> m_live;
    std::vector<PickleWriter::Memo> m_frames;
    std::int64_t m_events = 0;
};

void writeSegments(PickleWriter& pickle, const simulator::AllocatorSnapshot& snapshot)
{
    const auto entry = [&](const char* key, std::int64_t value) {
        pickle.word(key);
        pickle.integer(value);
    };
    pickle.word("segments");
    pickle.beginList();
    for (const simulator::SegmentSnapshot& segment : snapshot.segments) {
        pickle.beginDict();
        entry("device", 0);
        entry("address", static_cast<std::int64_t>(segment.address));
        entry("total_size", segment.totalBytes);
        entry("stream", 0);
        pickle.word("segment_type");
        pickle.word(segment.pool == simulator::PoolKind::Small ? "small" : "large");
        pickle.word("blocks");
        pickle.beginList();
        for (const simulator::BlockSnapshot& block : segment.blocks) {
            pickle.beginDict();
            entry("address", static_cast<std::int64_t>(block.address));
            entry("size", block.bytes);
            entry("requested_size", block.requestedBytes);
            pickle.word("state");
            pickle.word(block.state == simulator::BlockState::Inactive ? "inactive" : "active_allocated");
            pickle.endDict();
        }
        pickle.endList();
        pickle.endDict();
    }
    pickle.endList();
}

void writeSnapshot(const std::filesystem::path& path, std::int64_t events)
{
    ReplacedFile file(path);
    PickleWriter pickle(file);
    pickle.beginDict();
    pickle.word("device_traces");
    pickle.beginList();
    pickle.beginList();
    LongProgram program(pickle);
    program.run(events);
    pickle.endList();
    pickle.endList();
    writeSegments(pickle, program.allocator().snapshot());
    pickle.endDict();
    pickle.finish();
    file.commit();
}

double megabytesUsed()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1000.0;
}

template <typename Action> double secondsOf(const Action& action)
{
    const auto begin = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void measure(const std::filesystem::path& path, const std::filesystem::path& workspace, std::int64_t events)
{
    recordings::Recording recording;
    const double read = secondsOf([&] { recording = recordings::readRecording(path); });
    recordings::ReplayOutcome outcome;
    const double replayed =
        secondsOf([&] { outcome = recordings::Replay(recording.devices.at(0), recording.owners, {}).run(); });
    const double stored =
        secondsOf([&] { experiments::importRecording(recording, {path, workspace, "long", "benchmark"}); });
    std::cout << fmt::format("| {} | {:.0f} MB | {:.2f} s | {:.2f} s ({:.1f} million events/s) | {:.2f} s | {:.2f} s | "
                             "{:.0f} MB |\n",
        events, static_cast<double>(std::filesystem::file_size(path)) / 1e6, read, replayed,
        static_cast<double>(events) / replayed / 1e6, stored, read + stored, megabytesUsed());
    if (outcome.servedAsRecorded != outcome.allocations)
        std::cout << "not served as recorded\n";
}

} // namespace

int main(int count, char** words)
{
    if (count != 3) {
        std::cerr << "usage: benchmark-recordings FOLDER EVENTS\n";
        return 2;
    }
    const std::filesystem::path folder = words[1];
    const std::int64_t events = std::atoll(words[2]);
    const std::filesystem::path path = folder / fmt::format("long-{}.pickle", events);
    if (!std::filesystem::exists(path))
        writeSnapshot(path, events);
    std::filesystem::remove(folder / "long.db");
    measure(path, folder / "long.db", events);
    return 0;
}
