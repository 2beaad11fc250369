// SPDX-License-Identifier: Apache-2.0
//
// Whatever stands in a file that claims to be a recording: reading it ends with an Error or with a recording that can
// be replayed and passed on as a trace. One input in four is made by the structure of a snapshot. scripts/fuzz builds
// and runs this with clang's libFuzzer; a unit test goes through the corpus (recording_corpus.py).
#include "core/base/Error.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/recordings/Replay.h"
#include "profiling/recordings/TracedEvents.h"
#include "tests/fuzz/MemoryFile.h"
#include "tests/fuzz/SnapshotMaker.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace headroom;

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
    if (recording.moreRecords)
        recording.moreRecords([](const trace::DeviceRecords& records) {
            seen = seen + static_cast<std::int64_t>(records.kernels.size() + records.calls.size());
        });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const MemoryFile file("recording");
    file.replace(data, size);
    try {
        lookAt(recordings::readRecording(file.path()));
    } catch (const Error&) {
        return 0;
    }
    return 0;
}

// libFuzzer has it; a unit test goes through the corpus without.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t most, unsigned int seed);

extern "C" std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t most, unsigned int seed)
{
    if (seed % 4 == 0) {
        const std::string made = SnapshotMaker(seed / 4).make();
        if (made.size() <= most) {
            std::ranges::copy(made, data);
            return made.size();
        }
    }
    return LLVMFuzzerMutate == nullptr ? size : LLVMFuzzerMutate(data, size, most);
}
