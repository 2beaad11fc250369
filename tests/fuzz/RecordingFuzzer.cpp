// SPDX-License-Identifier: Apache-2.0
//
// Whatever stands in a file that claims to be a recording: reading it ends with an Error or with a recording that can
// be replayed and passed on as a trace. scripts/fuzz builds and runs this with clang's libFuzzer; a unit test goes
// through the corpus (recording_corpus.py).
#include "core/base/Error.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/recordings/Replay.h"
#include "profiling/recordings/TracedEvents.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace headroom;

/// A file in memory that is opened by its path like any other.
class MemoryRecording {
public:
    MemoryRecording()
        : m_descriptor(::memfd_create("recording", MFD_CLOEXEC))
    {
        if (m_descriptor < 0)
            std::abort();
    }

    void replace(const std::uint8_t* data, std::size_t size) const
    {
        if (::ftruncate(m_descriptor, 0) != 0 || ::pwrite(m_descriptor, data, size, 0) != static_cast<ssize_t>(size))
            std::abort();
    }

    std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

private:
    int m_descriptor;
};

// What programs do with a recording.
void lookAt(const recordings::Recording& recording)
{
    static volatile std::int64_t seen = 0; // or the look would be optimised away
    for (const recordings::DeviceRecording& device : recording.devices) {
        recordings::RecordedTraceBuilder builder;
        recordings::eachTracedEvent(
            device, [&](std::span<const trace::AllocatorEvent> events) { builder.add(device.heldBefore, events); });
        seen = seen + static_cast<std::int64_t>(builder.take().events.size());
        for (const char* const settings : {"", "expandable_segments:True"}) {
            const recordings::ReplayTerms terms{
                .settings = simulator::parseAllocatorSettings(settings), .areRecordedSettings = *settings == '\0'};
            seen = seen + recordings::Replay(device, recording.owners, terms).run().allocations;
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const MemoryRecording file;
    file.replace(data, size);
    try {
        lookAt(recordings::readRecording(file.path()));
    } catch (const Error&) {
        return 0;
    }
    return 0;
}
