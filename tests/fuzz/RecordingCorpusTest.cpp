// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzer starts from, in a plain build too; and whether each of these files (recording_corpus.py) is read, or
// refused for what its name says, with its own name in the message.
#include "core/base/Error.h"
#include "profiling/recordings/RecordingFile.h"
#include "tests/support/Checkout.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <map>
#include <set>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace headroom::recordings {
namespace {

const std::filesystem::path kCorpus = checkout("tests/fuzz/corpus/recording");

// Sound ones, and what only looks odd.
const std::set<std::string> kRead{"protocol_0.pickle", "protocol_2.pickle", "protocol_3.pickle", "protocol_4.pickle",
    "protocol_5.pickle", "gzip.pickle.gz", "page.html", "snapshot.json", "middle.pickle", "out_of_memory.pickle",
    "two_devices.pickle", "without_history.pickle", "bare_segments.pickle", "profiler.json", "profiler.json.gz",
    "nsys.sqlite", "private_pool.pickle", "inference.pickle", "expandable.pickle", "huge_integer.json",
    "real_times.json", "notes.pickle", "timeline.json", "timeline.raw.json.gz", "strange_entries.pickle",
    "contradictions.pickle", "odd_numbers.json", "far_times.pickle", "annotations_alone.pickle",
    "same_empty_trace.pickle", "same_notes.pickle", "name_of_number.json", "requested_beyond.pickle",
    "blocks_beyond.pickle"};

// What the message says of it; of the others it is enough that they are refused.
const std::map<std::string, std::string> kReasons{{"code.pickle", "only code could make"},
    {"code_protocol_2.pickle", "only code could make"}, {"code_instance.pickle", "INST"}, {"empty.pickle", "empty"},
    {"cut.pickle", "ends in the middle"}, {"cut.pickle.gz", "unpacked"}, {"lying_text.pickle", "bytes"},
    {"wrong_types.pickle", "no memory"}, {"lying_long_text.pickle", "bytes"}, {"lying_integer.pickle", "bytes"},
    {"memo_beyond.pickle", "beyond"}, {"memo_missing.pickle", "has not had"}, {"deep_marks.pickle", "deep"},
    {"other_protocol.pickle", "protocol 9"}, {"unknown_opcode.pickle", "opcode"}, {"no_snapshot.pickle", "segments"},
    {"cut.json", "JSON"}, {"deep.json", "deep"}, {"no_events.json", "traceEvents"},
    {"no_memory.json", "without memory events"}, {"page_without_file.html", "base64"},
    {"page_no_base64.html", "base64"}, {"other.sqlite", "without the table"}, {"cut.sqlite", "was cut"},
    {"odd_rows.sqlite", "memory event"}, {"huge_integer.pickle", "64 bits"}, {"huge_integer_0.pickle", "64 bits"},
    {"noise.bin", "unknown format"}, {"timeline_uneven.json", "4 times and 3 sizes"},
    {"timeline_negative.json", "no memory"}, {"timeline_odd.raw.json", "entry 2"}, {"timeline_picture.html", "picture"},
    {"same_trace.pickle", "a device's trace named twice"}, {"same_segment.pickle", "a segment named twice"},
    {"same_blocks.pickle", "a list of blocks named twice"}, {"same_block.pickle", "a block named twice"},
    {"same_entry.pickle", "for the second time"}, {"same_annotation.pickle", "an annotation named twice"},
    {"long_frame.pickle.gz", "the name of a frame of 70000 bytes (at most 65536)"},
    {"long_annotation.pickle.gz", "the name of an annotation of 70000 bytes (at most 65536)"},
    {"deep_stack.pickle.gz", "a call stack of 5000 frames (at most 4096)"},
    {"same_pages.sqlite", "more rows or texts than its file"}, {"deep_spans.json.gz", "more than 4096 spans"},
    {"device_beyond.json", "a device with the number 4096 (at most 4095)"}};

std::vector<std::filesystem::path> corpus()
{
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(kCorpus))
        files.push_back(file.path());
    return files;
}

// Empty if it is read.
std::string refusalOf(const std::filesystem::path& file)
{
    try {
        readRecording(file);
        return {};
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(file.filename().string()));
        EXPECT_LT(std::string(error.what()).size(), 1000u) << file;
        return error.what();
    }
}

TEST(RecordingCorpusTest, everyFileIsReadOrRefusedByTheFuzzer)
{
    for (const auto& file : corpus()) {
        const std::string bytes = contentOf(file);
        EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), 0);
    }
    EXPECT_GT(corpus().size(), 85u);
}

TEST(RecordingCorpusTest, onlySoundRecordingsAreReadAndOthersAreRefusedForWhatIsWrong)
{
    for (const auto& file : corpus()) {
        const std::string name = file.filename().string();
        const std::string refusal = refusalOf(file);
        EXPECT_EQ(refusal.empty(), kRead.contains(name)) << name << ": " << refusal;
        if (const auto reason = kReasons.find(name); reason != kReasons.end()) {
            EXPECT_THAT(refusal, testing::HasSubstr(reason->second)) << name;
        }
    }
}

// Differences of times have no more bits than times.
TEST(RecordingCorpusTest, whatBeganBeforeAllTimeBeganBeforeTheRest)
{
    const Recording recording = readRecording(kCorpus / "far_times.pickle");
    ASSERT_EQ(recording.phases.size(), 1U);
    EXPECT_LT(recording.phases.front().beginNs, 0);
    EXPECT_GT(recording.devices.front().events.back().timeNs, 0);
}

TEST(RecordingCorpusTest, withoutEventsTimesAreThoseOfTheFile)
{
    const Recording recording = readRecording(kCorpus / "annotations_alone.pickle");
    ASSERT_EQ(recording.phases.size(), 1U);
    EXPECT_EQ(recording.phases.front().beginNs, -kMostFileNs);
    EXPECT_EQ(recording.phases.front().endNs, 1'700'000'000'000'040'000);
}

TEST(RecordingCorpusTest, messagesSayTheByte)
{
    EXPECT_THAT(refusalOf(kCorpus / "unknown_opcode.pickle"), testing::HasSubstr("byte 2"));
    EXPECT_THAT(refusalOf(kCorpus / "cut.pickle"), testing::HasSubstr("byte 600"));
    EXPECT_THAT(refusalOf(kCorpus / "cut.json"), testing::HasSubstr("byte 200"));
}

TEST(RecordingCorpusTest, noRecordingTakesMuchMemory)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const long before = usage.ru_maxrss;
    for (const auto& file : corpus())
        refusalOf(file);
    getrusage(RUSAGE_SELF, &usage);
    EXPECT_LT(usage.ru_maxrss - before, 400 * 1024) << "KiB"; // the highest so far
}

} // namespace
} // namespace headroom::recordings
