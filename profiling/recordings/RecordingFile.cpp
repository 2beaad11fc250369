// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/RecordingFile.h"

#include "core/base/Error.h"
#include "profiling/recordings/MemoryTimeline.h"
#include "profiling/recordings/ProfilerEntries.h"
#include "profiling/recordings/Replay.h"
#include "profiling/recordings/SnapshotReader.h"
#include "profiling/recordings/SqliteRecording.h"
#include "profiling/recordings/SqliteTables.h"
#include "profiling/recordings/values/JsonReader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headroom::recordings {
namespace {

constexpr const char* kValidFiles = "a memory snapshot of PyTorch (pickle, or the viewer's page), a trace of "
                                    "torch.profiler (JSON), or an SQLite export of Nsight Systems; plain or gzip";

constexpr std::size_t kTellingBytes = 1 << 20; ///< of JSON: the descriptions of a profiler's devices come first
constexpr std::string_view kSqliteBeginning = "SQLite format 3";

enum class Content { Pickle, Json, Page, Sqlite, Unknown };

std::string_view withoutBlanks(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

Content contentOf(std::string_view beginning)
{
    if (beginning.starts_with(kSqliteBeginning))
        return Content::Sqlite;
    if (beginning.starts_with('\x80'))
        return Content::Pickle;
    const std::string_view text = withoutBlanks(beginning);
    if (text.starts_with('<'))
        return Content::Page;
    if (text.starts_with('{') || text.starts_with('['))
        return Content::Json;
    // Protocols 0 and 1 begin with a container.
    return beginning.starts_with('(') || beginning.starts_with('}') ? Content::Pickle : Content::Unknown;
}

bool isRecordedJson(std::string_view text)
{
    constexpr std::array<std::string_view, 4> kKeys{
        "\"traceEvents\"", "\"device_traces\"", "\"segments\"", "\"deviceProperties\""};
    const std::string_view list = withoutBlanks(text);
    const std::string_view first = list.starts_with('[') ? withoutBlanks(list.substr(1)) : std::string_view();
    return first.starts_with('{') || first.starts_with('[')
        || std::ranges::any_of(kKeys, [&](std::string_view key) { return text.find(key) != std::string_view::npos; });
}

// Headroom's exports have the tables of Nsight Systems.
bool isProfilersDatabase(const std::filesystem::path& path)
{
    const SqliteTables tables(path);
    return std::ranges::any_of(std::array{"StringIds", "CUDA_GPU_MEMORY_USAGE_EVENTS", "CUPTI_ACTIVITY_KIND_KERNEL"},
        [&](const char* table) { return tables.has(table); });
}

/// Hands each entry to the reader of its kind.
class AnyEntries final : public EntrySink {
public:
    bool take(const Objects& objects, const std::vector<DictItem>& dict) override
    {
        return m_snapshot.take(objects, dict) || m_profiler.take(objects, dict);
    }

    SnapshotEntries& snapshot() { return m_snapshot; }
    ProfilerEntries& profiler() { return m_profiler; }

private:
    SnapshotEntries m_snapshot;
    ProfilerEntries m_profiler;
};

Recording fromPickle(ByteInput& input, const std::string& file, const Progress& progress)
{
    SnapshotEntries entries;
    Objects objects(entries);
    const Value root = readPickle(input, objects, progress);
    return snapshotRecording(objects, root, entries, file);
}

Recording fromJson(ByteInput& input, const std::string& file, const Progress& progress)
{
    AnyEntries entries;
    Objects objects(entries);
    objects.forgetWithin();
    const Value root = readJson(input, objects, progress);
    const bool isSnapshot = objects.at(root, "segments").kind == Value::Kind::List
        || objects.at(root, "device_traces").kind == Value::Kind::List;
    if (isSnapshot)
        return snapshotRecording(objects, root, entries.snapshot(), file);
    if (isMemoryTimeline(objects, root))
        return memoryTimelineRecording(objects, root, file);
    return profilerRecording(objects, root, entries.profiler(), file);
}

// torch.cuda._memory_viz puts the pickle into its page, as base64.
Recording fromPage(std::unique_ptr<ByteInput> page, const std::string& file, const Progress& progress)
{
    if (!skipPast(*page, "\"base64\"") || !skipPast(*page, "\""))
        throw FileError("a page that holds no recording (no \"base64\" in it)", file,
            "a page that torch.cuda._memory_viz wrote with its file inside; of export_memory_timeline(), whose page is "
            "a "
            "picture, its .json.gz or .raw.json.gz");
    ByteInput inner(std::make_unique<Base64Source>(std::move(page)), file + ", the file in the page");
    return contentOf(inner.peek(64)) == Content::Json ? fromJson(inner, file, progress)
                                                      : fromPickle(inner, file, progress);
}

Recording readAny(const std::filesystem::path& path, const Progress& progress)
{
    const std::string file = path.string();
    auto input = std::make_unique<ByteInput>(openFile(path), file);
    const std::string_view beginning = input->peek(256);
    if (beginning.empty())
        throw FileError("an empty file", file, kValidFiles);
    switch (contentOf(beginning)) {
    case Content::Pickle:
        return fromPickle(*input, file, progress);
    case Content::Json:
        return fromJson(*input, file, progress);
    case Content::Page:
        return fromPage(std::move(input), file, progress);
    case Content::Sqlite:
        return sqliteRecording(path, progress);
    case Content::Unknown:
        break;
    }
    throw FileError("a file of an unknown format", file + ", byte 0", kValidFiles);
}

} // namespace

Recording readRecording(const std::filesystem::path& path, const Progress& progress)
{
    Recording recording = readAny(path, progress);
    if (recording.devices.empty())
        throw FileError("it records no memory of any device", path.string(),
            "a recording that was taken after torch.cuda.memory._record_memory_history(), or of a profiler that "
            "records memory");
    for (DeviceRecording& device : recording.devices)
        if (!completeBlockSizes(device, recording.owners, recording.settings()))
            recording.remarks.push_back(fmt::format(
                "device {}: the simulated allocator serves not every request as recorded; sizes of blocks are "
                "those of rounding",
                device.device));
    return recording;
}

bool looksLikeRecording(const std::filesystem::path& path)
{
    ByteInput input(openFile(path), path.string());
    switch (contentOf(input.peek(256))) {
    case Content::Pickle:
    case Content::Page:
        return true;
    case Content::Json:
        return isRecordedJson(input.peek(kTellingBytes));
    case Content::Sqlite:
        return isProfilersDatabase(path);
    case Content::Unknown:
        break;
    }
    return false;
}

} // namespace headroom::recordings
