// SPDX-License-Identifier: Apache-2.0
//
// Pickles of a few KiB that name what they hold again and again by its memo number: what they say is bounded, not only
// what they are.
#include "core/base/Error.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/recordings/SnapshotReader.h"
#include "tests/fuzz/PickleText.h"
#include "tests/fuzz/SnapshotMaker.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <fstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace headroom::recordings::named_many_times_test {
namespace {

using namespace pickled;
using testing::HasSubstr;

constexpr std::int64_t kAddress = 0x7F0000000000;

std::string entry(std::int64_t timeUs = 1, const std::string& frames = "]")
{
    return dict({{"action", text("alloc")}, {"addr", integer(kAddress)}, {"size", integer(512)}, {"stream", integer(0)},
        {"frames", frames}, {"time_us", integer(timeUs)}});
}

std::string snapshot(const std::string& segments, const std::string& traces, const std::string& annotations = {})
{
    return file(dict(
        {{"segments", list(segments)}, {"device_traces", list(traces)}, {"external_annotations", list(annotations)}}));
}

std::string annotation(const char* stage, const std::string& name, const std::string& remembered = {})
{
    return dict({{"name", name}, {"stage", text(stage)}, {"time_us", integer(1)}}, remembered);
}

std::string frameOf(std::size_t bytes, const std::string& remembered)
{
    return dict(
        {{"name", text(std::string(bytes, 'f'))}, {"filename", text("a.py")}, {"line", integer(1)}}, remembered);
}

class NamedManyTimesTest : public testing::Test {
protected:
    std::filesystem::path written(const std::string& pickle) const
    {
        std::ofstream(m_folder.file("a.pickle"), std::ios::binary) << pickle;
        return m_folder.file("a.pickle");
    }

    Recording read(const std::string& pickle) const { return readRecording(written(pickle)); }

    // Empty if it is read.
    std::string refusalOf(const std::string& pickle) const
    {
        try {
            read(pickle);
            return {};
        } catch (const FileError& error) {
            return error.what();
        }
    }

    std::string refusalWithin(std::size_t mostBytes, const std::string& pickle) const
    {
        SnapshotEntries entries;
        Objects objects(entries, mostBytes);
        ByteInput input(openFile(written(pickle)), "a.pickle");
        try {
            snapshotRecording(objects, readPickle(input, objects), entries, "a.pickle");
            return {};
        } catch (const FileError& error) {
            return error.what();
        }
    }

    static long highestKib()
    {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss;
    }

    TemporaryFolder m_folder;
};

TEST_F(NamedManyTimesTest, twoDevicesWithOneTrace)
{
    EXPECT_THAT(
        refusalOf(snapshot("", list(entry(), remember(0)) + recall(0))), HasSubstr("a device's trace named twice"));
}

TEST_F(NamedManyTimesTest, whatTorchWritesOnceIsNotTakenManyTimes)
{
    const std::string block = dict({{"size", integer(512)}, {"state", text("active_allocated")}}, remember(0));
    const std::string segment = dict({{"address", integer(kAddress)}, {"total_size", integer(1 << 30)},
                                         {"device", integer(0)}, {"blocks", list(block + recall(0, 5000))}},
        remember(1));
    const std::string long1 = text(std::string(1 << 20, 'A'));
    const long before = highestKib();
    EXPECT_THAT(refusalOf(snapshot(segment + recall(1, 5000), "")), HasSubstr("named twice"));
    EXPECT_THAT(refusalOf(snapshot("", list(entry()), annotation("START", long1, remember(0)) + recall(0, 3000))),
        HasSubstr("an annotation named twice"));
    EXPECT_THAT(refusalOf(snapshot("", list(entry(1, list(frameOf(1 << 20, remember(0)) + recall(0, 3000)))))),
        HasSubstr("the name of a frame of 1048576 bytes (at most 65536)"));
    EXPECT_LT(highestKib() - before, 200 * 1024) << "KiB";
}

TEST_F(NamedManyTimesTest, textsOfOneLengthCountEachTimeTheyAreCopied)
{
    constexpr std::size_t kBound = 1 << 20;
    const std::string name = text(std::string(60'000, 'A'));
    const std::string once = annotation("START", name + remember(0)) + annotation("END", recall(0));
    std::string often = once;
    for (int i = 0; i < 20; ++i)
        often += annotation("START", recall(0)) + annotation("END", recall(0));
    EXPECT_EQ(refusalWithin(kBound, snapshot("", list(entry()), once)), "");
    EXPECT_THAT(refusalWithin(kBound, snapshot("", list(entry()), often)), HasSubstr("more in it than 1 MiB"));

    const std::string frame = frameOf(60'000, remember(0));
    EXPECT_EQ(refusalWithin(kBound, snapshot("", list(entry(1, list(frame))))), "");
    EXPECT_THAT(refusalWithin(kBound, snapshot("", list(entry(1, list(frame + recall(0, 20)))))),
        HasSubstr("more in it than 1 MiB"));
}

// As torch writes them: the frames are shared, and so are the stacks of a block's events.
TEST_F(NamedManyTimesTest, sharedStacksCostNothing)
{
    std::string entries = entry(1, list(frameOf(1000, remember(0)) + recall(0, 999), remember(1)));
    for (int i = 2; i < 2000; ++i)
        entries += entry(i, i % 2 == 0 ? recall(1) : list(recall(0, 1000)));
    EXPECT_EQ(refusalWithin(48 << 20, snapshot("", list(entries))), ""); // their text is 2 GB, and their lists 16 MB
    const Recording recording = read(snapshot("", list(entries)));
    EXPECT_EQ(recording.devices.front().events.size(), 1999U);
    EXPECT_EQ(recording.owners.all().size(), 2U);
}

// In exports a stack is one text.
TEST_F(NamedManyTimesTest, theStackOfAnExportMayBeLongerThanALine)
{
    const auto with = [](const char* key) {
        const std::string notes = dict({{"category", text("weights")}, {key, text(std::string(70'000, 'f'))}});
        return snapshot("",
            list(dict({{"action", text("alloc")}, {"addr", integer(kAddress)}, {"size", integer(512)},
                {"user_metadata", notes}, {"category", text("weights")}, {"time_us", integer(1)}})));
    };
    EXPECT_EQ(read(with("frames")).owners.all().back().frames.size(), 70'000U);
    EXPECT_THAT(refusalOf(with("module")), HasSubstr("of 70000 bytes (at most 65536)"));
}

TEST_F(NamedManyTimesTest, whateverTheFuzzerMakesIsReadOrRefused)
{
    int readOnes = 0;
    int refusedOnes = 0;
    for (std::uint32_t seed = 1; seed <= 1500; ++seed) {
        const std::string made = SnapshotMaker(seed).make();
        EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(made.data()), made.size()), 0);
        ++(refusalOf(made).empty() ? readOnes : refusedOnes);
    }
    EXPECT_GT(readOnes, 100);
    EXPECT_GT(refusedOnes, 100);
}

} // namespace
} // namespace headroom::recordings::named_many_times_test
